import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LARGEST_AMOUNT } from '../../platform/values/money.ts';
import { amountRefusal, raised } from './new-amount.ts';

/** The same by whole numbers of any size: the multiple of the step that is nearest, the upper one of two that are as near. */
function nearest(pence: number, basisPoints: number, step: number): number {
  const [exact, unit] = [BigInt(pence) * BigInt(10_000 + basisPoints), 10_000n * BigInt(step)];
  const below = exact / unit;
  const [toBelow, toAbove] = [exact - below * unit, (below + 1n) * unit - exact];
  return Number((toBelow < toAbove ? below : below + 1n) * BigInt(step));
}

test('an amount is changed by the per cent and rounded half up to the step, exactly', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: LARGEST_AMOUNT }),
      fc.integer({ min: -9_900, max: 10_000 }),
      fc.oneof(fc.constantFrom(1, 5, 10, 50, 100), fc.integer({ min: 1, max: 10_000 })),
      (pence, basisPoints, roundToPence) => {
        const found = raised(pence, { basisPoints, roundToPence });
        assert.equal(found, nearest(pence, basisPoints, roundToPence));
      },
    ),
    { numRuns: 3000 },
  );
});

test('what lies in the middle is rounded up, up and down alike', () => {
  assert.equal(raised(25, { basisPoints: 1000, roundToPence: 1 }), 28); // 27.5
  assert.equal(raised(25, { basisPoints: -1000, roundToPence: 1 }), 23); // 22.5
  assert.equal(raised(3499, { basisPoints: 800, roundToPence: 10 }), 3780); // 3778.92
  assert.equal(raised(1000, { basisPoints: 50, roundToPence: 10 }), 1010); // 1005
});

test('an amount below a penny or above the most of a payment is refused', () => {
  assert.match(amountRefusal(0) ?? '', /£0\.00.*at least £0\.01/);
  assert.equal(amountRefusal(1), null);
  assert.equal(amountRefusal(LARGEST_AMOUNT), null);
  assert.match(amountRefusal(LARGEST_AMOUNT + 1) ?? '', /at most £1,000,000\.00/);
});
