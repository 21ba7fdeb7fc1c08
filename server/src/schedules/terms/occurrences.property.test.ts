import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Frequency, stepOf } from './frequency.ts';
import { firstIndexAfter, firstOccurrence, occurrence, type Series } from './occurrences.ts';

const YEARS = 50;
const LONGEST = { daily: 365, weekly: 52, monthly: 12, quarterly: 4, yearly: 10 } as const;
const RUNS = { numRuns: 2_000 };

const aZone = fc.constantFrom('Europe/London', 'America/New_York');

const aFrequency: fc.Arbitrary<Frequency> = fc
  .constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly')
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      day: type === 'daily' ? fc.constant(null) : fc.integer({ min: 1, max: lastDay(type) }),
      interval: fc.integer({ min: 1, max: LONGEST[type] }),
    }),
  );

/** Any minute of the day, with extra weight on the hours in which clocks change. */
const aTime = fc
  .oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 60, max: 179 }))
  .map((minutes) => Temporal.PlainTime.from('00:00').add({ minutes }));

const aStart = fc
  .integer({ min: 0, max: 8 * 365 * 1_440 })
  .map((minutes) => Temporal.Instant.from('2024-01-01T00:00:00Z').add({ minutes }));

const aSeries: fc.Arbitrary<Series & { timeOfDay: Temporal.PlainTime }> = fc
  .tuple(aFrequency, aStart, aTime, aZone)
  .map(([frequency, from, timeOfDay, timeZone]) => {
    const firstAt = firstOccurrence(frequency, from, true, timeOfDay, timeZone);
    return { frequency, firstAt, timeZone, endAt: null, timeOfDay };
  });

/** A series and an index within fifty years of its start. */
const aSeriesAndIndex = aSeries.chain((series) =>
  fc.tuple(fc.constant(series), fc.integer({ min: 0, max: indexAfterYears(series) })),
);

function lastDay(type: Frequency['type']): number {
  return type === 'weekly' ? 7 : 31;
}

function indexAfterYears({ frequency }: Series): number {
  const { unit, size } = stepOf(frequency);
  return Math.ceil((YEARS * (unit === 'days' ? 366 : 12)) / size);
}

function at(series: Series, n: number): Temporal.Instant {
  const found = occurrence(series, n);
  assert.ok(found);
  return found;
}

function local(series: Series, n: number): Temporal.ZonedDateTime {
  return at(series, n).toZonedDateTimeISO(series.timeZone);
}

/** Generates every day, interval and time that matters, by loops: nothing is left to chance. */
function* everyMonthlySeries(timeZone: string, time: string): Generator<Series> {
  for (let day = 1; day <= 31; day += 1) {
    for (let interval = 1; interval <= 12; interval += 1) {
      const from = Temporal.Instant.from('2026-01-15T00:00:00Z').add({ hours: 24 * day });
      const frequency: Frequency = { type: 'monthly', day, interval };
      const timeOfDay = Temporal.PlainTime.from(time);
      const firstAt = firstOccurrence(frequency, from, true, timeOfDay, timeZone);
      yield { frequency, firstAt, timeZone, endAt: null, timeOfDay };
    }
  }
}

test('for fifty years every monthly series has one occurrence in each of its months', () => {
  for (const series of everyMonthlySeries('Europe/London', '09:00')) {
    const { day, interval } = series.frequency;
    const start = local(series, 0).toPlainDate().toPlainYearMonth();
    for (let n = 0; n * interval < YEARS * 12; n += 1) {
      const when = local(series, n);
      const month = start.add({ months: n * interval });
      assert.ok(when.toPlainDate().toPlainYearMonth().equals(month));
      assert.equal(when.day, Math.min(day ?? 0, month.daysInMonth));
      assert.equal(when.hour, 9);
    }
  }
});

test('for fifty years a nightly series meets every clock change once and keeps its time', () => {
  for (const [timeZone, time] of [
    ['Europe/London', '01:30'],
    ['America/New_York', '02:30'],
  ] as const) {
    const timeOfDay = Temporal.PlainTime.from(time);
    const firstAt = Temporal.Instant.from(`2026-01-01T${time}:00${offsetOf(timeZone)}`);
    const frequency: Frequency = { type: 'daily', day: null, interval: 1 };
    const series: Series = { frequency, firstAt, timeZone, endAt: null, timeOfDay };
    let moved = 0;
    for (let n = 0; n < YEARS * 365; n += 1) {
      const when = local(series, n);
      assert.ok(when.toPlainDate().equals(Temporal.PlainDate.from('2026-01-01').add({ days: n })));
      if (when.toPlainTime().equals(timeOfDay)) continue;
      assert.ok(when.toPlainTime().equals(timeOfDay.add({ hours: 1 })));
      moved += 1;
    }
    assert.equal(moved, YEARS, timeZone);
  }
});

