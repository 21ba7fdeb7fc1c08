import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeIds } from '../../platform/values/ids.ts';
import { instructionId, readInstructionId } from './payment.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const paymentId = makeIds().next('pay', NOW);

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
