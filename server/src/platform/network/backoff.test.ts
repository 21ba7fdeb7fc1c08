import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterJitter, delayFrom, doublingDelay } from './backoff.ts';

const NOW = Temporal.Instant.fromEpochMilliseconds(0);

test('a list of delays is gone through in order, and its last one repeats', () => {
  const delays = [2, 5, 60] as const;
  assert.deepEqual(
    [0, 1, 2, 3, 4, 1000].map((tries) => delayFrom(delays, tries)),
    [2, 2, 5, 60, 60, 60],
  );
});

test('a doubling delay begins with the first, doubles, and never passes the longest', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 10_000].map((failures) => doublingDelay(30, 300, failures)),
    [30, 60, 120, 240, 300, 300],
  );
});

test('a wait is never shorter than asked for, and at most a quarter longer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3600 }), fc.string(), (seconds, name) => {
      const wait = afterJitter(NOW, seconds, name).epochMilliseconds / 1000;
      assert.ok(wait >= seconds && wait <= seconds * 1.25, String(wait));
    }),
  );
});

test('one name has one wait, and many names are spread over all of it', () => {
  const waits = Array.from(
    { length: 1000 },
    (_, n) => afterJitter(NOW, 100, `pay_${n} 3`).epochMilliseconds / 1000,
  );
  assert.deepEqual(
    waits,
    Array.from(
      { length: 1000 },
      (_, n) => afterJitter(NOW, 100, `pay_${n} 3`).epochMilliseconds / 1000,
    ),
  );
  for (let from = 100; from < 125; from += 2.5) {
    const within = waits.filter((wait) => wait >= from && wait < from + 2.5).length;
    assert.ok(within > 50 && within < 150, `${within} of 1000 between ${from} and ${from + 2.5}`);
  }
});
