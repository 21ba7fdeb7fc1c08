// Slow: runs two processes through many interleavings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlap } from '../../simulation/overlap.ts';

// A few rounds; `npm run simulate -- --overlap` runs as many as wanted.
const ROUNDS = 8;

test('every law holds while two processes overlap on one database, wherever they stand still', async () => {
  const { broken, rounds } = await overlap({ seed: 'spring', rounds: ROUNDS });
  assert.equal(broken, null, JSON.stringify(broken));
  assert.equal(rounds, ROUNDS);
});
