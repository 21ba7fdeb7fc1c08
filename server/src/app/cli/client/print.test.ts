import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLines } from './print.ts';

const WIDE = 80;

test('an object is a line for each field that has a value, with those of objects within it', () => {
  const lines = answerLines(
    {
      id: 'mer_1',
      amount: { value: -4950, currency: 'GBP' },
      is_live: false,
      suspended: { by: 'Robin', reason: 'two\nlines' },
      ended_at: null,
      roles: ['support', 'payments'],
      fees: [{ fixed: 5, from: 'May' }],
    },
    WIDE,
  );
  assert.deepEqual(lines, [
    'id                mer_1',
    'amount            -£49.50',
    'is_live           no',
    'suspended.by      Robin',
    'suspended.reason  two',
    '                  lines',
    'roles             support, payments',
    'fees:',
    '  FIXED  FROM',
    '  5      May',
  ]);
});

test('a list that was cut short without a count says that more match', () => {
  const data = [{ id: 'a' }];
  assert.deepEqual(answerLines({ data, has_more: false }, WIDE), ['ID', 'a']);
  assert.equal(
    answerLines({ data, has_more: true }, WIDE).at(-1),
    'more match: search for more of what you know',
  );
});

test('a list is a table, and says how much of it is not shown', () => {
  const data = [
    { id: 'a', teams: [{ merchant: 'mer_1', role: 'owner' }] },
    { id: 'bcd', note: 'late' },
  ];
  assert.deepEqual(answerLines({ data, total: 9 }, WIDE), [
    'ID   TEAMS        NOTE',
    'a    mer_1 owner',
    'bcd               late',
    '2 of 9: --offset and --limit show others',
  ]);
  assert.deepEqual(answerLines({ data: [], total: 0 }, WIDE), ['nothing']);
});

test('a list that is wider than the terminal is a block for each of its objects', () => {
  const data = [{ id: 'a', name: 'long '.repeat(5).trim() }, { id: 'b' }];
  assert.deepEqual(answerLines({ data, total: 2 }, 20), [
    'id    a',
    'name  long long long long long',
    '',
    'id  b',
  ]);
});
