import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClockSkew } from './clock-skew.ts';

const DAY_MS = 24 * 3_600_000;

test('a clock is off by what its reading cannot be explained by the time that the answer took', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -DAY_MS, max: DAY_MS }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (aheadMs, tookMs, part) => {
        const skew = new ClockSkew();
        const trueMs = 1_000_000_000;
        const database = trueMs + tookMs * part;
        const before = { wallMs: trueMs + aheadMs, steadyMs: 7 };
        const after = { wallMs: trueMs + tookMs + aheadMs, steadyMs: 7 + tookMs };
        skew.note(before, database, after);
        const found = skew.aheadMs(after) ?? Number.NaN;
        assert.ok(Math.abs(found) <= Math.abs(aheadMs) + 1, 'never more than it is');
        assert.ok(
          Math.abs(found - aheadMs) <= tookMs + 1,
          'and less by the time of the answer at most',
        );
      },
    ),
  );
});

test('a clock that jumps after it was compared is off from that moment on', () => {
  const skew = new ClockSkew();
  const at = { wallMs: 1_000_000, steadyMs: 0 };
  skew.note(at, 1_000_000, at);
  assert.equal(skew.aheadMs({ wallMs: 1_010_000, steadyMs: 10_000 }), 0);
  assert.equal(skew.aheadMs({ wallMs: 1_010_000 + DAY_MS, steadyMs: 10_000 }), DAY_MS);
  assert.equal(skew.aheadMs({ wallMs: 1_010_000 - DAY_MS, steadyMs: 10_000 }), -DAY_MS);
});

test('before the first comparison nothing is known', () => {
  const skew = new ClockSkew();
  assert.equal(skew.aheadMs(), null);
  assert.equal(skew.isTooFar(), false);
});
