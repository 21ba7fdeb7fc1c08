import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { coalesce } from './coalesce.ts';

const itself = (item: string): string => item;

test('what is asked for in one turn of the event loop is done together, and what comes meanwhile after it', async () => {
  const batches: (readonly string[])[] = [];
  const first = Promise.withResolvers<void>();
  const call = coalesce(10, itself, async (items) => {
    batches.push(items);
    if (batches.length === 1) await first.promise;
  });
  const all = ['a', 'b'].map(call);
  await turn();
  all.push(call('c'), call('d'));
  await turn();
  assert.deepEqual(batches, [['a', 'b']]);
  first.resolve();
  await Promise.all(all);
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('after a batch of several items the next one gathers, and after a single one it does not', async () => {
  const batches: (readonly string[])[] = [];
  let running = Promise.withResolvers<void>();
  const call = coalesce(
    10,
    itself,
    async (items) => {
      batches.push(items);
      await running.promise;
    },
    200,
  );
  const all = ['a', 'b', 'c', 'd'].map(call);
  await turn();
  all.push(call('e'));
  running.resolve();
  await all[0];
  all.push(call('f'));
  await Promise.all(all);
  assert.deepEqual(batches, [
    ['a', 'b', 'c', 'd'],
    ['e', 'f'],
  ]);
  running = Promise.withResolvers<void>();
  const alone = [call('g')];
  await turn();
  alone.push(call('h'));
  running.resolve();
  await alone[0];
  alone.push(call('i'));
  await Promise.all(alone);
  assert.deepEqual(batches.slice(2), [['g'], ['h'], ['i']]);
});

test('a batch has at most so many items, and one of each key', async () => {
  const batches: (readonly string[])[] = [];
  const call = coalesce(2, itself, async (items) => {
    batches.push(items);
  });
  await Promise.all(['a', 'a', 'b', 'c'].map(call));
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['a', 'c'],
  ]);
});

test('each caller learns of the error of its own batch', async () => {
  const call = coalesce(1, itself, async ([item]) => {
    if (item === 'bad') throw new Error('cannot do bad');
  });
  const settled = await Promise.allSettled(['good', 'bad', 'next'].map(call));
  assert.deepEqual(
    settled.map((one) => one.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
