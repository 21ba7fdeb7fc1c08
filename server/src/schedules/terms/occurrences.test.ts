import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frequency } from './frequency.ts';
import {
  firstIndexAfter,
  firstOccurrence,
  occurrence,
  type Series,
  upcoming,
} from './occurrences.ts';

const LONDON = 'Europe/London';
const NINE = Temporal.PlainTime.from('09:00');

function instant(text: string): Temporal.Instant {
  return Temporal.Instant.from(text);
}

/** Returns a series from its first wall-clock time. */
function series(
  type: Frequency['type'],
  day: number | null,
  interval: number,
  first: string,
  changes: Partial<Series> = {},
): Series {
  const timeZone = changes.timeZone ?? LONDON;
  const firstAt = Temporal.PlainDateTime.from(first).toZonedDateTime(timeZone).toInstant();
  return { frequency: { type, day, interval }, firstAt, timeZone, endAt: null, ...changes };
}

function localTimes(of: Series, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const at = occurrence(of, n)?.toZonedDateTimeISO(of.timeZone);
    return at ? at.toPlainDateTime().toString({ smallestUnit: 'minute' }) : 'none';
  });
}

function dates(of: Series, count: number): string[] {
  return localTimes(of, count).map((time) => time.slice(0, 10));
}

test('the 31st falls on the last day of shorter months, and comes back without drift', () => {
  const expected = ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31'];
  assert.deepEqual(dates(series('monthly', 31, 1, '2028-01-31T09:00'), 5), expected);
});

test('the asked day is kept when the first occurrence fell on a shorter month', () => {
  const expected = ['2026-02-28', '2026-03-31', '2026-04-30'];
  assert.deepEqual(dates(series('monthly', 31, 1, '2026-02-28T09:00'), 3), expected);
});

test('quarterly is every three months, times the interval', () => {
  assert.deepEqual(dates(series('quarterly', 31, 1, '2026-11-30T09:00'), 4), [
    '2026-11-30',
    '2027-02-28',
    '2027-05-31',
    '2027-08-31',
  ]);
  const twice = series('quarterly', 10, 2, '2026-11-10T09:00');
  assert.deepEqual(dates(twice, 3), ['2026-11-10', '2027-05-10', '2027-11-10']);
});

test('yearly keeps the month of the first one, and 29 February returns in leap years', () => {
  assert.deepEqual(dates(series('yearly', 29, 1, '2027-02-28T09:00'), 3), [
    '2027-02-28',
    '2028-02-29',
    '2029-02-28',
  ]);
  const century = series('yearly', 29, 4, '2096-02-29T09:00');
  assert.deepEqual(dates(century, 3), ['2096-02-29', '2100-02-28', '2104-02-29']);
});

test('weekly keeps its weekday, daily its number of days', () => {
  const fortnightly = series('weekly', 5, 2, '2026-07-03T09:00');
  assert.deepEqual(dates(fortnightly, 3), ['2026-07-03', '2026-07-17', '2026-07-31']);
  const everyTen = series('daily', null, 10, '2026-02-20T09:00');
  assert.deepEqual(dates(everyTen, 3), ['2026-02-20', '2026-03-02', '2026-03-12']);
});

test('the wall-clock time stays through both clock changes of London and New York', () => {
  const london = series('daily', null, 1, '2026-03-28T09:00');
  assert.equal(occurrence(london, 0)?.toString(), '2026-03-28T09:00:00Z');
  assert.equal(occurrence(london, 1)?.toString(), '2026-03-29T08:00:00Z');
  assert.equal(occurrence(london, 211)?.toString(), '2026-10-25T09:00:00Z');
  const newYork = series('weekly', 7, 1, '2026-03-01T09:00', { timeZone: 'America/New_York' });
  assert.equal(occurrence(newYork, 0)?.toString(), '2026-03-01T14:00:00Z');
  assert.equal(occurrence(newYork, 1)?.toString(), '2026-03-08T13:00:00Z');
  assert.equal(occurrence(newYork, 35)?.toString(), '2026-11-01T14:00:00Z');
});

test('a time that the clocks leave out moves forward on that day only', () => {
  const nightly = series('daily', null, 1, '2026-03-28T01:30');
  const expected = ['2026-03-28T01:30', '2026-03-29T02:30', '2026-03-30T01:30'];
  assert.deepEqual(localTimes(nightly, 3), expected);
  const newYork = series('daily', null, 1, '2026-03-07T02:30', { timeZone: 'America/New_York' });
  assert.equal(localTimes(newYork, 3)[1], '2026-03-08T03:30');
});

test('of a time that comes twice, the first is taken', () => {
  const nightly = series('daily', null, 1, '2026-10-24T01:30');
  assert.equal(occurrence(nightly, 1)?.toString(), '2026-10-25T00:30:00Z');
  assert.equal(occurrence(nightly, 2)?.toString(), '2026-10-26T01:30:00Z');
});

