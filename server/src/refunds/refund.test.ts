import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeVault } from '../platform/vault/vault.ts';
import { leftToRefund, nextTryAt, refundIdOf, statementReference } from './refund.ts';

const NOW = Temporal.Instant.from('2026-01-05T09:00:00Z');
const vault = makeVault(new Map([['k1', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2));
const ID = {
  merchantId: 'mer_1',
  paymentId: 'pay_1',
  dueDate: NOW,
  number: 1,
  amountPence: 1000,
};

test('what is left is never below zero, and never more than the payment', () => {
  const pence = fc.nat(100_000_000);
  fc.assert(
    fc.property(pence, pence, pence, (amountPence, refundedPence, returnedPence) => {
      const left = leftToRefund({ amountPence, refundedPence, returnedPence });
      assert.ok(left >= 0 && left <= amountPence);
      if (left > 0) assert.equal(left + refundedPence + returnedPence, amountPence);
    }),
  );
});

test('a waiting refund is tried every hour, for thirty days', () => {
  let at: Temporal.Instant | null = NOW;
  let tries = 0;
  for (; at !== null; tries++) at = nextTryAt(NOW, at);
  assert.equal(tries, 30 * 24 + 1);
});

test('the same refund has the same id, another number or amount another one', () => {
  const id = refundIdOf(vault, ID);
  assert.match(id, /^ref_[0-9A-Za-z]{22}$/);
  assert.equal(refundIdOf(vault, { ...ID }), id);
  assert.notEqual(refundIdOf(vault, { ...ID, number: 2 }), id);
  assert.notEqual(refundIdOf(vault, { ...ID, amountPence: 1001 }), id);
  assert.equal(statementReference(id).length, 18);
});
