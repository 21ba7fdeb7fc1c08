import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  allowance,
  allowedInWindow,
  type PeriodicLimit,
  type PeriodType,
  periodIndex,
  windowOf,
} from './limit-window.ts';

function limit(
  periodType: PeriodType,
  alignment: PeriodicLimit['alignment'],
  amountPence = 3_100,
): PeriodicLimit {
  return { periodType, alignment, amountPence };
}

function noonOn(date: string): Temporal.Instant {
  return Temporal.Instant.from(`${date}T12:00:00Z`);
}

function window(of: PeriodicLimit, validFrom: string, at: string): string {
  const { start, end } = windowOf(of, noonOn(validFrom), noonOn(at));
  return `${start.toString()} to ${end.toString()}`;
}

test('the first calendar period is pro-rated by its remaining days, rounded down', () => {
  const oracles = [
    ['Month', 3_100, '2025-10-15', '2025-10-31', 1_700],
    ['Month', 30_000, '2021-06-06', '2021-06-30', 25_000],
    ['Year', 50_000, '2021-06-06', '2021-12-31', 28_630],
    ['Month', 2_000, '2026-10-25', '2026-10-31', 451],
  ] as const;
  for (const [periodType, amountPence, validFrom, end, allowed] of oracles) {
    const of = limit(periodType, 'Calendar', amountPence);
    assert.equal(windowOf(of, noonOn(validFrom), noonOn(validFrom)).end.toString(), end);
    assert.equal(allowedInWindow(of, noonOn(validFrom), noonOn(validFrom)), allowed);
    assert.equal(allowedInWindow(of, noonOn(validFrom), noonOn(end)), allowed);
    const next = Temporal.PlainDate.from(end).add({ days: 1 }).toString();
    assert.equal(allowedInWindow(of, noonOn(validFrom), noonOn(next)), amountPence);
  }
});

test('a consent-aligned period is always allowed in full', () => {
  const of = limit('Month', 'Consent', 50_000);
  assert.equal(window(of, '2021-06-05', '2021-06-20'), '2021-06-05 to 2021-07-04');
  assert.equal(window(of, '2021-06-05', '2021-07-05'), '2021-07-05 to 2021-08-04');
  assert.equal(allowedInWindow(of, noonOn('2021-06-05'), noonOn('2021-06-05')), 50_000);
});

test('nothing is allowed in a period that ends before the consent is valid', () => {
  for (const alignment of ['Consent', 'Calendar'] as const) {
    const of = limit('Month', alignment);
    assert.equal(allowedInWindow(of, noonOn('2026-03-15'), noonOn('2026-02-10')), 0);
  }
});

test('months are counted from the start of the consent: a short one causes no drift', () => {
  const of = limit('Month', 'Consent');
  assert.equal(window(of, '2026-01-31', '2026-02-27'), '2026-01-31 to 2026-02-27');
  assert.equal(window(of, '2026-01-31', '2026-02-28'), '2026-02-28 to 2026-03-30');
  assert.equal(window(of, '2026-01-31', '2026-04-01'), '2026-03-31 to 2026-04-29');
});

test('calendar periods start on Monday, or on the first of the month, half-year or year', () => {
  const at = '2026-08-19';
  const spans = [
    ['Day', '2026-08-19 to 2026-08-19'],
    ['Week', '2026-08-17 to 2026-08-23'],
    ['Month', '2026-08-01 to 2026-08-31'],
    ['Half-year', '2026-07-01 to 2026-12-31'],
    ['Year', '2026-01-01 to 2026-12-31'],
  ] as const;
  for (const [periodType, span] of spans) {
    assert.equal(window(limit(periodType, 'Calendar'), '2026-03-15', at), span);
  }
  assert.throws(() => window(limit('Fortnight', 'Calendar'), '2026-03-15', at), RangeError);
});

test('the time of day plays no part, and the day is that of London', () => {
  const of = limit('Day', 'Consent');
  const validFrom = Temporal.Instant.from('2026-07-01T20:00:00Z');
  const early = windowOf(of, validFrom, Temporal.Instant.from('2026-07-01T23:30:00Z'));
  assert.equal(early.start.toString(), '2026-07-02');
  const inNewYork = windowOf(of, validFrom, validFrom, 'America/New_York');
  assert.equal(inNewYork.start.toString(), '2026-07-01');
});

test('every day lies in exactly one period, and the periods follow on each other', () => {
  const types = ['Day', 'Week', 'Fortnight', 'Month', 'Half-year', 'Year'] as const;
  const aDate = fc
    .integer({ min: 0, max: 50 * 365 })
    .map((days) => Temporal.PlainDate.from('2024-01-01').add({ days }));
  const alignments = ['Consent', 'Calendar'] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.constantFrom(...alignments),
      aDate,
      aDate,
      (periodType, alignment, anchor, date) => {
        if (periodType === 'Fortnight' && alignment === 'Calendar') return;
        const of = limit(periodType, alignment);
        const [validFrom, at] = [noonOn(anchor.toString()), noonOn(date.toString())];
        const { start, end } = windowOf(of, validFrom, at);
        assert.ok(Temporal.PlainDate.compare(start, date) <= 0);
        assert.ok(Temporal.PlainDate.compare(date, end) <= 0);
        const next = end.add({ days: 1 });
        assert.ok(windowOf(of, validFrom, noonOn(next.toString())).start.equals(next));
        if (alignment === 'Calendar') return;
        const index = periodIndex(periodType, anchor, date);
        assert.equal(periodIndex(periodType, anchor, next), index + 1);
        if (date.equals(anchor)) assert.equal(index, 0);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a consent that begins on the last day of a period has that day’s part of it', () => {
  const limit = { periodType: 'Month', alignment: 'Calendar', amountPence: 3_100 } as const;
  const allowed = (validFrom: string): number => {
    const from = Temporal.Instant.from(validFrom);
    return allowance(limit, from, from).allowedPence;
  };
  assert.equal(allowed('2026-05-31T10:00:00Z'), 100);
  assert.equal(allowed('2026-05-30T10:00:00Z'), 200);
  assert.equal(allowed('2026-05-01T10:00:00Z'), 3_100);
});
