import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatPounds, parsePounds, withoutPence } from './pounds.ts';

test('pounds are read digit by digit, with or without sign, commas and pence', () => {
  const read = ['49.99', '£49.99', ' 1,234.5 ', '7', '7.', '.5', '0', '1000000'].map(parsePounds);
  assert.deepEqual(read, [4999, 4999, 123450, 700, 700, 50, 0, 100000000]);
});

test('what is no amount of pounds is null', () => {
  for (const text of [
    '',
    ' ',
    '.',
    '£',
    '1.234',
    '1,23',
    '-1',
    '1e3',
    'ten',
    '1 000',
    '99999999999999999',
  ])
    assert.equal(parsePounds(text), null, text);
});

test('every amount is read back as it was written', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 1_000_000_000 }),
      (pence) => parsePounds(formatPounds(pence)) === pence,
    ),
  );
});

test('a message about an amount gives it in pounds alone', () => {
  assert.equal(
    withoutPence('must be at least 125000 (£1,250.00): one payment takes as much'),
    'must be at least £1,250.00: one payment takes as much',
  );
  assert.equal(withoutPence('must be one of: GBP'), 'must be one of: GBP');
});
