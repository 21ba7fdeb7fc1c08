import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SealCounts } from './seal-counts.ts';
import { makeVault } from './vault.ts';

test('seals are counted for each key, and what is taken is counted no more', () => {
  const counts = new SealCounts();
  counts.add('k1');
  counts.add('k2', 5);
  counts.add('k1');
  assert.deepEqual(
    [...counts.take()],
    [
      ['k1', 2],
      ['k2', 5],
    ],
  );
  assert.deepEqual([...counts.take()], []);
});

test('a vault counts what it seals under its first key, and nothing else', () => {
  const keys = new Map([
    ['k2', Buffer.alloc(32, 2)],
    ['k1', Buffer.alloc(32, 1)],
  ]);
  const vault = makeVault(keys, Buffer.alloc(32, 3));
  const before = makeVault(new Map([...keys].reverse()), Buffer.alloc(32, 3));
  const sealed = vault.seal('one', 'c');
  vault.seal('two', 'c');
  vault.open(sealed, 'c');
  vault.open(before.seal('old', 'c'), 'c');
  vault.index('+44', 'c');
  vault.sign('cookie', 'c');
  assert.deepEqual([...vault.seals.take()], [['k2', 2]]);
  assert.deepEqual([...before.seals.take()], [['k1', 1]]);
});
