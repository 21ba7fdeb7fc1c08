import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBusinessDay } from '../../platform/time/calendar.ts';
import { firstRefusal, fits } from '../limits/headroom.ts';
import { controlParameters } from '../limits/limits.ts';
import type { Frequency } from './frequency.ts';
import {
  firstIndexAfter,
  firstOccurrence,
  occurrence,
  type Series,
  upcoming,
} from './occurrences.ts';
import { planSeries } from './plan.ts';
import { nonWorkingDayErrors } from './working-day.ts';

const LONDON = 'Europe/London';
const LOOKED_AT = 120;

const aFrequency: fc.Arbitrary<Frequency> = fc.oneof(
  fc.record({
    type: fc.constant('weekly' as const),
    day: fc.integer({ min: 1, max: 7 }),
    interval: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({
    type: fc.constantFrom('monthly' as const, 'quarterly' as const),
    day: fc.integer({ min: 1, max: 31 }),
    interval: fc.integer({ min: 1, max: 4 }),
  }),
);

const aSeries: fc.Arbitrary<Series> = fc
  .record({
    frequency: aFrequency,
    nonWorkingDay: fc.constantFrom('next' as const, 'previous' as const),
    start: fc.integer({ min: 0, max: 800 }),
    minutes: fc.integer({ min: 0, max: 1439 }),
    lasts: fc.option(fc.integer({ min: 1, max: 900 })),
    early: fc.option(fc.integer({ min: 0, max: 24 * 10 })),
  })
  .map(({ frequency, nonWorkingDay, start, minutes, lasts, early }) => {
    const from = Temporal.Instant.from('2025-11-01T00:00:00Z').add({ hours: 24 * start });
    const time = Temporal.PlainTime.from('00:00').add({ minutes });
    const firstAt = firstOccurrence(frequency, from, true, time, LONDON);
    const endAt = lasts === null ? null : firstAt.add({ hours: 24 * lasts });
    const notBefore = early === null ? null : firstAt.subtract({ hours: early });
    const shape = { frequency, firstAt, timeZone: LONDON, endAt, timeOfDay: time };
    return { ...shape, nonWorkingDay, notBefore };
  });

const since = (text: string) => ({ after: Temporal.Instant.from(text), index: 0 });

const dateOf = (at: Temporal.Instant): Temporal.PlainDate =>
  at.toZonedDateTimeISO(LONDON).toPlainDate();

function all(series: Series): Temporal.Instant[] {
  const found: Temporal.Instant[] = [];
  for (let n = 0; n < LOOKED_AT; n += 1) {
    const at = occurrence(series, n);
    if (at === null) break;
    found.push(at);
  }
  return found;
}

test('occurrences that move come on working days, in order, between the start and the end, as many as before', () => {
  fc.assert(
    fc.property(aSeries, (series) => {
      const moved = all(series);
      const still = all({ ...series, nonWorkingDay: 'same' });
      assert.equal(moved.length, still.length);
      for (const [n, at] of moved.entries()) {
        const nominal = still[n];
        const before = moved[n - 1];
        assert.ok(nominal);
        if (before !== undefined) assert.ok(Temporal.Instant.compare(before, at) < 0, `${at}`);
        assert.ok(Temporal.Instant.compare(series.notBefore ?? series.firstAt, at) <= 0);
        assert.ok(series.endAt === null || Temporal.Instant.compare(at, series.endAt) <= 0);
        const days = Math.abs(dateOf(nominal).until(dateOf(at), { largestUnit: 'days' }).days);
        assert.ok(days <= 5, `${days} days`);
        if (isBusinessDay(dateOf(nominal))) assert.ok(at.equals(nominal));
        else if (!at.equals(nominal)) assert.ok(isBusinessDay(dateOf(at)), `${at}`);
      }
    }),
    { numRuns: 150 },
  );
});

test('an occurrence without a start or an end near it is always on a working day', () => {
  fc.assert(
    fc.property(aSeries, (series) => {
      for (const at of all({ ...series, endAt: null }).slice(1))
        assert.ok(isBusinessDay(dateOf(at)));
    }),
    { numRuns: 100 },
  );
});

test('the next index after any moment is that of the first occurrence after it', () => {
  fc.assert(
    fc.property(aSeries, fc.integer({ min: 0, max: 24 * 700 }), (series, hours) => {
      const open = { ...series, endAt: null };
      const at = series.firstAt.add({ hours: hours - 24 * 20 });
      const n = firstIndexAfter(open, at);
      const [now, before] = [occurrence(open, n), n === 0 ? null : occurrence(open, n - 1)];
      assert.ok(now !== null && Temporal.Instant.compare(now, at) > 0);
      assert.ok(before === null || Temporal.Instant.compare(before, at) <= 0);
    }),
    { numRuns: 200 },
  );
});

test('the limits of a consent have room for occurrences that move, for ten years', () => {
  fc.assert(
    fc.property(aSeries, (series) => {
      const open = { ...series, endAt: null };
      const terms = { amountPence: 100, series: open };
      const collections = all(open).map((at) => ({ at, amountPence: 100 }));
      const [first] = collections;
      assert.ok(first);
      const params = controlParameters(terms, first.at);
      assert.equal(fits(params, collections), null);
      assert.equal(firstRefusal(params, terms, first.at), null);
    }),
    { numRuns: 150 },
  );
});

test('the coming dates say why one moved, and a daily schedule cannot move', () => {
  const christmas: Series = {
    frequency: { type: 'monthly', day: 25, interval: 1 },
    firstAt: Temporal.Instant.from('2026-11-25T09:00:00Z'),
    timeZone: LONDON,
    endAt: null,
    nonWorkingDay: 'next',
  };
  const [december] = upcoming(christmas, since('2026-12-01T00:00:00Z'), 1);
  assert.equal(december?.dueDate.toString(), '2026-12-29T09:00:00Z');
  assert.equal(
    december?.reason,
    'Friday 25 December is not a working day: Tuesday 29 December instead',
  );
  assert.deepEqual(Object.keys(nonWorkingDayErrors('daily', 'next')), ['non_working_day']);
  assert.deepEqual(nonWorkingDayErrors('daily', 'same'), {});
  assert.deepEqual(nonWorkingDayErrors('weekly', 'previous'), {});
});

test('the first occurrence moves back too, but not before the schedule starts, and where it goes on instead it says why', () => {
  const firstOf = (startDate: string | null, day: number, endDate: string | null = null) => {
    const planned = planSeries({
      frequency: { type: 'monthly', day },
      startDate: startDate === null ? null : Temporal.Instant.from(startDate),
      endDate: endDate === null ? null : Temporal.Instant.from(endDate),
      timeZone: LONDON,
      now: Temporal.Instant.from('2026-11-28T12:00:00Z'),
      nonWorkingDay: 'previous',
    });
    assert.ok('series' in planned);
    const [first] = upcoming(planned.series, since('2026-11-28T12:00:00Z'), 1);
    return `${first?.dueDate.toString().slice(0, 10)} ${first?.reason}`;
  };
  const start = '2026-12-01T09:00:00Z';
  const christmas = 'Friday 25 December is not a working day';
  assert.equal(firstOf(start, 25), `2026-12-24 ${christmas}: Thursday 24 December instead`);
  assert.match(firstOf(start, 20), /^2026-12-18 /);
  assert.match(firstOf(start, 28), /^2026-12-24 /);
  assert.match(firstOf(null, 27), /^2026-12-24 /);
  const late =
    ': Tuesday 29 December instead, because Thursday 24 December is before the schedule starts';
  assert.match(firstOf('2026-12-24T10:00:00Z', 25), /^2026-12-24 /, 'at the very start');
  assert.equal(firstOf('2026-12-25T09:00:00Z', 25), `2026-12-29 ${christmas}${late}`);
  assert.equal(
    firstOf('2026-12-25T09:00:00Z', 25, '2026-12-28T12:00:00Z'),
    `2026-12-25 ${christmas}: it stays, because Thursday 24 December is before the schedule starts ` +
      'and Tuesday 29 December is after it ends',
  );
});
