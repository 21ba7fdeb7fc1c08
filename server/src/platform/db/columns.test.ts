import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asFields, columns, columnsOf } from './columns.ts';

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

test('columns are named as fields, and those whose names are the same stay as they are', () => {
  assert.equal(
    asFields('name, made_by, k.last_used_at'),
    'name, made_by AS "madeBy", k.last_used_at AS "lastUsedAt"',
  );
  assert.equal(asFields('o.name,\n  o.operator_id'), 'o.name, o.operator_id AS "operatorId"');
});

test('each column gets the alias of its table', () => {
  assert.equal(columnsOf('t', 'id, made_by,\n  name'), 't.id, t.made_by,\n  t.name');
});
