import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameColumns, shownKeys } from './columns.ts';

const COLUMNS = [
  { key: 'amount' },
  { key: 'status' },
  { key: 'due' },
  { key: 'id', isExtra: true },
];

test('without a choice, or with one that names nothing known, the usual columns are shown', () => {
  for (const named of ['', 'nothing', ',,'])
    assert.deepEqual(shownKeys(COLUMNS, named), ['amount', 'status', 'due']);
  assert.equal(nameColumns(COLUMNS, ['due', 'status', 'amount']), '');
});

test('the columns named are shown in the table’s order, with the first one always', () => {
  assert.deepEqual(shownKeys(COLUMNS, 'id,status,gone'), ['amount', 'status', 'id']);
});

test('every choice that the address names is read back as it was', () => {
  fc.assert(
    fc.property(fc.subarray(['status', 'due', 'id']), (others) => {
      const shown = ['amount', ...others];
      assert.deepEqual(shownKeys(COLUMNS, nameColumns(COLUMNS, shown)), shown);
    }),
  );
});
