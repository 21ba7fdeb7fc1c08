import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthWords, rangeWords } from './report-words.ts';

test('a month is said in words, and what is no month as it stands in the address', () => {
  assert.equal(monthWords('2026-03'), 'March 2026');
  for (const wrong of ['2026-13', 'march', '2026-03-01']) assert.equal(monthWords(wrong), wrong);
});

test('a range names once what its ends share', () => {
  assert.equal(rangeWords('2026-03-02', '2026-03-02'), '2 Mar 2026');
  assert.match(rangeWords('2026-03-02', '2026-03-08'), /^2\s?–\s?8 Mar 2026$/);
  assert.match(rangeWords('2026-02-23', '2026-03-01'), /^23 Feb\s?–\s?1 Mar 2026$/);
  assert.match(rangeWords('2025-12-29', '2026-01-04'), /^29 Dec 2025\s?–\s?4 Jan 2026$/);
});
