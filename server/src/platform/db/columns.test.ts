import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byColumn, columns, columnsOf } from './columns.ts';

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

test('fields of a row go back under the names of their columns, without those that are not asked for', () => {
  const row = { merchantId: 'mer_1', dueAt: 'now', name: 'a' };
  assert.deepEqual(byColumn(row, ['merchant_id', 'name', 'secret']), {
    merchant_id: 'mer_1',
    name: 'a',
  });
});

test('each column gets the alias of its table', () => {
  assert.equal(columnsOf('t', 'id, made_by,\n  name'), 't.id, t.made_by,\n  t.name');
});
