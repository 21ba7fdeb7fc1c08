import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBusinessDay } from '../platform/calendar.ts';
import type { Frequency } from './frequency.ts';
import { controlParameters, firstRefusal, fits } from './headroom.ts';
import {
  firstIndexAfter,
  firstOccurrence,
  occurrence,
  type Series,
  upcoming,
} from './occurrences.ts';
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
  })
  .map(({ frequency, nonWorkingDay, start, minutes, lasts }) => {
    const from = Temporal.Instant.from('2025-11-01T00:00:00Z').add({ hours: 24 * start });
    const time = Temporal.PlainTime.from('00:00').add({ minutes });
    const firstAt = firstOccurrence(frequency, from, true, time, LONDON);
    const endAt = lasts === null ? null : firstAt.add({ hours: 24 * lasts });
    return { frequency, firstAt, timeZone: LONDON, endAt, timeOfDay: time, nonWorkingDay };
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

test('occurrences that move come on working days, in order, between the first moment and the end, as many as before', () => {
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
        assert.ok(Temporal.Instant.compare(series.firstAt, at) <= 0);
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
      const at = series.firstAt.add({ hours });
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
