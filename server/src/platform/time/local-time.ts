// Wall-clock times in integers, for what every collection computes: the same as Temporal's, which a property test compares, at a
// sixth of the cost.
import { remembering } from '../values/instants.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;
const DAYS_OF_400_YEARS = 146_097;
const EPOCH = Temporal.PlainDate.from('1970-01-01');

/** A wall-clock time: days since 1970-01-01, and milliseconds since midnight. */
export interface LocalTime {
  day: number;
  ms: number;
}

/** A date by its parts; `month` counts from 0. */
interface MonthDay {
  year: number;
  month: number;
  day: number;
}

/** Returns the number of a date: days since 1970-01-01. */
export const dayOf = (date: Temporal.PlainDate): number =>
  dayNumber({ year: date.year, month: date.month - 1, day: date.day });

/** Returns the date of a number of days since 1970-01-01. */
export const dateOfDay = (day: number): Temporal.PlainDate => EPOCH.add({ days: day });

/** Returns Monday as 1 to Sunday as 7. */
export const dayOfWeek = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** Returns the milliseconds since midnight. */
export const msOfTime = ({ hour, minute, second, millisecond }: Temporal.PlainTime): number =>
  ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;

/** Returns the day `wanted` (null: that of `day`) of the month that is so many months later, or its last one. */
export function addMonths(day: number, months: number, wanted: number | null): number {
  const date = monthDayOf(day);
  const count = date.year * 12 + date.month + months;
  const year = Math.floor(count / 12);
  const first = dayNumber({ year, month: count - year * 12, day: 1 });
  const next = dayNumber({ year: Math.floor((count + 1) / 12), month: (count + 1) % 12, day: 1 });
  return first + Math.min(wanted ?? date.day, next - first) - 1;
}

/** Returns the months from one day's month to another's. */
export function monthsBetween(from: number, to: number): number {
  const [a, b] = [monthDayOf(from), monthDayOf(to)];
  return (b.year - a.year) * 12 + b.month - a.month;
}

/** Returns the wall-clock time of an instant. */
export function localTimeOf(at: Temporal.Instant, timeZone: string): LocalTime {
  const utc = at.epochMilliseconds;
  const local = utc + offsetAt(timeZone, utc);
  const day = Math.floor(local / DAY_MS);
  return { day, ms: local - day * DAY_MS };
}

/** Returns the instant of a wall-clock time. One that is skipped moves forward; of one that occurs twice, the first counts. */
export function instantOf({ day, ms }: LocalTime, timeZone: string): Temporal.Instant {
  const local = day * DAY_MS + ms;
  const before = offsetAt(timeZone, local - DAY_MS);
  const after = offsetAt(timeZone, local + DAY_MS);
  const early = local - before;
  const isEarly = before === after || offsetAt(timeZone, early) === before;
  const late = local - after;
  const at = !isEarly && offsetAt(timeZone, late) === after ? late : early;
  return Temporal.Instant.fromEpochMilliseconds(at);
}

/** The offsets of a zone within one span of a year: from when on, and how many milliseconds. */
type Offsets = readonly (readonly [fromMs: number, offsetMs: number])[];

const spansOf = remembering((timeZone: string) =>
  remembering((span: number): Offsets => {
    const start = Temporal.Instant.fromEpochMilliseconds(span * YEAR_MS);
    const offsets: [number, number][] = [];
    let at: Temporal.ZonedDateTime | null = start.toZonedDateTimeISO(timeZone);
    while (at !== null && at.epochMilliseconds < (span + 1) * YEAR_MS) {
      offsets.unshift([at.epochMilliseconds, at.offsetNanoseconds / 1_000_000]);
      at = at.getTimeZoneTransition('next');
    }
    return offsets;
  }),
);

function offsetAt(timeZone: string, utcMs: number): number {
  const offsets = spansOf(timeZone)(Math.floor(utcMs / YEAR_MS));
  return offsets.find(([from]) => from <= utcMs)?.[1] ?? 0;
}

/** Counts the days of the proleptic Gregorian calendar in years that begin in March, so that a leap day is a year's last. */
function dayNumber({ year, month, day }: MonthDay): number {
  const y = month < 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * DAYS_OF_400_YEARS + yearOfEra * 365 + leapDays + dayOfYear - 719_468;
}

function monthDayOf(dayNumbered: number): MonthDay {
  const days = dayNumbered + 719_468;
  const era = Math.floor(days / DAYS_OF_400_YEARS);
  const dayOfEra = days - era * DAYS_OF_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const march = Math.floor((5 * dayOfYear + 2) / 153);
  const month = (march + 2) % 12;
  const year = era * 400 + yearOfEra + (month < 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * march + 2) / 5) + 1 };
}
