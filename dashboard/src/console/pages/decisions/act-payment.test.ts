import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Act } from '../../api/decisions.ts';
import { paymentFor } from './act-payment.ts';

/** A decision about `pay_1`, of which somebody has proposed an act. */
const proposed = (act: Act | null, named: string | null) => ({
  payment_id: 'pay_1',
  first: { by: 'Robin Fern', reason: 'by phone', act, payment_id: named },
});

test('who agrees with a first operator starts with the payment that they named, or none', () => {
  assert.equal(paymentFor(proposed('accept', 'pay_2'), 'accept'), 'pay_2');
  assert.equal(paymentFor(proposed('pay_on', 'none'), 'pay_on'), 'none');
  assert.equal(paymentFor(proposed('pay_on', null), 'pay_on'), '');
});

test('another act starts with the payment that the decision is about', () => {
  assert.equal(paymentFor(proposed('pay_on', 'pay_2'), 'accept'), 'pay_1');
  assert.equal(paymentFor({ payment_id: 'pay_1', first: null }, 'allocate'), 'pay_1');
  assert.equal(paymentFor({ payment_id: null, first: null }, 'allocate'), '');
});
