import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, withAmount } from './format-money.ts';

test('an amount has its currency, its thousands and its pence', () => {
  assert.equal(formatMoney({ value: 100_000_000, currency: 'GBP' }), '£1,000,000.00');
  assert.equal(formatMoney({ value: -1, currency: 'GBP' }), '-£0.01');
});

test('a button names the amount that was typed, and nothing where there is none', () => {
  assert.equal(withAmount('Refund', 2500), 'Refund £25.00');
  assert.equal(withAmount('Refund', null), 'Refund');
  assert.equal(withAmount('Refund', 0), 'Refund');
});