test('a first occurrence moved by a clock change does not move the later ones', () => {
  const timeOfDay = Temporal.PlainTime.from('01:30');
  const nightly = series('daily', null, 1, '2026-03-29T01:30', { timeOfDay });
  assert.deepEqual(localTimes(nightly, 2), ['2026-03-29T02:30', '2026-03-30T01:30']);
  // In Nuuk the clocks go forward at 23:00, so the shifted occurrence is on the next date.
  const late = { timeOfDay: Temporal.PlainTime.from('23:30'), timeZone: 'America/Nuuk' };
  const weekly = series('weekly', 6, 1, '2026-03-28T23:30', late);
  assert.deepEqual(localTimes(weekly, 2), ['2026-03-29T00:30', '2026-04-04T23:30']);
  const daily = series('daily', null, 1, '2026-03-01T23:30', late);
  const beforeIt = Temporal.ZonedDateTime.from('2026-03-29T00:15[America/Nuuk]').toInstant();
  assert.equal(firstIndexAfter(daily, beforeIt), 27);
});

test('an occurrence exactly at the end counts, later ones do not exist', () => {
  const endAt = instant('2026-03-31T08:00:00Z');
  const ending = series('monthly', 31, 1, '2026-01-31T09:00', { endAt });
  assert.deepEqual(dates(ending, 4), ['2026-01-31', '2026-02-28', '2026-03-31', 'none']);
  assert.equal(
    upcoming(ending, { after: instant('2026-01-01T00:00:00Z'), index: 0 }, 10).length,
    3,
  );
  assert.equal(occurrence(ending, firstIndexAfter(ending, endAt)), null);
});

test('an index is a whole number from 0', () => {
  const monthly = series('monthly', 1, 1, '2026-01-01T09:00');
  for (const n of [-1, 0.5, Number.NaN]) assert.throws(() => occurrence(monthly, n), RangeError);
});

function first(
  type: Frequency['type'],
  day: number | null,
  from: string,
  inclusive = true,
  time = NINE,
): string {
  const frequency = { type, day, interval: 3 };
  const at = firstOccurrence(frequency, instant(from), inclusive, time, LONDON);
  return at.toString();
}

test('the first occurrence is the first matching moment at or after the start', () => {
  assert.equal(first('daily', null, '2026-01-10T09:00:00Z'), '2026-01-10T09:00:00Z');
  assert.equal(first('daily', null, '2026-01-10T09:00:01Z'), '2026-01-11T09:00:00Z');
  assert.equal(first('weekly', 1, '2026-01-10T00:00:00Z'), '2026-01-12T09:00:00Z');
  assert.equal(first('weekly', 6, '2026-01-10T10:00:00Z'), '2026-01-17T09:00:00Z');
  assert.equal(first('monthly', 31, '2026-02-10T00:00:00Z'), '2026-02-28T09:00:00Z');
  assert.equal(first('monthly', 31, '2026-02-28T09:00:00.001Z'), '2026-03-31T08:00:00Z');
  assert.equal(first('quarterly', 15, '2026-01-20T00:00:00Z'), '2026-02-15T09:00:00Z');
  assert.equal(first('yearly', 15, '2026-12-20T00:00:00Z'), '2027-01-15T09:00:00Z');
});

test('without the start itself, the first occurrence lies strictly after it', () => {
  assert.equal(first('daily', null, '2026-01-10T09:00:00Z', false), '2026-01-11T09:00:00Z');
  assert.equal(first('monthly', 10, '2026-01-10T09:00:00Z', false), '2026-02-10T09:00:00Z');
  assert.equal(first('monthly', 10, '2026-01-10T08:59:59Z', false), '2026-01-10T09:00:00Z');
});

test('a start on the second of two equal wall times is itself the first occurrence', () => {
  const halfPastOne = Temporal.PlainTime.from('01:30');
  const second = '2026-10-25T01:30:00Z';
  assert.equal(first('monthly', 25, second, true, halfPastOne), second);
  const monthly = series('monthly', 25, 1, '2026-10-25T01:30', { firstAt: instant(second) });
  assert.deepEqual(localTimes(monthly, 2), ['2026-10-25T01:30', '2026-11-25T01:30']);
});

test('what is unusual about a coming occurrence is said', () => {
  const monthEnd = series('monthly', 31, 1, '2026-01-31T09:00');
  const coming = upcoming(monthEnd, { after: instant('2026-01-31T09:00:00Z'), index: 0 }, 3);
  assert.deepEqual(
    coming.map(({ dueDate, reason }) => [dueDate.toString(), reason]),
    [
      ['2026-02-28T09:00:00Z', 'February has 28 days, so we collect on the 28th'],
      ['2026-03-31T08:00:00Z', null],
      ['2026-04-30T08:00:00Z', 'April has 30 days, so we collect on the 30th'],
    ],
  );
});

test('a clock change is given as a reason only where it touches the time itself', () => {
  const nightly = series('daily', null, 1, '2026-03-28T01:30');
  const reasonAfter = (text: string) =>
    upcoming(nightly, { after: instant(text), index: 0 }, 1)[0]?.reason;
  assert.equal(reasonAfter('2026-03-27T00:00:00Z'), null);
  assert.equal(
    reasonAfter('2026-03-28T02:00:00Z'),
    'the clocks go forward: 01:30 does not exist, 02:30 instead',
  );
  assert.equal(
    reasonAfter('2026-10-24T12:00:00Z'),
    'the clocks go back: 01:30 comes twice, the first is taken',
  );
  const morning = series('daily', null, 1, '2026-03-28T09:00');
  assert.equal(
    upcoming(morning, { after: instant('2026-03-28T12:00:00Z'), index: 0 }, 1)[0]?.reason,
    null,
  );
});
