import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDaysBefore, monthFrom, planWords } from './calendar-words.ts';

const sum = (value: number, count = value === 0 ? 0 : 1) => ({ value, count });
const pounds = (pence: number): string => `£${pence / 100}`;
const NOTHING = {
  planned: sum(0),
  collected: sum(0),
  waiting: sum(0),
  failed: sum(0),
  coming: sum(0),
  settled: sum(0),
};

test('the next month after December is January of the next year', () => {
  assert.deepEqual([monthFrom('2026-12', 1), monthFrom('2026-01', -1)], ['2027-01', '2025-12']);
});

test('weeks begin on Monday', () => {
  assert.deepEqual(['2026-11-30', '2026-12-01', '2026-11-29'].map(emptyDaysBefore), [0, 1, 6]);
});

test('a month is said as a sum that adds up, without parts of nothing', () => {
  const month = { ...NOTHING, planned: sum(900), collected: sum(600), failed: sum(300) };
  assert.equal(planWords(month, pounds), 'Planned: £9 (£6 collected, £3 failed).');
  assert.equal(
    planWords({ ...month, settled: sum(500) }, pounds),
    'Planned: £9 (£6 collected, £3 failed). Paid out: £5.',
  );
});

test('a month without payments says so, and what was paid out of the month before', () => {
  assert.equal(planWords(NOTHING, pounds), 'Nothing is due in this month.');
  assert.equal(
    planWords({ ...NOTHING, settled: sum(500) }, pounds),
    'Nothing is due in this month; £5 was paid out.',
  );
});
