import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isolateFailures } from './isolate-failures.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('what can be done is done once, in order, and only what cannot fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(60)), fc.nat(60), async (bad, count) => {
      const failed: number[] = [];
      const done = await isolateFailures(
        numbers(count),
        async (some) => {
          if (some.some((n) => bad.includes(n))) throw new Error('one of these');
          return [...some];
        },
        (n) => void failed.push(n),
      );
      assert.deepEqual(
        done,
        numbers(count).filter((n) => !bad.includes(n)),
      );
      assert.deepEqual(
        failed,
        numbers(count).filter((n) => bad.includes(n)),
      );
    }),
  );
});

test('one bad item among 500 costs some twenty tries and not 500', async () => {
  let tries = 0;
  await isolateFailures(
    numbers(500),
    async (some) => {
      tries += 1;
      if (some.includes(321)) throw new Error('this one');
      return [];
    },
    () => undefined,
  );
  assert.ok(tries < 22, String(tries));
});

test('a database that cannot be asked is nobody’s fault: it is asked once', async () => {
  let tries = 0;
  const gone = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  const never = (): void => assert.fail('no item failed');
  await assert.rejects(
    isolateFailures(
      numbers(500),
      async () => {
        tries += 1;
        throw gone;
      },
      never,
    ),
    gone,
  );
  assert.equal(tries, 1);
});

test('nothing to do is not done', async () => {
  assert.deepEqual(
    await isolateFailures(
      [],
      async () => assert.fail('work'),
      () => assert.fail('failed'),
    ),
    [],
  );
});
