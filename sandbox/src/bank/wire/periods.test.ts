import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PERIOD_TYPES, type PeriodicLimit, periodAt } from './periods.ts';

const day = (text: string) => Temporal.PlainDate.from(text);

function limit(
  type: PeriodicLimit['type'],
  alignment: PeriodicLimit['alignment'],
  amountPence: number,
): PeriodicLimit {
  return { type, alignment, amountPence };
}

const ORACLES: [string, PeriodicLimit, string, string, string, number][] = [
  [
    '£31 a calendar month from 15 October',
    limit('Month', 'Calendar', 3100),
    '2025-10-15',
    '2025-10-15',
    '2025-10-31',
    1700,
  ],
  [
    '£300 a calendar month from 6 June',
    limit('Month', 'Calendar', 30_000),
    '2021-06-06',
    '2021-06-06',
    '2021-06-30',
    25_000,
  ],
  [
    '£500 a calendar year from 6 June',
    limit('Year', 'Calendar', 50_000),
    '2021-06-06',
    '2021-06-06',
    '2021-12-31',
    28_630,
  ],
  [
    '£500 a month from the consent on 5 June',
    limit('Month', 'Consent', 50_000),
    '2021-06-05',
    '2021-06-05',
    '2021-07-04',
    50_000,
  ],
  [
    '£20 a calendar month from 25 October, never rounded up',
    limit('Month', 'Calendar', 2000),
    '2026-10-25',
    '2026-10-25',
    '2026-10-31',
    451,
  ],
];

for (const [name, one, anchor, from, to, allowedPence] of ORACLES) {
  test(`First period: ${name}`, () => {
    const period = periodAt(one, day(anchor), day(anchor));
    assert.equal(String(period.from), from);
    assert.equal(String(period.to), to);
    assert.equal(period.allowedPence, allowedPence);
  });
}

test('Monthly windows that start on the 31st clamp to the month end and come back', () => {
  const anchor = day('2026-01-31');
  const starts = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'];
  for (const start of starts) {
    const period = periodAt(limit('Month', 'Consent', 100), anchor, day(start));
    assert.equal(String(period.from), start);
  }
  const lastOfJanuary = periodAt(limit('Month', 'Consent', 100), anchor, day('2026-02-27'));
  assert.equal(String(lastOfJanuary.from), '2026-01-31');
});

test('A yearly window that starts on 29 February starts on 28 February in other years', () => {
  const period = periodAt(limit('Year', 'Consent', 100), day('2024-02-29'), day('2025-02-28'));
  assert.equal(String(period.from), '2025-02-28');
  assert.equal(String(period.to), '2026-02-27');
});

test('Calendar weeks run from Monday to Sunday, half-years from January and July', () => {
  const anchor = day('2026-01-01');
  const week = periodAt(limit('Week', 'Calendar', 700), anchor, day('2026-12-02'));
  assert.deepEqual([String(week.from), String(week.to)], ['2026-11-30', '2026-12-06']);
  const half = periodAt(limit('Half-year', 'Calendar', 700), anchor, day('2026-07-01'));
  assert.deepEqual([String(half.from), String(half.to)], ['2026-07-01', '2026-12-31']);
});

test('A day before the consent belongs to no period', () => {
  assert.throws(
    () => periodAt(limit('Day', 'Consent', 100), day('2026-01-02'), day('2026-01-01')),
    RangeError,
  );
});

const anyLimit = fc
  .record({
    type: fc.constantFrom(...PERIOD_TYPES),
    alignment: fc.constantFrom('Consent' as const, 'Calendar' as const),
    amountPence: fc.integer({ min: 1, max: 10 ** 15 }),
  })
  .filter((one) => one.type !== 'Fortnight' || one.alignment === 'Consent');
const anyAnchor = fc.integer({ min: 0, max: 2000 }).map((days) => day('2024-01-01').add({ days }));

test('Every day lies in exactly one period, periods follow without a gap, and none allows more', () => {
  fc.assert(
    fc.property(anyLimit, anyAnchor, fc.integer({ min: 0, max: 4000 }), (one, anchor, days) => {
      const at = anchor.add({ days });
      const period = periodAt(one, anchor, at);
      assert.ok(Temporal.PlainDate.compare(period.from, at) <= 0);
      assert.ok(Temporal.PlainDate.compare(at, period.to) <= 0);
      assert.ok(period.allowedPence <= one.amountPence);
      const next = periodAt(one, anchor, period.to.add({ days: 1 }));
      assert.ok(next.from.equals(period.to.add({ days: 1 })));
      assert.equal(next.allowedPence, one.amountPence);
      assert.ok(periodAt(one, anchor, period.from).to.equals(period.to));
    }),
    { numRuns: 300 },
  );
});
