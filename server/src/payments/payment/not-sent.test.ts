import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type UnsentFacts, whyNotSent } from './not-sent.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:30:00Z');
const SOON = NOW.add({ minutes: 10 });
const WAITING: UnsentFacts = {
  bankId: 'northbank',
  isMerchantSuspended: false,
  isBankStopped: false,
  isDoubted: false,
  isSuspended: false,
  condition: 'operational',
  dueAt: SOON,
  isLeased: false,
};
const why = (facts: Partial<UnsentFacts>): [string, string | undefined] => {
  const { reason, until } = whyNotSent({ ...WAITING, ...facts }, NOW);
  return [reason, until?.toString()];
};

test('a bank that is down is the reason, and the next try is the end of the wait', () => {
  assert.deepEqual(why({ condition: 'down' }), ['bank_down', SOON.toString()]);
  assert.deepEqual(why({ condition: 'degraded' }), ['bank_degraded', SOON.toString()]);
  assert.deepEqual(why({}), ['retrying', SOON.toString()]);
});

test('while a process tries, no time is named: the end of its claim is no next try', () => {
  assert.deepEqual(why({ condition: 'down', isLeased: true }), ['bank_down', undefined]);
  assert.deepEqual(why({ isLeased: true }), ['being_sent', undefined]);
  assert.deepEqual(why({ dueAt: NOW }), ['being_sent', undefined]);
});

test('what holds it back comes before how the bank answers, and ends when somebody acts', () => {
  const down = { condition: 'down' } as const;
  assert.deepEqual(why({ ...down, isBankStopped: true }), ['bank_stopped', undefined]);
  assert.deepEqual(why({ ...down, isSuspended: true }), ['reauthentication_needed', undefined]);
  assert.deepEqual(why({ ...down, isMerchantSuspended: true }), ['merchant_suspended', undefined]);
  assert.deepEqual(why({ isDoubted: true }), ['consent_in_doubt', SOON.toString()]);
});

test('whatever the facts: a time that is named is still to come', () => {
  const facts = fc.record({
    isMerchantSuspended: fc.boolean(),
    isBankStopped: fc.boolean(),
    isDoubted: fc.boolean(),
    isSuspended: fc.boolean(),
    condition: fc.constantFrom('operational', 'degraded', 'down'),
    isLeased: fc.boolean(),
    seconds: fc.integer({ min: -10_000, max: 10_000 }),
  });
  fc.assert(
    fc.property(facts, ({ seconds, ...some }) => {
      const { until } = whyNotSent({ ...WAITING, ...some, dueAt: NOW.add({ seconds }) }, NOW);
      assert.ok(until === null || (Temporal.Instant.compare(until, NOW) > 0 && !some.isLeased));
    }),
  );
});
