import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CreditLine, fitting } from './netted-lines.ts';

const line = (id: string, pence: number): CreditLine => ({ kind: 'refund_back', id, pence });
const ids = (lines: readonly CreditLine[]): string[] => lines.map(({ id }) => id);

test('lines are taken in order while their sum stays within the room', () => {
  const lines = [line('a', 60), line('b', 40), line('c', 1)];
  assert.deepEqual(ids(fitting(lines, 100)), ['a', 'b']);
  assert.deepEqual(ids(fitting(lines, 101)), ['a', 'b', 'c']);
  assert.deepEqual(ids(fitting(lines, 0)), []);
});

test('a line that does not fit keeps back none of those after it', () => {
  assert.deepEqual(ids(fitting([line('a', 60), line('b', 50), line('c', 40)], 100)), ['a', 'c']);
});
