import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { occurrence } from './occurrences.ts';
import { dateErrors, planSeries, type SeriesRequest } from './plan.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z'); // a Monday
const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);

const REQUEST: SeriesRequest = {
  frequency: 'monthly',
  startDate: null,
  endDate: null,
  timeZone: 'Europe/London',
  now: NOW,
};

/** Returns the first occurrence of a plan. Fails if there is none. */
function first(request: Partial<SeriesRequest>): string {
  const planned = planSeries({ ...REQUEST, ...request });
  assert.ok('series' in planned, JSON.stringify(planned));
  assert.ok(occurrence(planned.series, 0)?.equals(planned.series.firstAt));
  return planned.series.firstAt.toString();
}

test('without a start the first occurrence is the next matching day at nine in the merchant’s time', () => {
  assert.equal(first({}), '2026-04-02T08:00:00Z'); // 09:00 has passed today; summer time by then
  assert.equal(first({ now: at('2026-03-02T08:00:00Z') }), '2026-03-02T09:00:00Z');
  assert.equal(first({ frequency: 'daily' }), '2026-03-03T09:00:00Z');
  assert.equal(first({ frequency: { type: 'weekly', day: 5 } }), '2026-03-06T09:00:00Z');
  assert.equal(first({ timeZone: 'America/New_York' }), '2026-03-02T14:00:00Z');
});

test('a start gives the day and the time of day, and a start that matches is itself the first', () => {
  const startDate = at('2026-03-31T17:45:00Z');
  assert.equal(first({ startDate }), '2026-03-31T17:45:00Z');
  assert.equal(
    first({ startDate, frequency: { type: 'monthly', day: 1 } }),
    '2026-04-01T17:45:00Z',
  );
  assert.equal(first({ startDate: NOW }), '2026-03-02T10:00:00Z');
});

test('a start that has passed counts from now on, at its own time of day', () => {
  assert.equal(first({ startDate: at('2026-01-15T07:30:00Z') }), '2026-03-15T07:30:00Z');
});

test('the last day of a short month is used where the month lacks the day, without drift', () => {
  const planned = planSeries({ ...REQUEST, startDate: at('2027-01-31T09:00:00Z') });
  assert.ok('series' in planned);
  const days = [0, 1, 2].map((n) => occurrence(planned.series, n)?.toString().slice(0, 10));
  assert.deepEqual(days, ['2027-01-31', '2027-02-28', '2027-03-31']);
});

test('an end before the first occurrence is refused; an end exactly at it leaves one', () => {
  const startDate = at('2026-03-10T09:00:00Z');
  const refused = planSeries({ ...REQUEST, startDate, endDate: at('2026-03-10T08:59:59.999Z') });
  assert.ok('errors' in refused);
  assert.deepEqual(Object.keys(refused.errors), ['end_date']);
  const planned = planSeries({ ...REQUEST, startDate, endDate: startDate });
  assert.ok('series' in planned);
  assert.ok(occurrence(planned.series, 0)?.equals(startDate));
  assert.equal(occurrence(planned.series, 1), null);
});

test('the first occurrence is never before now nor before the start, whatever is asked for', () => {
  const type = fc.constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly');
  const zone = fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia');
  const minutes = fc.integer({ min: -500_000, max: 1_000_000 });
  fc.assert(
    fc.property(type, zone, fc.option(minutes), minutes, (frequency, timeZone, start, clock) => {
      const now = NOW.add({ minutes: clock });
      const startDate = start === null ? null : now.add({ minutes: start });
      const planned = planSeries({
        ...REQUEST,
        frequency,
        timeZone,
        startDate,
        now,
      } as SeriesRequest);
      assert.ok('series' in planned);
      const { firstAt } = planned.series;
      assert.ok(Temporal.Instant.compare(firstAt, now) >= 0);
      if (startDate !== null) assert.ok(Temporal.Instant.compare(firstAt, startDate) >= 0);
    }),
  );
});

test('dates that contradict each other or the clock are named', () => {
  const [past, soon, later] = [
    NOW.subtract({ hours: 1 }),
    NOW.add({ hours: 1 }),
    NOW.add({ hours: 2 }),
  ];
  const names = (...dates: Parameters<typeof dateErrors>): string[] =>
    Object.keys(dateErrors(...dates));
  assert.deepEqual(names(null, null, NOW, true), []);
  assert.deepEqual(names(soon, later, NOW, true), []);
  assert.deepEqual(names(NOW, later, NOW, true), []);
  assert.deepEqual(names(past, later, NOW, true), ['start_date']);
  assert.deepEqual(names(past, later, NOW, false), []);
  assert.deepEqual(names(null, NOW, NOW, true), ['end_date']);
  assert.deepEqual(names(later, soon, NOW, true), ['end_date']);
  assert.deepEqual(names(soon, soon, NOW, true), ['end_date']);
  assert.deepEqual(names(past, past, NOW, true).sort(), ['end_date', 'start_date']);
});
