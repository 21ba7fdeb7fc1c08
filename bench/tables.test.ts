import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentWithTables } from './tables.ts';

test('the tables of the results say what the results say', () => {
  const { stands, filled } = documentWithTables();
  assert.equal(stands, filled, 'run: npm run plots');
});
