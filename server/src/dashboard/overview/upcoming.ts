import type { Frequency } from '../../schedules/terms/frequency.ts';
import { firstIndexAfter, occurrence, type Series } from '../../schedules/terms/occurrences.ts';
import type { NonWorkingDay } from '../../schedules/terms/working-day.ts';

/** Schedules that collect on the same dates, and their total on each. Dates are those of the calendar of the terms. */
export interface ComingGroup {
  frequency: Frequency;
  nonWorkingDay: NonWorkingDay;
  /** A date from which the others are counted: of one of the occurrences, before it moves to a working day. */
  anchor: Temporal.PlainDate;
  /** No occurrence moves before this date; null: before that of the anchor. */
  notBefore: Temporal.PlainDate | null;
  /** No occurrence before this date counts. */
  from: Temporal.PlainDate;
  /** The last date on which the terms still collect; null: beyond the window. */
  last: Temporal.PlainDate | null;
  /** In pence, of all schedules of the group together. */
  value: number;
  count: number;
}

/** What comes to a day, or is taken from it. */
export interface DayChange {
  day: Temporal.PlainDate;
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
const MAX_OCCURRENCES = 400;

/**
 * Returns what groups of schedules collect on each of `days` days from `first`, today or later, including empty days, with what
 * `changes` add or take. Occurrences before today count towards today: they are in progress.
 */
export function sumComing(
  groups: readonly ComingGroup[],
  changes: readonly DayChange[],
  today: Temporal.PlainDate,
  days: number,
  first: Temporal.PlainDate = today,
): DaySum[] {
  const sums = new Map<string, DaySum>();
  for (let i = 0; i < days; i += 1) {
    const date = first.add({ days: i }).toString();
    sums.set(date, { date, value: 0, count: 0 });
  }
  const end = first.add({ days });
  const since = first.equals(today) ? null : first;
  const add = (day: Temporal.PlainDate, { value, count }: Pick<DayChange, 'value' | 'count'>) => {
    const isLate = Temporal.PlainDate.compare(day, today) < 0;
    const sum = sums.get((isLate ? today : day).toString());
    if (sum === undefined) return;
    sum.value += value;
    sum.count += count;
  };
  for (const group of groups) for (const date of datesOf(group, since, end)) add(date, group);
  for (const change of changes) add(change.day, change);
  return [...sums.values()];
}

/** Any time of day in a calendar without clock changes: only dates count here. */
const noonOf = (date: Temporal.PlainDate): Temporal.Instant =>
  date.toZonedDateTime({ timeZone: 'UTC', plainTime: '12:00' }).toInstant();

/** Returns a group's dates from `since` on, null: all, and before `end`. */
function datesOf(
  group: ComingGroup,
  since: Temporal.PlainDate | null,
  end: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const { frequency, nonWorkingDay, anchor, notBefore, last } = group;
  const isLater = since !== null && Temporal.PlainDate.compare(since, group.from) > 0;
  const from = isLater ? since : group.from;
  const firstAt = noonOf(anchor);
  const series: Series = {
    frequency,
    nonWorkingDay,
    firstAt,
    timeZone: 'UTC',
    notBefore: notBefore && noonOf(notBefore),
    endAt: last && noonOf(last),
  };
  const first = firstIndexAfter(series, noonOf(from).subtract({ milliseconds: 1 }));
  const dates: Temporal.PlainDate[] = [];
  for (let n = first; n < first + MAX_OCCURRENCES; n += 1) {
    const date = occurrence(series, n)?.toZonedDateTimeISO('UTC').toPlainDate();
    if (date === undefined || Temporal.PlainDate.compare(date, end) >= 0) break;
    dates.push(date);
  }
  return dates;
}
