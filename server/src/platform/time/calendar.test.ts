import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  businessDayOf,
  changeHolidays,
  formatInstant,
  isBusinessDay,
  nextBusinessDay,
  parseInstant,
} from './calendar.ts';

/** As published by the government for England and Wales. */
const PUBLISHED: Readonly<Record<number, readonly string[]>> = {
  2020: ['01-01', '04-10', '04-13', '05-08', '05-25', '08-31', '12-25', '12-28'],
  2021: ['01-01', '04-02', '04-05', '05-03', '05-31', '08-30', '12-27', '12-28'],
  2022: ['01-03', '04-15', '04-18', '05-02', '06-02', '06-03', '08-29', '09-19', '12-26', '12-27'],
  2023: ['01-02', '04-07', '04-10', '05-01', '05-08', '05-29', '08-28', '12-25', '12-26'],
  2026: ['01-01', '04-03', '04-06', '05-04', '05-25', '08-31', '12-25', '12-28'],
  2027: ['01-01', '03-26', '03-29', '05-03', '05-31', '08-30', '12-27', '12-28'],
};

const aDate = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => Temporal.PlainDate.from('2025-01-01').add({ days }));

test('the weekdays that are no business days are exactly the published bank holidays', () => {
  for (const [year, published] of Object.entries(PUBLISHED)) {
    const found: string[] = [];
    for (let dayOfYear = 0; dayOfYear < 366; dayOfYear += 1) {
      const date = Temporal.PlainDate.from(`${year}-01-01`).add({ days: dayOfYear });
      if (date.year !== Number(year) || date.dayOfWeek > 5 || isBusinessDay(date)) continue;
      found.push(date.toString().slice(5));
    }
    assert.deepEqual(found, published, year);
  }
});

test('a weekend day is never a business day', () => {
  assert.equal(isBusinessDay(Temporal.PlainDate.from('2026-08-01')), false);
  assert.equal(isBusinessDay(Temporal.PlainDate.from('2026-08-02')), false);
  assert.equal(isBusinessDay(Temporal.PlainDate.from('2026-08-03')), true);
});

test('the next business day is the first one after, with none between', () => {
  fc.assert(
    fc.property(aDate, (date) => {
      const next = nextBusinessDay(date);
      assert.ok(Temporal.PlainDate.compare(next, date) > 0 && isBusinessDay(next));
      const between = date.until(next, { largestUnit: 'days' }).days;
      for (let days = 1; days < between; days += 1) assert.ok(!isBusinessDay(date.add({ days })));
      assert.ok(businessDayOf(date).equals(isBusinessDay(date) ? date : next));
    }),
    { numRuns: 500 },
  );
});

test('a date-time with an offset is read as its instant', () => {
  const read = (text: string) => parseInstant(text)?.toString();
  assert.equal(read('2026-03-01T09:00:00Z'), '2026-03-01T09:00:00Z');
  assert.equal(read('2026-03-01T09:00+01:00'), '2026-03-01T08:00:00Z');
  assert.equal(read('2026-03-01T09:00:00.123456-0500'), '2026-03-01T14:00:00.123Z');
});

test('anything without an offset, or that does not exist, is refused', () => {
  const wrong = [
    '2026-03-01T09:00:00',
    '2026-03-01',
    '2026-02-30T09:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01T09:00:60Z',
    '2026-03-01T09:00:00Z[Europe/London]',
    '2026-03-01 09:00:00Z',
    '+002026-03-01T09:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00Z',
    'tomorrow',
    '',
  ];
  for (const text of wrong) assert.equal(parseInstant(text), null, text);
});

test('what is written has Z and exactly milliseconds, and reads back the same', () => {
  assert.equal(
    formatInstant(Temporal.Instant.from('2026-03-01T09:00:00+01:00')),
    '2026-03-01T08:00:00.000Z',
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (milliseconds) => {
      const instant = Temporal.Instant.fromEpochMilliseconds(milliseconds);
      const text = formatInstant(instant);
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.ok(parseInstant(text)?.equals(instant));
    }),
  );
});

test('the first and the last moment of the years 1 to 9999 are read, and nothing beyond them', () => {
  const first = '0001-01-01T00:00:00.000Z';
  const last = '9999-12-31T23:59:59.999Z';
  for (const text of [first, last]) {
    const read = parseInstant(text);
    assert.ok(read !== null);
    assert.equal(formatInstant(read), text);
  }
  assert.equal(parseInstant('0000-12-31T23:59:59.999Z'), null);
  assert.equal(parseInstant('0001-01-01T00:00:00.000+00:01'), null);
  assert.equal(parseInstant('9999-12-31T23:59:59.999-00:01'), null);
});

test('settings add bank holidays and take them away, for every day that is computed', (t) => {
  t.after(() => changeHolidays({ extra: new Set(), without: new Set() }));
  const date = (text: string) => Temporal.PlainDate.from(text);
  assert.ok(isBusinessDay(date('2027-06-07')));
  assert.ok(!isBusinessDay(date('2027-05-03')));
  changeHolidays({
    extra: new Set(['2027-06-07']),
    without: new Set(['2027-05-03', '2027-05-02']),
  });
  assert.ok(!isBusinessDay(date('2027-06-07')));
  assert.equal(nextBusinessDay(date('2027-06-04')).toString(), '2027-06-08');
  assert.ok(isBusinessDay(date('2027-05-03')));
  assert.ok(!isBusinessDay(date('2027-05-02')), 'a Sunday stays one');
});
