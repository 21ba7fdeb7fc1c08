import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './moves.ts';

test('nobody guesses before a move has shown how long it takes', () => {
  assert.equal(timeLeft(0, 60_000), '');
  assert.equal(timeLeft(0.5, 2_999), '');
});

test('what is left is told in steps of five seconds, then in minutes', () => {
  assert.equal(timeLeft(0.9, 9_000), 'Almost there.');
  assert.equal(timeLeft(0.5, 5_000), 'Almost there.');
  assert.equal(timeLeft(0.5, 6_000), 'About 10 seconds left.');
  assert.equal(timeLeft(0.5, 89_000), 'About 90 seconds left.');
  assert.equal(timeLeft(0.5, 90_000), 'About 2 minutes left.');
  assert.equal(timeLeft(0.1, 60_000), 'About 9 minutes left.');
});
