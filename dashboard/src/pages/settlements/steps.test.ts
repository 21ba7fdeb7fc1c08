import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stepsOf } from './steps.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });
const sumsOf = (gross: number, refunds: number, fees: number, carried: number) => ({
  gross: gbp(gross),
  refunds: gbp(refunds),
  fees: gbp(fees),
  carried: gbp(carried),
  amount: gbp(gross - refunds - fees - carried),
});

test('what was collected, less what was netted, is what is paid out; what is nothing is left out', () => {
  assert.deepEqual(
    stepsOf(sumsOf(5000, 1000, 85, 0)).map(({ name, value }) => [name, value]),
    [
      ['Collected', 5000],
      ['Refunds', -1000],
      ['Fees', -85],
      ['Paid out', 3915],
    ],
  );
  const [, back] = stepsOf(sumsOf(5000, -1000, 0, 0));
  assert.deepEqual(
    [back?.name, back?.kind, back?.value],
    ['Failed refunds returned', 'given', 1000],
  );
});

test('every step begins where the one before it ended, and the last ends at the amount', () => {
  const pence = fc.nat(100_000_000);
  fc.assert(
    fc.property(pence, fc.integer({ min: -1_000_000, max: 1_000_000 }), pence, pence, (...sums) => {
      const steps = stepsOf(sumsOf(...sums));
      const paid = steps.at(-1);
      const before = steps.slice(0, -1);
      for (const [n, step] of before.entries()) {
        assert.equal(step.from, before[n - 1]?.to ?? 0);
        assert.equal(step.to - step.from, step.value);
      }
      assert.equal(before.at(-1)?.to, paid?.to);
      assert.equal(
        before.reduce((sum, { value }) => sum + value, 0),
        paid?.value,
      );
    }),
  );
});
