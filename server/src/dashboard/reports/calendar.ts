import { isBusinessDay } from '../../platform/time/calendar.ts';
import { totalOf } from '../overview/days.ts';
import type { DaySum } from '../overview/upcoming.ts';
import type { DayRange } from './range.ts';
import type { CalendarReport, Sum } from './view.ts';

/** Payments that were due on a day, by how they stand, or the settlements paid out on it. */
export interface CalendarRow {
  day: Temporal.PlainDate;
  what: 'collected' | 'waiting' | 'failed' | 'settled';
  /** In pence. */
  value: number;
  count: number;
}

type Day = CalendarReport['days'][number];

const NOTHING: Sum = { value: 0, count: 0 };

/** Returns every day of a range: what was due and how it stands, what is to come, and what was paid out; and their sums. */
export function calendarOf(
  rows: readonly CalendarRow[],
  coming: readonly DaySum[],
  { first, last }: DayRange,
): Pick<CalendarReport, 'days' | 'total'> {
  const known = new Map<string, Sum>();
  for (const { day, what, value, count } of rows) known.set(`${day} ${what}`, { value, count });
  for (const { date, value, count } of coming) known.set(`${date} coming`, { value, count });
  const length = first.until(last, { largestUnit: 'days' }).days + 1;
  const days = Array.from({ length }, (_, i): Day => {
    const date = first.add({ days: i });
    const sum = (what: CalendarRow['what'] | 'coming') => known.get(`${date} ${what}`) ?? NOTHING;
    const parts = {
      collected: sum('collected'),
      waiting: sum('waiting'),
      failed: sum('failed'),
      coming: sum('coming'),
    };
    return {
      date: date.toString(),
      is_business_day: isBusinessDay(date),
      planned: totalOf(Object.values(parts)),
      ...parts,
      settled: sum('settled'),
    };
  });
  const total = (what: CalendarRow['what'] | 'coming' | 'planned') =>
    totalOf(days.map((day) => day[what]));
  return {
    days,
    total: {
      planned: total('planned'),
      collected: total('collected'),
      waiting: total('waiting'),
      failed: total('failed'),
      coming: total('coming'),
      settled: total('settled'),
    },
  };
}
