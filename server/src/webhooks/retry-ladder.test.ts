import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTry } from './retry-ladder.ts';

test('one first delivery and five retries, 1, 5, 15, 30 and 60 minutes after each failure', () => {
  const at = Temporal.Instant.from('2026-03-29T00:30:00.250Z');
  const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => {
    const next = nextTry(failures, at);
    return next === null ? null : next.since(at).total('minutes');
  });
  assert.deepEqual(waits, [1, 5, 15, 30, 60, null, null]);
});
