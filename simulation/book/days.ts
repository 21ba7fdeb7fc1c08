// The calendar of the expected book: written from the published rules, and from nothing of the product.

export const LONDON = 'Europe/London';
const DAY_OF_WEEK = { monday: 1, friday: 5, saturday: 6, sunday: 7 } as const;

/** Returns Easter Sunday of the Gregorian calendar (Butcher's rule). */
function easter(year: number): Temporal.PlainDate {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(century / 4);
  const g = Math.floor((8 * century + 13) / 25);
  const h = (19 * a + century - d - g + 15) % 30;
  const l = (32 + 2 * (century % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return new Temporal.PlainDate(year, Math.floor(sum / 31), (sum % 31) + 1);
}

const firstMonday = (year: number, month: number): Temporal.PlainDate => {
  const first = new Temporal.PlainDate(year, month, 1);
  return first.add({ days: (8 - first.dayOfWeek) % 7 });
};

function lastMonday(year: number, month: number): Temporal.PlainDate {
  const last = new Temporal.PlainDate(year, month, 1).add({ months: 1 }).subtract({ days: 1 });
  return last.subtract({ days: last.dayOfWeek - DAY_OF_WEEK.monday });
}

const isWeekend = (date: Temporal.PlainDate): boolean => date.dayOfWeek >= DAY_OF_WEEK.saturday;

/** Christmas and Boxing Day; one that falls on a weekend has the next free weekday instead. */
function christmas(year: number): Temporal.PlainDate[] {
  const taken: Temporal.PlainDate[] = [];
  const both = [25, 26].map((day) => new Temporal.PlainDate(year, 12, day));
  for (const day of both.toSorted((a, b) => Number(isWeekend(a)) - Number(isWeekend(b)))) {
    let free = day;
    while (isWeekend(free) || taken.some((other) => other.equals(free)))
      free = free.add({ days: 1 });
    taken.push(free);
  }
  return taken;
}

function newYear(year: number): Temporal.PlainDate {
  const first = new Temporal.PlainDate(year, 1, 1);
  return isWeekend(first) ? firstMonday(year, 1) : first;
}

/** The bank holidays of England and Wales in a year without a jubilee, a coronation or a funeral of state. */
function bankHolidays(year: number): Set<string> {
  const sunday = easter(year);
  const days = [
    newYear(year),
    sunday.subtract({ days: 2 }),
    sunday.add({ days: 1 }),
    firstMonday(year, 5),
    lastMonday(year, 5),
    lastMonday(year, 8),
    ...christmas(year),
  ];
  return new Set(days.map((day) => day.toString()));
}

const known = new Map<number, Set<string>>();

/** Whether banks work on a day. */
export function isWorkingDay(date: Temporal.PlainDate): boolean {
  const holidays = known.get(date.year) ?? bankHolidays(date.year);
  known.set(date.year, holidays);
  return !isWeekend(date) && !holidays.has(date.toString());
}

/** Returns the first working day at or after a date, or at or before it. */
export function workingDayFrom(date: Temporal.PlainDate, step: 1 | -1): Temporal.PlainDate {
  let day = date;
  while (!isWorkingDay(day)) day = day.add({ days: step });
  return day;
}

const PAID_OUT_AT = Temporal.PlainTime.from('06:00');

/** Returns the London date of a moment in milliseconds. */
const londonDay = (at: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(LONDON).toPlainDate();

/** Returns when a day's settlements are paid out. */
const payOutOn = (day: Temporal.PlainDate): number =>
  day.toZonedDateTime({ timeZone: LONDON, plainTime: PAID_OUT_AT }).epochMilliseconds;

/** Returns when money that came at a moment is paid out: on the working day after the one that it counts to. */
export function payOutOf(cameAt: number): number {
  const countsTo = workingDayFrom(londonDay(cameAt), 1);
  return payOutOn(workingDayFrom(countsTo.add({ days: 1 }), 1));
}

/** Returns the pay-out moment so many working days after a moment. */
export function payOutAfter(at: number, workingDays: number): number {
  let day = londonDay(at);
  for (let n = 0; n < workingDays; n++) day = workingDayFrom(day.add({ days: 1 }), 1);
  return payOutOn(day);
}