function offsetOf(timeZone: string): string {
  return timeZone === 'Europe/London' ? '+00:00' : '-05:00';
}

test('occurrences are strictly increasing', () => {
  fc.assert(
    fc.property(aSeriesAndIndex, ([series, n]) => {
      assert.ok(Temporal.Instant.compare(at(series, n), at(series, n + 1)) < 0);
    }),
    RUNS,
  );
});

test('occurrence n does not depend on the way to it', () => {
  fc.assert(
    fc.property(aSeriesAndIndex, fc.nat(), ([series, n], seed) => {
      // Restarting from any earlier occurrence, with the same day and time, changes nothing.
      const middle = seed % (n + 1);
      const restarted = { ...series, firstAt: at(series, middle) };
      assert.ok(at(restarted, n - middle).equals(at(series, n)));
    }),
    RUNS,
  );
});

test('the local time is the one asked for, except in the hour that the clocks leave out', () => {
  fc.assert(
    fc.property(aSeriesAndIndex, ([series, n]) => {
      const when = local(series, n);
      const asked = when.toPlainDate().toPlainDateTime(series.timeOfDay);
      const exists = asked.toZonedDateTime(series.timeZone).toPlainDateTime().equals(asked);
      const expected = exists ? series.timeOfDay : series.timeOfDay.add({ hours: 1 });
      assert.ok(when.toPlainTime().equals(expected));
    }),
    RUNS,
  );
});

test('the date is the asked day, or the last of a month that lacks it', () => {
  fc.assert(
    fc.property(aSeriesAndIndex, ([series, n]) => {
      const { type, day, interval } = series.frequency;
      const [from, when] = [local(series, 0), local(series, n)];
      if (type === 'daily' || type === 'weekly') {
        const days = interval * (type === 'weekly' ? 7 : 1);
        assert.ok(when.toPlainDate().equals(from.toPlainDate().add({ days: n * days })));
        if (type === 'weekly') assert.equal(when.dayOfWeek, day);
        return;
      }
      const months = (when.year - from.year) * 12 + when.month - from.month;
      assert.equal(months, n * interval * { monthly: 1, quarterly: 3, yearly: 12 }[type]);
      assert.equal(when.day, Math.min(day ?? 0, when.daysInMonth));
    }),
    RUNS,
  );
});

test('the first index after a moment is the one that a scan from the start finds', () => {
  const minutesInTenYears = 10 * 366 * 1_440;
  const offsets = fc.integer({ min: -1_000, max: minutesInTenYears });
  fc.assert(
    fc.property(aSeries, offsets, (series, minutes) => {
      const moment = series.firstAt.add({ minutes });
      let scanned = 0;
      while (Temporal.Instant.compare(at(series, scanned), moment) <= 0) scanned += 1;
      assert.equal(firstIndexAfter(series, moment), scanned);
    }),
    { numRuns: 300 },
  );
});

test('around any occurrence within fifty years the first index after changes exactly there', () => {
  fc.assert(
    fc.property(aSeriesAndIndex, ([series, n]) => {
      const moment = at(series, n);
      assert.equal(firstIndexAfter(series, moment.subtract({ nanoseconds: 1 })), n);
      assert.equal(firstIndexAfter(series, moment), n + 1);
    }),
    RUNS,
  );
});

test('the first occurrence is the first point of the finest lattice at or after the start', () => {
  fc.assert(
    fc.property(aSeries, aStart, (series, from) => {
      const { timeOfDay, timeZone } = series;
      const { type, day } = series.frequency;
      const isDays = stepOf(series.frequency).unit === 'days';
      const finest: Frequency = { type: isDays ? type : 'monthly', day, interval: 1 };
      const longBefore = from.subtract({ hours: 24 * 100 });
      const firstAt = firstOccurrence(finest, longBefore, true, timeOfDay, timeZone);
      const lattice = { ...series, frequency: finest, firstAt };
      const n = firstIndexAfter(lattice, from.subtract({ nanoseconds: 1 }));
      const found = firstOccurrence(series.frequency, from, true, timeOfDay, timeZone);
      assert.ok(found.equals(at(lattice, n)) || isSecondOfTwo(from, timeZone));
      const later = firstOccurrence(series.frequency, found, false, timeOfDay, timeZone);
      assert.ok(later.equals(at(lattice, firstIndexAfter(lattice, found))));
    }),
    RUNS,
  );
});

function isSecondOfTwo(moment: Temporal.Instant, timeZone: string): boolean {
  const wall = moment.toZonedDateTimeISO(timeZone).toPlainDateTime();
  return !wall.toZonedDateTime(timeZone).toInstant().equals(moment);
}
