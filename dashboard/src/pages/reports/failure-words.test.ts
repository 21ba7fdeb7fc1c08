import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { boundedWords, type Part, rateWords, risesOf } from './failure-words.ts';

const sum = (count: number) => ({ value: count * 100, count });
const rated = (due: number, failed: number) => ({
  due: sum(due),
  failed: sum(failed),
  failure_rate: due === 0 ? null : failed / due,
});
const outcomes = (due: number, failed: number) => ({
  ...rated(due, failed),
  recovered: sum(0),
  waiting: sum(0),
  lost: sum(failed),
  recovered_share: failed === 0 ? null : 0,
});
const part = (name: string, now: [number, number], before: [number, number]): Part => ({
  part: name,
  message: null,
  ...outcomes(...now),
  before: rated(...before),
});

const report: FailureReport = {
  currency: 'GBP',
  as_of: '2026-03-01T00:00:00Z',
  from: '2026-02-02',
  to: '2026-03-01',
  by: 'week',
  total: outcomes(200, 30),
  before: outcomes(100, 3),
  bounds: { amount: [0, 1_000, 2_500], age: [0, 31, 92, 366] },
  parts: {
    reason: [
      part('technical', [200, 26], [100, 1]),
      part('insufficient_funds', [200, 4], [100, 2]),
    ],
    bank: [part('northbank', [40, 25], [20, 1]), part('elm', [160, 5], [80, 2])],
    amount: [part('1', [200, 30], [100, 3])],
    age: [part('1', [100, 17], [50, 2]), part('2', [100, 13], [50, 1])],
  },
  periods: [],
  lines: [],
};

test('a rise is where most came from, one part of each split, and nowhere where fewer failed', () => {
  assert.deepEqual(
    risesOf(report).map(({ split, part: { part: name } }) => [split, name]),
    [
      ['reason', 'technical'],
      ['bank', 'northbank'],
      ['age', '1'],
    ],
  );
  assert.deepEqual(
    risesOf({ ...report, before: outcomes(0, 0) }),
    [],
    'there is nothing to rise from',
  );
  const fallen = { ...report, before: outcomes(100, 20) };
  assert.deepEqual(risesOf(fallen), [], 'fewer failed, though one bank is worse');
});

test('a rate stands beside what was due, and that of as many days before', () => {
  assert.equal(
    rateWords(report),
    '15% of 200 payments failed at least once; in the 28 days before it was 3% of 100.',
  );
  assert.equal(
    rateWords({ ...report, before: outcomes(0, 0) }),
    '15% of 200 payments failed at least once. None was due in the 28 days before.',
  );
  assert.equal(rateWords({ ...report, total: outcomes(0, 0) }), '');
});

test('parts of amounts and ages are named by their bounds', () => {
  const { amount, age } = report.bounds;
  assert.deepEqual(
    [1, 2, 3].map((place) => boundedWords('amount', place, amount)),
    ['Under £10', '£10 to £25', '£25 or more'],
  );
  assert.deepEqual(
    [1, 2, 3, 4].map((place) => boundedWords('age', place, age)),
    ['Under a month', 'a month to 3 months', '3 months to a year', 'a year or more'],
  );
});
