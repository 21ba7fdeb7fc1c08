import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountErrors, fromDecimal, LARGEST_AMOUNT, parsePounds, toDecimal } from './money.ts';

test('pence become a decimal with two places', () => {
  assert.equal(toDecimal(4999), '49.99');
  assert.equal(toDecimal(5), '0.05');
  assert.equal(toDecimal(0), '0.00');
  assert.equal(toDecimal(-250), '-2.50');
  assert.equal(toDecimal(Number.MAX_SAFE_INTEGER), '90071992547409.91');
});

test('every amount survives the way to a decimal and back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (pence) => {
      assert.equal(fromDecimal(toDecimal(pence)), pence);
    }),
  );
});

test('a bank may write fewer or more decimals, as long as the pence are whole', () => {
  assert.equal(fromDecimal('50'), 5000);
  assert.equal(fromDecimal('49.9'), 4990);
  assert.equal(fromDecimal('49.99000'), 4999);
  assert.equal(Object.is(fromDecimal('-0.00'), 0), true);
});

test('what is no exact amount throws', () => {
  const wrong = ['', '.5', '1.', '1,000.00', '1e3', ' 1.00', '£1.00', '0x10', '49.999'];
  for (const text of [...wrong, '90071992547409.92']) {
    assert.throws(() => fromDecimal(text), RangeError, text);
  }
  for (const pence of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => toDecimal(pence), RangeError);
  }
});

test('pounds are read as people type them, and a comma stands between thousands alone', () => {
  const good = ['49.99', ' £1,250 ', '£ 1,234,567.5', '0.1', '50', '7 GBP', '0'];
  assert.deepEqual(good.map(parsePounds), [4999, 125_000, 123_456_750, 10, 5000, 700, 0]);
  const bad = [
    '',
    '£',
    '12,50',
    '49,99',
    '1.250,00',
    '1,25',
    '1,2500',
    '1,234,5',
    '12,34,567',
    '49.999',
    '-5',
    'five',
    '1e3',
    '$5',
    '5.',
    '9'.repeat(15),
    '9,999,999,999,999,999',
  ];
  for (const text of bad) assert.equal(parsePounds(text), null, text);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999_999_999 }),
      fc.boolean(),
      (pence, isGrouped) => {
        const plain = toDecimal(pence);
        const text = isGrouped ? plain.replaceAll(/\B(?=(\d{3})+\.)/g, ',') : plain;
        assert.equal(parsePounds(`£${text}`), pence);
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'0123456789,.£ '), maxLength: 12 }),
      (text) => {
        const pence = parsePounds(text);
        if (pence !== null) assert.doesNotMatch(text, /,(?!\d{3}(?!\d))/);
      },
    ),
  );
});

test('a good amount has no errors, up to the limit of the bank scheme', () => {
  assert.deepEqual(amountErrors({ value: 1, currency: 'GBP' }), {});
  assert.deepEqual(amountErrors({ value: LARGEST_AMOUNT, currency: 'GBP' }), {});
});

test('a value that cannot be collected is named', () => {
  for (const value of [0, -1, 1.5, '4999', null, undefined, LARGEST_AMOUNT + 1, 2 ** 53, 1e300]) {
    const errors = amountErrors({ value, currency: 'GBP' });
    assert.deepEqual(Object.keys(errors), ['amount.value'], String(value));
  }
  const { 'amount.value': message } = amountErrors({ value: 0, currency: 'GBP' });
  assert.equal(message, 'must be greater than 0');
});

test('every wrong field is named at once, under the name of the field', () => {
  const errors = amountErrors({ value: 0, currency: 'EUR', tax: 1 }, 'limit');
  assert.deepEqual(Object.keys(errors).sort(), ['limit.currency', 'limit.tax', 'limit.value']);
  assert.deepEqual(Object.keys(amountErrors({})).sort(), ['amount.currency', 'amount.value']);
  for (const input of [undefined, null, 4999, '49.99', []]) {
    assert.deepEqual(Object.keys(amountErrors(input)), ['amount']);
  }
});

test('whoever writes no amount is told which text it was', () => {
  assert.throws(() => toDecimal(1.5), /^RangeError: Not an exact amount: 1[.]5$/);
  assert.throws(() => fromDecimal('x'), /^RangeError: Not an amount in whole pence: x$/);
  assert.throws(() => fromDecimal(''), /^RangeError: Not an amount in whole pence: $/);
  assert.throws(
    () => fromDecimal('9999999999999999.00'),
    /^RangeError: Amount too large: 9999999999999999[.]00$/,
  );
});

test('each wrong field of an amount is explained', () => {
  assert.deepEqual(amountErrors('4999'), { amount: 'must be an object with value and currency' });
  assert.deepEqual(amountErrors({ value: '4999', currency: 826, scale: 2 }), {
    'amount.value': 'must be a whole number in the smallest currency unit (pence)',
    'amount.currency': 'must be one of: GBP',
    'amount.scale': 'is not a known field',
  });
});
