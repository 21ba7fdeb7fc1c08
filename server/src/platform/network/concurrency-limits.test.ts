import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { ConcurrencyLimits, mapInParallel } from './concurrency-limits.ts';

const never = (error: unknown): void => assert.fail(String(error));

/** A piece of work that ends on demand. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve, fail: reject };
}

test('a lane is full at its width, and only that lane', async () => {
  const lanes = new ConcurrencyLimits(2);
  const [a, b, c] = [work(), work(), work()];
  lanes.start('slow', a.run, never);
  assert.deepEqual(lanes.full(), []);
  lanes.start('slow', b.run, never);
  lanes.start('quick', c.run, never);
  assert.deepEqual(lanes.full(), ['slow']);
  assert.equal(lanes.size, 3);
  a.end();
  await new Promise(setImmediate);
  assert.deepEqual(lanes.full(), []);
  assert.equal(lanes.size, 2);
  b.end();
  c.end();
  await lanes.idle();
  assert.equal(lanes.size, 0);
});

test('what is started in a full lane waits for those before it', async () => {
  const lanes = new ConcurrencyLimits(1);
  const began: string[] = [];
  const pieces = ['first', 'second', 'third'].map((name) => ({ name, ...work() }));
  for (const { name, run } of pieces) {
    const begin = (): Promise<void> => {
      began.push(name);
      return run();
    };
    lanes.start('slow', begin, never);
  }
  assert.deepEqual([began, lanes.size, lanes.counts()], [['first'], 1, [['slow', 3]]]);
  assert.deepEqual([lanes.room('slow'), lanes.room('slow', 5)], [0, 2]);
  for (const { end } of pieces) end();
  await lanes.idle();
  assert.deepEqual(began, ['first', 'second', 'third']);
  assert.deepEqual(lanes.counts(), []);
});

test('what has waited goes on for whoever started it', async () => {
  const lanes = new ConcurrencyLimits(1);
  const starter = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const look = async (): Promise<void> => void seen.push(starter.getStore());
  for (const name of ['one', 'another']) starter.run(name, () => lanes.start('lane', look, never));
  await lanes.idle();
  assert.deepEqual(seen, ['one', 'another']);
});

test('work that fails says so and frees its lane', async () => {
  const lanes = new ConcurrencyLimits(1);
  const failures: unknown[] = [];
  const failing = work();
  lanes.start('bank', failing.run, (error) => void failures.push(error));
  failing.fail(new Error('down'));
  await lanes.idle();
  assert.deepEqual(lanes.full(), []);
  assert.equal(failures.length, 1);
});

test('work that fails before it begins frees its lane as well', async () => {
  const lanes = new ConcurrencyLimits(1);
  const failures: unknown[] = [];
  const atOnce = (): Promise<void> => {
    throw new Error('at once');
  };
  lanes.start('bank', atOnce, (error) => void failures.push(error));
  await lanes.idle();
  assert.deepEqual(lanes.full(), []);
  assert.equal(lanes.size, 0);
  assert.equal(failures.length, 1);
});

test('idle waits for all that was started, and not at all for nothing', async () => {
  const lanes = new ConcurrencyLimits(4);
  await lanes.idle();
  const [a, b] = [work(), work()];
  lanes.start('x', a.run, never);
  lanes.start('y', b.run, never);
  let isIdle = false;
  const idle = lanes.idle().then(() => {
    isIdle = true;
  });
  a.end();
  await new Promise(setImmediate);
  assert.equal(isIdle, false);
  b.end();
  await idle;
  assert.equal(isIdle, true);
});

test('a map in parallel keeps the order and never has more than its width under way', async () => {
  let underWay = 0;
  let most = 0;
  const items = Array.from({ length: 20 }, (_, n) => n);
  const results = await mapInParallel(items, 4, async (n) => {
    most = Math.max(most, ++underWay);
    for (let turn = n % 3; turn >= 0; turn--) await new Promise(setImmediate);
    underWay--;
    return n * n;
  });
  assert.deepEqual(
    results,
    items.map((n) => n * n),
  );
  assert.equal(most, 4);
  assert.deepEqual(await mapInParallel([], 4, async () => 1), []);
});

test('a map in parallel fails with the first failure', async () => {
  await assert.rejects(
    mapInParallel([1, 2, 3], 2, async (n) => {
      if (n === 2) throw new Error('two');
      return n;
    }),
    /two/,
  );
});
