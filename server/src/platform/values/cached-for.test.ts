import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cachedFor } from './cached-for.ts';

test('callers share a call in progress, and its result until its time is over', async () => {
  let made = 0;
  const count = cachedFor(20, async () => ++made);
  assert.deepEqual(await Promise.all([count(), count()]), [1, 1]);
  await sleep(30);
  assert.equal(await count(), 2);
  const long = cachedFor(60_000, async () => ++made);
  assert.deepEqual([await long(), await long()], [3, 3]);
});

test('a call that fails is made again by the next caller', async () => {
  let made = 0;
  const fail = cachedFor(60_000, async () => {
    if (++made === 1) throw new Error('gone');
    return made;
  });
  await assert.rejects(fail(), /gone/);
  assert.equal(await fail(), 2);
});
