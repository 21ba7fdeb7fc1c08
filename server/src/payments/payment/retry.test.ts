import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeIds } from '../../platform/values/ids.ts';
import {
  nextPollAt,
  nextPollWhilePending,
  nextRetry,
  RESEND_FOR,
  type RetryInput,
} from './retry.ts';

const FAILED_AT = Temporal.Instant.from('2026-01-30T09:00:00Z');

function decide(changes: Partial<RetryInput>): string {
  const decision = nextRetry({
    frequencyType: 'monthly',
    failedAttempts: 1,
    maxRetries: 3,
    failedAt: FAILED_AT,
    nextOccurrence: null,
    errorClass: 'retryable',
    timeZone: 'Europe/London',
    refusedByLimits: () => false,
    validTo: null,
    ...changes,
  });
  return 'at' in decision ? decision.at.toString() : decision.none;
}

test('weekly and longer frequencies wait 1, 2 and then 3 days, and go on with 3', () => {
  for (const frequencyType of ['weekly', 'monthly', 'quarterly', 'yearly'] as const) {
    const waits = [1, 2, 3, 4, 5].map((failedAttempts) =>
      decide({ frequencyType, failedAttempts, maxRetries: 10 }),
    );
    const days = ['31', '01', '02', '02', '02'];
    assert.deepEqual(
      waits,
      days.map((day, i) => `2026-${i === 0 ? '01' : '02'}-${day}T09:00:00Z`),
    );
  }
});

test('daily frequencies wait 2, 4 and then 8 hours, and go on with 8', () => {
  const waits = [1, 2, 3, 4].map((failedAttempts) =>
    decide({ frequencyType: 'daily', failedAttempts, maxRetries: 10 }),
  );
  assert.deepEqual(
    waits,
    ['11', '13', '17', '17'].map((hour) => `2026-01-30T${hour}:00:00Z`),
  );
});

test('a wait in days keeps the wall-clock time, a wait in hours is exact', () => {
  const failedAt = Temporal.Instant.from('2026-03-28T09:00:00Z');
  assert.equal(decide({ failedAt }), '2026-03-29T08:00:00Z');
  const night = Temporal.Instant.from('2026-03-29T00:30:00Z');
  assert.equal(decide({ frequencyType: 'daily', failedAt: night }), '2026-03-29T02:30:00Z');
});

test('max_retries counts the attempts after the first', () => {
  assert.match(decide({ maxRetries: 0 }), /^max_retries$/);
  assert.equal(decide({ failedAttempts: 3 }), '2026-02-02T09:00:00Z');
  assert.match(decide({ failedAttempts: 4 }), /^max_retries$/);
});

test('a final failure is never retried', () => {
  assert.equal(decide({ errorClass: 'final' }), 'final');
});

test('a retry at or after the next occurrence is not made, one just before it is', () => {
  const retryAt = FAILED_AT.add({ hours: 24 });
  assert.match(decide({ nextOccurrence: retryAt }), /^next_occurrence$/);
  assert.match(decide({ nextOccurrence: FAILED_AT }), /^next_occurrence$/);
  assert.equal(
    decide({ nextOccurrence: retryAt.add({ milliseconds: 1 }) }),
    '2026-01-31T09:00:00Z',
  );
});

test('a retry the consent would not carry is not made', () => {
  const retryAt = FAILED_AT.add({ hours: 24 });
  assert.match(decide({ validTo: retryAt.subtract({ milliseconds: 1 }) }), /^end_date$/);
  assert.equal(decide({ validTo: retryAt }), '2026-01-31T09:00:00Z');
  const asked: string[] = [];
  const refusedByLimits = (at: Temporal.Instant) => asked.push(at.toString()) > 0;
  assert.match(decide({ refusedByLimits }), /^limits$/);
  assert.deepEqual(asked, ['2026-01-31T09:00:00Z']);
});

test('delays are configuration, the last one repeats', () => {
  const delays = { days: [5], hours: [1, 3] };
  assert.equal(decide({ delays, failedAttempts: 3 }), '2026-02-04T09:00:00Z');
  assert.equal(
    decide({ delays, frequencyType: 'daily', failedAttempts: 2 }),
    '2026-01-30T12:00:00Z',
  );
  assert.throws(() => decide({ delays: { days: [], hours: [] } }), RangeError);
});

test('a retry always comes later than the failure and before the next occurrence', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly'),
      fc.integer({ min: 1, max: 11 }),
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 0, max: 31_536_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (frequencyType, failedAttempts, maxRetries, seconds, gap) => {
        const failedAt = FAILED_AT.add({ seconds });
        const nextOccurrence = failedAt.add({ seconds: gap });
        const at = decide({ frequencyType, failedAttempts, maxRetries, failedAt, nextOccurrence });
        if (failedAttempts > maxRetries) assert.match(at, /^max_retries$/);
        if (!at.startsWith('2')) return;
        assert.ok(Temporal.Instant.compare(at, failedAt) > 0);
        assert.ok(Temporal.Instant.compare(at, nextOccurrence) < 0);
      },
    ),
  );
});

test('a plan without delays is a defect, and says after which attempt', () => {
  assert.throws(
    () => decide({ delays: { days: [], hours: [] } }),
    /^RangeError: No delay after 1 failed attempts$/,
  );
});

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const paymentId = makeIds().next('pay', NOW);

test('the bank is asked ever less often, and never much less than every half hour', () => {
  const wait = (polls: number) => nextPollAt(NOW, polls, paymentId).since(NOW).total('seconds');
  const least = [2, 2, 5, 15, 60, 300, 1800, 1800];
  for (const [polls, seconds] of least.entries())
    assert.ok(wait(polls) >= seconds && wait(polls) <= seconds * 1.25, `${polls}: ${wait(polls)}`);
  assert.ok(wait(1000) >= 1800 && wait(1000) <= 2250);
});

test('a bank that has confirmed an order is not asked in the first seconds, in which it tells us itself', () => {
  const wait = (polls: number) =>
    nextPollWhilePending(NOW, polls, paymentId).since(NOW).total('seconds');
  for (const [polls, seconds] of [5, 15, 60, 300, 1800, 1800].entries())
    assert.ok(wait(polls) >= seconds && wait(polls) <= seconds * 1.25, `${polls}: ${wait(polls)}`);
});

test('an attempt is sent again for less than the day that banks keep an idempotency key', () => {
  assert.ok(Temporal.Duration.compare(RESEND_FOR, { hours: 24 }) < 0);
});

test('payments that one outage stopped are not all asked about at the same moment', () => {
  const waits = Array.from({ length: 50 }, () => {
    const id = makeIds().next('pay', NOW);
    return nextPollAt(NOW, 6, id).since(NOW).total('milliseconds');
  });
  assert.ok(new Set(waits).size > 25, `${new Set(waits).size} moments`);
});
