import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compareInstants,
  earlier,
  elapsedMs,
  instantOfColumn,
  isAfter,
  isBefore,
  later,
  msOf,
  plusMs,
} from './instants.ts';

const anInstant = fc
  .tuple(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0, 1, 999_999))
  .map(([ms, ns]) => Temporal.Instant.fromEpochNanoseconds(BigInt(ms) * 1_000_000n + BigInt(ns)));

test('instants are ordered as Temporal orders them, within a millisecond too', () => {
  fc.assert(
    fc.property(anInstant, anInstant, (a, b) => {
      const order = Temporal.Instant.compare(a, b);
      assert.equal(Math.sign(compareInstants(a, b)), order);
      assert.equal(isBefore(a, b), order < 0);
      assert.equal(isAfter(a, b), order > 0);
      assert.ok(earlier(a, b).equals(order <= 0 ? a : b));
      assert.ok(later(a, b).equals(order >= 0 ? a : b));
    }),
  );
});

test('the earlier of two moments of which one is missing is the other', () => {
  const at = Temporal.Instant.from('2026-03-01T09:00:00Z');
  assert.equal(earlier(null, at), at);
  assert.equal(earlier(at, null), at);
});

test('milliseconds are counted from one moment to another, and as those of a duration', () => {
  const at = Temporal.Instant.from('2026-03-01T09:00:00Z');
  const hour = Temporal.Duration.from({ hours: 1 });
  assert.equal(elapsedMs(at, at.add(hour)), msOf(hour));
  assert.ok(plusMs(at, msOf(hour)).equals(at.add(hour)));
});

test('a column is read as PostgreSQL writes it, and read once', () => {
  const first = instantOfColumn('2026-03-01 09:00:00.123456+00');
  assert.equal(first.toString(), '2026-03-01T09:00:00.123456Z');
  assert.equal(instantOfColumn('2026-03-01 09:00:00.123456+00'), first);
});

test('what is remembered is bounded, and right after it was forgotten', () => {
  const at = Temporal.Instant.from('2026-03-01T09:00:00Z');
  for (let n = 0; n < 25_000; n++) {
    const expected = plusMs(at, n);
    assert.ok(instantOfColumn(expected.toString()).equals(expected));
  }
});
