import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capOf, cutAt } from './cap.ts';

test('one payment of a million leaves the other days their shape', () => {
  const cap = capOf([1_200, 900, 100_000_000, 1_000, 0]);
  assert.equal(cap, 1_800);
  assert.equal(capOf([1_200, 900, 100_000_000, 80_000_000, 1_000]), 1_800);
});

test('a chart whose bars are of one kind ends where its tallest bar does', () => {
  assert.equal(capOf([]), null);
  assert.equal(capOf([500]), null);
  assert.equal(capOf([0, 0, 500]), null);
  assert.equal(capOf([100, 200, 350]), null);
  assert.equal(capOf([9_000, 9_000, 9_000, 9_000, 100]), null);
});

test('what is cut keeps its parts in order, ends at the cap, and is whole below it', () => {
  const pence = fc.nat(1_000_000);
  fc.assert(
    fc.property(
      fc.array(pence, { maxLength: 3 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (parts, cap) => {
        const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);
        const cut = cutAt(parts, cap);
        assert.equal(sum(cut), Math.min(sum(parts), cap));
        assert.ok(cut.every((part, i) => part >= 0 && part <= (parts[i] ?? 0)));
        assert.deepEqual(cutAt(parts, null), parts);
      },
    ),
  );
});
