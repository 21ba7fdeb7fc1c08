import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeIds } from '../platform/ids.ts';
import { askAgainAt, instructionId, RESEND_FOR, readInstructionId } from './payment.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const paymentId = makeIds().next('pay', NOW);

test('the bank is asked ever less often, and never much less than every half hour', () => {
  const wait = (polls: number) => askAgainAt(NOW, polls, paymentId).since(NOW).total('seconds');
  const least = [2, 2, 5, 15, 60, 300, 1800, 1800];
  for (const [polls, seconds] of least.entries())
    assert.ok(wait(polls) >= seconds && wait(polls) <= seconds * 1.25, `${polls}: ${wait(polls)}`);
  assert.ok(wait(1000) >= 1800 && wait(1000) <= 2250);
});

test('an attempt is sent again for less than the day that banks keep an idempotency key', () => {
  assert.ok(Temporal.Duration.compare(RESEND_FOR, { hours: 24 }) < 0);
});

test('the name of an attempt leads back to its payment and number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), (attempt) => {
      const name = instructionId(paymentId, attempt);
      assert.deepEqual(readInstructionId(name), { paymentId, attempt });
    }),
  );
});

test('no two attempts have one name, and a name fits where banks take 35 characters', () => {
  const names = Array.from({ length: 99 }, (_, n) => instructionId(paymentId, n + 1));
  assert.equal(new Set(names).size, 99);
  for (const name of names) assert.ok(name.length <= 31 && /^[\w-]+$/.test(name), name);
});

test('a text that is no name of ours leads to no payment', () => {
  for (const text of [
    '',
    'salary March',
    paymentId,
    `${paymentId}-a`,
    `${paymentId}-aa`,
    `${paymentId}-a-1`,
    `${paymentId}-a1x`,
    ` ${paymentId}-a1`,
    `${paymentId}-a1\n`,
    `set_${paymentId.slice(4)}-a1`,
    `${paymentId.slice(0, -1)}-a1`,
  ])
    assert.equal(readInstructionId(text), null, JSON.stringify(text));
});

test('payments that one outage stopped are not all asked about at the same moment', () => {
  const waits = Array.from({ length: 50 }, () => {
    const id = makeIds().next('pay', NOW);
    return askAgainAt(NOW, 6, id).since(NOW).total('milliseconds');
  });
  assert.ok(new Set(waits).size > 25, `${new Set(waits).size} moments`);
});
