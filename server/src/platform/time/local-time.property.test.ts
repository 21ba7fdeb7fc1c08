import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addMonths,
  dateOfDay,
  dayOf,
  dayOfWeek,
  instantOf,
  localTimeOf,
  monthsBetween,
  msOfTime,
} from './local-time.ts';

const RUNS = { numRuns: 3_000 };

/** Clocks that change by an hour, by half of one, twice a year and in Ramadan, never; and one that lost a whole day. */
const aZone = fc.constantFrom(
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Pacific/Apia',
  'UTC',
);

const aDate = fc
  .integer({ min: -40 * 366, max: 150 * 366 })
  .map((days) => Temporal.PlainDate.from('2026-01-01').add({ days }));

/** Any minute of the day, with extra weight on the hours in which clocks change. */
const aTime = fc
  .oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 200 }))
  .map((minutes) => Temporal.PlainTime.from('00:00').add({ minutes }));

/** Dates on which a zone changes its clocks, and the days beside them. */
const aChange = fc
  .tuple(aDate, aZone, fc.integer({ min: -1, max: 1 }))
  .map(([date, timeZone, days]) => {
    const next = date.toZonedDateTime(timeZone).getTimeZoneTransition('next');
    return { timeZone, date: (next?.toPlainDate() ?? date).add({ days }) };
  });

const aDayInAZone = fc.oneof(fc.record({ timeZone: aZone, date: aDate }), aChange);

test('a wall-clock time is the instant that Temporal says, at each change of the clocks too', () => {
  fc.assert(
    fc.property(aDayInAZone, aTime, ({ timeZone, date }, time) => {
      const expected = date.toZonedDateTime({ timeZone, plainTime: time }).toInstant();
      const at = instantOf({ day: dayOf(date), ms: msOfTime(time) }, timeZone);
      assert.equal(at.toString(), expected.toString());
      const local = localTimeOf(at, timeZone);
      const zoned = expected.toZonedDateTimeISO(timeZone);
      assert.equal(dateOfDay(local.day).toString(), zoned.toPlainDate().toString());
      assert.equal(local.ms, msOfTime(zoned.toPlainTime()));
    }),
    RUNS,
  );
});

test('days, weeks and months count as those of Temporal', () => {
  const wanted = fc.option(fc.integer({ min: 1, max: 31 }), { nil: null });
  fc.assert(
    fc.property(aDate, fc.integer({ min: -30, max: 1_200 }), wanted, (date, months, day) => {
      const moved = date.add({ months });
      const expected = moved.with({ day: day ?? moved.day }, { overflow: 'constrain' });
      assert.equal(addMonths(dayOf(date), months, day), dayOf(expected));
      assert.equal(dayOfWeek(dayOf(date)), date.dayOfWeek);
      assert.equal(dateOfDay(dayOf(date)).toString(), date.toString());
      const apart = (expected.year - date.year) * 12 + expected.month - date.month;
      assert.equal(monthsBetween(dayOf(date), dayOf(expected)), apart);
    }),
    RUNS,
  );
});
