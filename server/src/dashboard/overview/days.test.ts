import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DayRow, fillDays, successRate, totalOf } from './days.ts';

const day = (date: string): Temporal.PlainDate => Temporal.PlainDate.from(date);
const NOTHING = { value: 0, count: 0 };

test('every day is there, the oldest first, those without anything too', () => {
  const rows: DayRow[] = [
    { day: day('2026-03-01'), what: 'collected', value: 300, count: 3 },
    { day: day('2026-03-01'), what: 'failed', value: 100, count: 1 },
    { day: day('2026-02-28'), what: 'settled', value: 900, count: 1 },
    { day: day('2026-02-26'), what: 'settled', value: 7, count: 1 },
  ];
  assert.deepEqual(fillDays(rows, day('2026-02-27'), day('2026-03-01')), [
    { date: '2026-02-27', collected: NOTHING, failed: NOTHING, settled: NOTHING },
    {
      date: '2026-02-28',
      collected: NOTHING,
      failed: NOTHING,
      settled: { value: 900, count: 1 },
    },
    {
      date: '2026-03-01',
      collected: { value: 300, count: 3 },
      failed: { value: 100, count: 1 },
      settled: NOTHING,
    },
  ]);
});

test('sums add up, and the success rate is of what has ended', () => {
  assert.deepEqual(totalOf([]), NOTHING);
  assert.deepEqual(
    totalOf([
      { value: 1, count: 1 },
      { value: 5, count: 2 },
    ]),
    { value: 6, count: 3 },
  );
  assert.equal(successRate({ value: 0, count: 3 }, { value: 0, count: 1 }), 0.75);
  assert.equal(successRate(NOTHING, { value: 0, count: 1 }), 0);
  assert.equal(successRate(NOTHING, NOTHING), null);
});
