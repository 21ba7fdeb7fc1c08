import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withJitter } from './jitter.ts';

test('a wait is never shorter than asked for, and at most a quarter longer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3600 }), fc.string(), (seconds, name) => {
      const wait = withJitter(seconds, name).total('seconds');
      assert.ok(wait >= seconds && wait <= seconds * 1.25, String(wait));
    }),
  );
});

test('one name has one wait, and many names are spread over all of it', () => {
  const waits = Array.from({ length: 1000 }, (_, n) =>
    withJitter(100, `pay_${n} 3`).total('seconds'),
  );
  assert.deepEqual(
    waits,
    Array.from({ length: 1000 }, (_, n) => withJitter(100, `pay_${n} 3`).total('seconds')),
  );
  for (let from = 100; from < 125; from += 2.5) {
    const within = waits.filter((wait) => wait >= from && wait < from + 2.5).length;
    assert.ok(within > 50 && within < 150, `${within} of 1000 between ${from} and ${from + 2.5}`);
  }
});
