import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLimits } from './bank-limits.ts';
import {
  type ConsentCheck,
  checkDelay,
  checkOf,
  type Decision,
  decideOnCheck,
  isImplausible,
} from './check.ts';
import type { StoredControlParameters } from './consent.ts';

const NOON = Temporal.Instant.from('2026-01-05T12:00:00Z');
const minutesLater = (minutes: number): Temporal.Instant => NOON.add({ minutes });

const OVER: ConsentCheck = { said: 'over', reason: 'withdrawn_at_bank', evidence: 'CANC' };
const STANDS: ConsentCheck = { said: 'stands' };
const SUSPENDED: ConsentCheck = { said: 'suspended' };
const UNKNOWN: ConsentCheck = { said: 'unknown' };

test('a consent ends by two looks at least an hour apart that say the same, and by nothing else', () => {
  const table: [since: number | null, ConsentCheck, trusted: boolean, Decision['do']][] = [
    // no doubt yet
    [null, STANDS, true, 'keep'],
    [null, SUSPENDED, true, 'keep'],
    [null, UNKNOWN, true, 'keep'],
    [null, OVER, true, 'doubt'],
    [null, OVER, false, 'doubt'],
    // the second check
    [60, OVER, true, 'end'],
    [600, OVER, true, 'end'],
    [59, OVER, true, 'wait'],
    [0, OVER, true, 'wait'],
    [600, OVER, false, 'wait'],
    [60, UNKNOWN, true, 'wait'],
    [60, STANDS, true, 'clear'],
    [5, STANDS, true, 'clear'],
    [60, SUSPENDED, true, 'clear'],
    [60, STANDS, false, 'clear'],
  ];
  for (const [since, look, trusted, expected] of table) {
    const doubtedAt = since === null ? null : minutesLater(-since);
    const decision = decideOnCheck(doubtedAt, look, NOON, trusted);
    assert.equal(decision.do, expected, `${since} ${look.said} ${trusted}`);
  }
});

test('a clock that runs behind ends nothing early', () => {
  assert.equal(decideOnCheck(minutesLater(120), OVER, NOON, true).do, 'wait');
});

test('each status of a consent at its bank says what it says', () => {
  const limits = { validFrom: '2025-01-01T00:00:00Z', maximumAmountPence: 1, periodicLimits: [] };
  const said = (
    status: Parameters<typeof checkOf>[0]['status'],
    validTo: string | null = null,
  ): string => {
    const look = checkOf({ status, reason: null }, { ...limits, validTo }, NOON);
    return look.said === 'over' ? look.reason : look.said;
  };
  assert.equal(said('AUTH'), 'stands');
  assert.equal(said('AWAU'), 'stands');
  assert.equal(said('SUSP'), 'suspended');
  assert.equal(said('CANC'), 'withdrawn_at_bank');
  assert.equal(said('RJCT'), 'withdrawn_at_bank');
  assert.equal(said('GONE'), 'withdrawn_at_bank');
  assert.equal(said('EXPD'), 'expired_at_bank');
  assert.equal(said('EXPD', '2026-06-01T00:00:00Z'), 'expired_at_bank');
  assert.equal(said('EXPD', '2026-01-01T00:00:00Z'), 'stands', 'it ended as agreed');
});

test('more than five, and more than a tenth of those looked at, are implausible', () => {
  const cases: [vanished: number, lookedAt: number, expected: boolean][] = [
    [5, 5, false],
    [6, 6, true],
    [6, 59, true],
    [6, 60, false],
    [7, 60, true],
    [100, 1001, false],
    [101, 1001, true],
    [0, 0, false],
  ];
  for (const [vanished, lookedAt, expected] of cases)
    assert.equal(isImplausible({ vanished, lookedAt }), expected, `${vanished} of ${lookedAt}`);
});

test('a bank that proves nothing is asked less and less often, and at least every hour', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 1000].map((tries) => checkDelay(tries) / 60),
    [15, 30, 60, 60, 60],
  );
});

const STORED: StoredControlParameters = {
  validFrom: '2026-01-07T09:30:00.123Z',
  validTo: '2026-06-30T22:59:59.999Z',
  maximumAmountPence: 4999,
  periodicLimits: [{ amountPence: 4999, periodType: 'Month', alignment: 'Consent' }],
};

test('limits that the bank reports as they are here, to the second, are no change', () => {
  const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
  assert.equal(changedLimits(STORED, null), null);
  assert.equal(changedLimits(STORED, {}), null);
  assert.equal(
    changedLimits(STORED, {
      validFrom: at('2026-01-07T09:30:00Z'),
      validTo: at('2026-06-30T22:59:59Z'),
      maximumAmountPence: 4999,
      periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 4999 }],
    }),
    null,
  );
});

test('what the bank reports otherwise is taken over, and what it does not report stays', () => {
  assert.deepEqual(changedLimits(STORED, { maximumAmountPence: 4000 }), {
    ...STORED,
    maximumAmountPence: 4000,
  });
  const periodicLimits = [
    { periodType: 'Month', alignment: 'Consent', amountPence: 9000 } as const,
  ];
  assert.deepEqual(changedLimits(STORED, { periodicLimits: [...periodicLimits] }), {
    ...STORED,
    periodicLimits,
  });
  const validTo = Temporal.Instant.from('2026-03-01T00:00:00Z');
  assert.equal(changedLimits(STORED, { validTo })?.validTo, '2026-03-01T00:00:00Z');
});
