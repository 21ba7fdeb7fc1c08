import type { Frequency } from '../../schedules/frequency.ts';
import { nominalDate } from '../../schedules/occurrences.ts';

/** Active schedules that collect on the same dates, and their total on each. */
export interface ComingGroup {
  frequency: Frequency;
  /** The date of the next occurrence, in the calendar of the terms. */
  next: Temporal.PlainDate;
  /** The last date on which the terms still collect; null: beyond the window. */
  last: Temporal.PlainDate | null;
  /** In pence, of all schedules of the group together. */
  value: number;
  count: number;
}

/** The total collected on a day, in pence, and the number of payments. */
export interface DaySum {
  date: string;
  value: number;
  count: number;
}

/** No schedule collects more often than daily; this also bounds the dates before today. */
const MOST_OCCURRENCES = 400;

/**
 * Returns what groups of schedules collect on each of `days` days from `today`, including empty days. Occurrences before today
 * count towards today: they are in progress.
 */
export function sumComing(
  groups: readonly ComingGroup[],
  today: Temporal.PlainDate,
  days: number,
): DaySum[] {
  const sums = new Map<string, DaySum>();
  for (let i = 0; i < days; i += 1) {
    const date = today.add({ days: i }).toString();
    sums.set(date, { date, value: 0, count: 0 });
  }
  const end = today.add({ days });
  for (const group of groups)
    for (const date of datesOf(group, end)) {
      const isLate = Temporal.PlainDate.compare(date, today) < 0;
      const sum = sums.get((isLate ? today : date).toString());
      if (sum === undefined) continue;
      sum.value += group.value;
      sum.count += group.count;
    }
  return [...sums.values()];
}

/** Returns a group's dates before `end`. */
function datesOf(
  { frequency, next, last }: ComingGroup,
  end: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const dates: Temporal.PlainDate[] = [];
  for (let n = 0; n < MOST_OCCURRENCES; n += 1) {
    const date = n === 0 ? next : nominalDate(frequency, next, n);
    const isOver = last !== null && Temporal.PlainDate.compare(date, last) > 0;
    if (isOver || Temporal.PlainDate.compare(date, end) >= 0) break;
    dates.push(date);
  }
  return dates;
}
