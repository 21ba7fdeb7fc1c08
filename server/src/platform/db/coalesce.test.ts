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
