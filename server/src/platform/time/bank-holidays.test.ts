import assert from 'node:assert/strict';
import { test } from 'node:test';
import Holidays from 'date-holidays';
import { bankHolidays } from './bank-holidays.ts';

const inMonths = (year: number, ...months: string[]): string[] =>
  [...bankHolidays(year)]
    .map((date) => date.slice(5))
    .filter((day) => months.includes(day.slice(0, 2)))
    .sort();

test('Good Friday and Easter Monday follow Easter, from its earliest day to its latest', () => {
  assert.deepEqual(inMonths(2285, '03', '04'), ['03-20', '03-23']);
  assert.deepEqual(inMonths(2024, '03', '04'), ['03-29', '04-01']);
  assert.deepEqual(inMonths(2025, '03', '04'), ['04-18', '04-21']);
  assert.deepEqual(inMonths(2038, '03', '04'), ['04-23', '04-26']);
});

test('a holiday on a weekend counts on the next weekday that is none of the others', () => {
  const turns = (year: number) => [...inMonths(year, '12'), ...inMonths(year + 1, '01')];
  assert.deepEqual(turns(2025), ['12-25', '12-26', '01-01']);
  assert.deepEqual(turns(2026), ['12-25', '12-28', '01-01']); // Boxing Day on a Saturday
  assert.deepEqual(turns(2027), ['12-27', '12-28', '01-03']); // Christmas and New Year on a Saturday
  assert.deepEqual(turns(2033), ['12-26', '12-27', '01-02']); // Christmas and New Year on a Sunday
});

test('the Mondays of May and August are the first and the last ones', () => {
  assert.deepEqual(inMonths(2028, '05', '08'), ['05-01', '05-29', '08-28']);
  assert.deepEqual(inMonths(2032, '05', '08'), ['05-03', '05-31', '08-30']);
});

test('what was proclaimed for a year comes beside the usual days, or in their place', () => {
  assert.deepEqual(inMonths(2020, '05'), ['05-08', '05-25']);
  assert.deepEqual(inMonths(2022, '05', '06', '09'), ['05-02', '06-02', '06-03', '09-19']);
  assert.deepEqual(inMonths(2023, '05'), ['05-01', '05-08', '05-29']);
});

test('a package that knows the holidays of the world says the same of every weekday', () => {
  const known = new Holidays('GB', 'ENG', { types: ['public'] });
  for (let year = 2020; year < 2100; year++) {
    const weekdays = known
      .getHolidays(year)
      .map(({ date }) => date.slice(0, 10))
      .filter((date) => Temporal.PlainDate.from(date).dayOfWeek < 6);
    assert.deepEqual([...bankHolidays(year)].sort(), [...new Set(weekdays)].sort(), `${year}`);
  }
});
