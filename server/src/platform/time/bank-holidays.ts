/** What was proclaimed for single years since 2020: days besides the usual ones, and usual ones that were moved. */
const PROCLAIMED: Readonly<
  Record<number, { extra: readonly string[]; without: readonly string[] }>
> = {
  2020: { extra: ['05-08'], without: ['05-04'] }, // Early May, moved to VE Day
  2022: { extra: ['06-02', '06-03', '09-19'], without: ['05-30'] }, // the Platinum Jubilee, the Queen's funeral
  2023: { extra: ['05-08'], without: [] }, // the coronation
};

/**
 * Returns the weekdays of a year that are bank holidays in England and Wales, as ISO dates: those of the Banking and Financial
 * Dealings Act 1971, and what was proclaimed since 2020. A holiday on a weekend counts on its substitute day.
 */
export function bankHolidays(year: number): ReadonlySet<string> {
  const easter = easterSunday(year);
  const days = [
    ...onWeekdays([dateOf(year, 1, 1)]),
    easter.subtract({ days: 2 }),
    easter.add({ days: 1 }),
    firstMonday(dateOf(year, 5, 1)),
    firstMonday(dateOf(year, 5, 25)),
    firstMonday(dateOf(year, 8, 25)),
    ...onWeekdays([dateOf(year, 12, 25), dateOf(year, 12, 26)]),
  ].map(String);
  const { extra, without } = PROCLAIMED[year] ?? { extra: [], without: [] };
  const found = new Set([...days, ...extra.map((day) => `${year}-${day}`)]);
  for (const day of without) found.delete(`${year}-${day}`);
  return found;
}

const dateOf = (year: number, month: number, day: number): Temporal.PlainDate =>
  new Temporal.PlainDate(year, month, day);

const SATURDAY = 6;
const isWeekend = (date: Temporal.PlainDate): boolean => date.dayOfWeek >= SATURDAY;

/** Returns the first Monday from a date on; the last one of May and of August is the first from the 25th on. */
const firstMonday = (date: Temporal.PlainDate): Temporal.PlainDate =>
  date.add({ days: (8 - date.dayOfWeek) % 7 });

/** Replaces each holiday on a weekend by the first weekday after it that is none of the others. */
function onWeekdays(holidays: readonly Temporal.PlainDate[]): Temporal.PlainDate[] {
  const taken = holidays.filter((date) => !isWeekend(date));
  for (const holiday of holidays.filter(isWeekend)) {
    let date = holiday;
    while (isWeekend(date) || taken.some((one) => one.equals(date))) date = date.add({ days: 1 });
    taken.push(date);
  }
  return taken;
}

/** Returns Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterSunday(year: number): Temporal.PlainDate {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const f = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const h = (19 * a + century - Math.floor(century / 4) - f + 15) % 30;
  const l = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - h - (rest % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const days = h + l - 7 * m + 114;
  return dateOf(year, Math.floor(days / 31), (days % 31) + 1);
}
