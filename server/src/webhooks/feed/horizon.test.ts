import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance, type Horizon } from './horizon.ts';

const waiting: Horizon = {
  server: 'one',
  settled: 3,
  waiting: { position: 9, transaction: 100n },
};
const look = (oldestTransaction: bigint, server = 'one') => ({
  server,
  position: 12,
  oldestTransaction,
});

test('a position is settled once every transaction that could have taken one up to it has ended', () => {
  assert.deepEqual(advance(waiting, look(99n)), waiting);
  assert.deepEqual(advance(waiting, look(100n)), waiting);
  assert.deepEqual(advance(waiting, look(101n)), { server: 'one', settled: 9, waiting: null });
});

test('what was settled stays settled while there is nothing to wait for', () => {
  const settled = { server: 'one', settled: 9, waiting: null };
  assert.deepEqual(advance(settled, look(200n)), settled);
});

test('a process that has not looked yet, or a server that was started again, begins with nothing', () => {
  const nothing = { server: 'two', settled: 0, waiting: null };
  assert.deepEqual(advance(null, look(200n, 'two')), nothing);
  assert.deepEqual(advance(waiting, look(200n, 'two')), nothing);
});
