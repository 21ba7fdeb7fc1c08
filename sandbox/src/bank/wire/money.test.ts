import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalOf, penceOf, poundsOf } from './money.ts';

test('Every amount in pence survives the way through its decimal form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (pence) => {
      assert.equal(penceOf(decimalOf(pence)), pence);
    }),
  );
});

test('Amounts of the API may have one to five decimals, but no fractions of a penny', () => {
  assert.equal(penceOf('5'), 500);
  assert.equal(penceOf('5.1'), 510);
  assert.equal(penceOf('5.10000'), 510);
  assert.equal(penceOf('5.001'), null);
  assert.equal(penceOf('-5.00'), null);
  assert.equal(penceOf('5,00'), null);
});

test('People read pounds with separators', () => {
  assert.equal(poundsOf(250_000), '£2,500.00');
  assert.equal(poundsOf(123_456_789), '£1,234,567.89');
  assert.equal(poundsOf(-5), '−£0.05');
});
