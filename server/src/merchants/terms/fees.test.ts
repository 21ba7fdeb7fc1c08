import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feeErrors, feeOf, isOutdated, nextTerms, startOf, termsAt } from './fees.ts';

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

test('a fee is a fixed part and a share, half a penny rounded up, and never above the amount', () => {
  const fee = (fixedPence: number, basisPoints: number, amount: number): number =>
    feeOf({ fixedPence, basisPoints }, amount);
  assert.equal(fee(20, 0, 4999), 20);
  assert.equal(fee(20, 100, 4999), 70, '49.99 is rounded to 50');
  assert.equal(fee(0, 100, 49), 0, '0.49 is rounded to 0');
  assert.equal(fee(0, 100, 50), 1, '0.5 is rounded to 1');
  assert.equal(fee(0, 100, 150), 2, '1.5 is rounded to 2');
  assert.equal(fee(20, 0, 15), 15);
  assert.equal(fee(0, 10_000, 1234), 1234);
  assert.equal(fee(0, 9_999, 100_000_000), 99_990_000);
});

test('a fee is exact for every amount and every terms', () => {
  const pence = fc.integer({ min: 1, max: 100_000_000 });
  const terms = fc.record({
    fixedPence: fc.integer({ min: 0, max: 100_000_000 }),
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
  });
  fc.assert(
    fc.property(terms, pence, (some, amount) => {
      const exact =
        BigInt(some.fixedPence) + (BigInt(amount) * BigInt(some.basisPoints) + 5_000n) / 10_000n;
      const expected = exact > BigInt(amount) ? BigInt(amount) : exact;
      assert.equal(BigInt(feeOf(some, amount)), expected);
    }),
  );
});

test('terms apply from their moment on, until the next ones do', () => {
  const june = { fixedPence: 20, basisPoints: 0, from: at('2026-06-01T00:00:00Z') };
  const july = { fixedPence: 0, basisPoints: 0, from: at('2026-07-01T00:00:00Z') };
  assert.equal(termsAt([], at('2026-06-01T00:00:00Z')), null);
  assert.equal(termsAt([july, june], at('2026-05-31T23:59:59.999Z')), null);
  assert.equal(termsAt([july, june], june.from), june);
  assert.equal(termsAt([june, july], at('2026-06-30T23:59:59.999Z')), june);
  assert.equal(termsAt([june, july], july.from), july);
  assert.equal(nextTerms([july, june], at('2026-05-31T23:59:59.999Z')), june);
  assert.equal(nextTerms([july, june], june.from), july);
  assert.equal(nextTerms([july, june], july.from), null);
});

test('terms begin with a London day that is at least an hour away, else with the next such day', () => {
  const now = at('2026-06-01T12:00:00Z');
  assert.equal(String(startOf(null, now)), '2026-06-01T23:00:00Z');
  assert.equal(String(startOf(day('2026-12-01'), now)), '2026-12-01T00:00:00Z');
  assert.equal(startOf(day('2026-06-01'), now), null);
  const late = at('2026-06-01T22:30:00Z');
  assert.equal(startOf(day('2026-06-02'), late), null, 'half an hour is too late');
  assert.equal(String(startOf(null, late)), '2026-06-02T23:00:00Z');
});

test('terms that were read are used for less time than a change is announced before', () => {
  const now = at('2026-06-01T12:00:00Z');
  assert.equal(isOutdated(now, now.add({ minutes: 30 })), false);
  assert.equal(isOutdated(now, now.add({ minutes: 31 })), true);
});

test('the fixed part and the share are whole numbers within bounds', () => {
  assert.deepEqual(feeErrors({ fixedPence: 0, basisPoints: 10_000 }), {});
  for (const value of [-1, 1.5, Number.NaN, 100_000_001])
    assert.deepEqual(Object.keys(feeErrors({ fixedPence: value, basisPoints: value })), [
      'fixed_pence',
      'basis_points',
    ]);
});
