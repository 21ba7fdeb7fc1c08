import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nettedPayments } from './settlement-words.ts';

test('the payments of a settlement come to what is paid out, and what is netted is named', () => {
  const all = { payments: { value: 5014, count: 2 }, refunds: 100, fees: 85, carried: 29 };
  assert.deepEqual(nettedPayments(all), {
    name: 'Its 2 payments, less refunds, fees and what you owed',
    pence: 4800,
  });
  const one = { payments: { value: 4999, count: 1 }, refunds: 0, fees: 70, carried: 0 };
  assert.deepEqual(nettedPayments(one), { name: 'Its 1 payment, less fees', pence: 4929 });
  const whole = nettedPayments({ ...one, fees: 0 });
  assert.deepEqual(whole, { name: 'Its 1 payment', pence: 4999 });
});
