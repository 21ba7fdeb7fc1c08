import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns } from './columns.ts';

test('rows become one array for each named column, in the order of the names', () => {
  const rows = [
    { id: 'a', at: 1, left: true },
    { id: 'b', at: 2, left: false },
  ];
  assert.deepEqual(columns(rows, 'at', 'id'), [
    [1, 2],
    ['a', 'b'],
  ]);
  assert.deepEqual(columns(rows.slice(0, 0), 'at', 'id'), [[], []]);
});
