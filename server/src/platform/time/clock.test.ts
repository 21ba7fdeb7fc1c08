import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realClock, realNow } from './clock.ts';

test("the real clock is the machine's, in whole milliseconds", () => {
  const before = Date.now();
  const now = realNow();
  const later = realClock.now();
  const after = Date.now();
  assert.ok(before <= now.epochMilliseconds && later.epochMilliseconds <= after);
  assert.ok(Temporal.Instant.compare(now, later) <= 0);
  assert.equal(now.epochNanoseconds % 1_000_000n, 0n);
});
