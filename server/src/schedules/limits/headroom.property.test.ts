import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMIT_PERIODS } from '../../banks/bank.ts';
import { type Frequency, stepOf } from '../terms/frequency.ts';
import { firstOccurrence, occurrence, type Series } from '../terms/occurrences.ts';
import { type Collection, firstRefusal, fits } from './headroom.ts';
import { BANK_TIME_ZONE } from './limit-window.ts';
import { controlParameters, limitsOf } from './limits.ts';

const AMOUNT_PENCE = 1_250;
const LONGEST = { daily: 365, weekly: 52, monthly: 12, quarterly: 4, yearly: 10 } as const;

const aTime = fc
  .integer({ min: 0, max: 1_439 })
  .map((minutes) => Temporal.PlainTime.from('00:00').add({ minutes }));

const aStart = fc
  .integer({ min: 0, max: 8 * 365 })
  .map((days) => Temporal.Instant.from('2024-01-01T00:00:00Z').add({ hours: 24 * days }));

function seriesFrom(
  frequency: Frequency,
  from: Temporal.Instant,
  timeOfDay = Temporal.PlainTime.from('09:00'),
  timeZone = 'Europe/London',
): Series {
  const firstAt = firstOccurrence(frequency, from, true, timeOfDay, timeZone);
  return { frequency, firstAt, timeZone, endAt: null, timeOfDay };
}

/** Returns the collections of this many years from occurrence `first` on, at most `most` of them. */
function collectionsOf(series: Series, first: number, years: number, most: number): Collection[] {
  const { unit, size } = stepOf(series.frequency);
  const count = Math.min(most, Math.ceil((years * (unit === 'days' ? 366 : 12)) / size));
  return Array.from({ length: count }, (_, k) => {
    const at = occurrence(series, first + k);
    assert.ok(at);
    return { at, amountPence: AMOUNT_PENCE };
  });
}

const LIMITS = [
  undefined,
  { perPaymentPence: 2 * AMOUNT_PENCE, perPeriodPence: null },
  { perPaymentPence: null, perPeriodPence: 9 * AMOUNT_PENCE },
  { perPaymentPence: 1, perPeriodPence: 1 },
];

function assertFits(series: Series, first: number, years: number, most: number): void {
  const collections = collectionsOf(series, first, years, most);
  const from = collections[0]?.at ?? series.firstAt;
  const params = controlParameters({ amountPence: AMOUNT_PENCE, series }, from);
  assert.ok(params.validFrom.equals(from));
  const refusal = fits(params, collections);
  assert.equal(refusal, null, refusal ? `${refusal.at.toString()}: ${refusal.reason}` : '');
}

test('every monthly, quarterly and yearly schedule fits its own consent for fifty years', () => {
  const from = Temporal.Instant.from('2026-01-15T00:00:00Z');
  for (const type of ['monthly', 'quarterly', 'yearly'] as const) {
    for (let interval = 1; interval <= LONGEST[type]; interval += 1) {
      for (const day of [1, 14, 15, 28, 29, 30, 31]) {
        const start = from.add({ hours: 24 * 31 * (interval % 3) });
        assertFits(seriesFrom({ type, day, interval }, start), interval, 50, 600);
      }
    }
  }
});

test('every daily and weekly schedule fits its own consent for 50 years or 500 collections', () => {
  const from = Temporal.Instant.from('2026-01-15T00:00:00Z');
  for (const [type, day] of [
    ['daily', null],
    ['weekly', 3],
  ] as const) {
    for (let interval = 1; interval <= LONGEST[type]; interval += 1) {
      assertFits(seriesFrom({ type, day, interval }, from), 0, 50, 500);
    }
  }
});

const aSeries = fc
  .constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly')
  .chain((type) =>
    fc.tuple(
      fc.record({
        type: fc.constant(type),
        day:
          type === 'daily'
            ? fc.constant(null)
            : fc.integer({ min: 1, max: type === 'weekly' ? 7 : 31 }),
        interval: fc.integer({ min: 1, max: LONGEST[type] }),
      }),
      aStart,
      aTime,
      fc.constantFrom('Europe/London', 'America/New_York'),
    ),
  )
  .map(([frequency, from, time, zone]) => seriesFrom(frequency, from, time, zone));

test('a schedule fits its own consent from any of its occurrences on, at any time of day', () => {
  fc.assert(
    fc.property(aSeries, fc.integer({ min: 0, max: 40 }), (series, first) => {
      assertFits(series, first, 25, 200);
      const at = occurrence(series, first);
      assert.ok(at);
      for (const limits of LIMITS) {
        const terms = { amountPence: AMOUNT_PENCE, series, ...(limits && { limits }) };
        const params = controlParameters(terms, at);
        assert.equal(firstRefusal(params, terms, at), null);
        const { perPaymentPence, periodType } = limitsOf(terms);
        assert.equal(params.maximumAmountPence, perPaymentPence);
        // Elsewhere an occurrence may change its day at the bank with the clocks, and a period that begins on it holds more.
        if (series.timeZone === BANK_TIME_ZONE)
          assert.equal(params.periodicLimits[0]?.periodType, periodType, 'whichever is the first');
      }
    }),
    { numRuns: 150 },
  );
});

test('whatever periods a bank takes, a schedule gets one of them, in which its own occurrences fit', () => {
  const taken = fc.subarray([...LIMIT_PERIODS], { minLength: 1 });
  fc.assert(
    fc.property(aSeries, fc.integer({ min: 0, max: 40 }), taken, (series, first, periods) => {
      const at = occurrence(series, first);
      assert.ok(at);
      for (const limits of LIMITS) {
        const terms = { amountPence: AMOUNT_PENCE, series, ...(limits && { limits }) };
        const params = controlParameters(terms, at, periods);
        assert.ok(periods.some((one) => one === params.periodicLimits[0]?.periodType));
        assert.equal(firstRefusal(params, terms, at), null);
      }
    }),
    { numRuns: 100 },
  );
});

test('no consent permits a fifth, or one payment, more a year than its schedule needs', () => {
  const from = Temporal.Instant.from('2026-01-15T00:00:00Z');
  const perYear = { Day: 366, Week: 52.2, Fortnight: 26.1, Month: 12, 'Half-year': 2, Year: 1 };
  for (const type of ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const) {
    for (let interval = 1; interval <= LONGEST[type]; interval += 1) {
      const day = type === 'daily' ? null : 4;
      const series = seriesFrom({ type, day, interval }, from);
      const params = controlParameters({ amountPence: AMOUNT_PENCE, series }, from);
      const [limit] = params.periodicLimits;
      assert.ok(limit);
      const permitted = (limit.amountPence / AMOUNT_PENCE) * perYear[limit.periodType];
      const { unit, size } = stepOf(series.frequency);
      const collected = (unit === 'days' ? 366 : 12) / size;
      assert.ok(permitted <= Math.max(collected * 1.2, collected + 1), `${type} ${interval}`);
    }
  }
});
