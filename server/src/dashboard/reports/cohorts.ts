import { totalOf } from '../overview/days.ts';
import type { CohortRow } from './store.ts';
import type { Cohort } from './view.ts';

const monthText = (day: Temporal.PlainDate): string => day.toPlainYearMonth().toString();

/** Returns the first day of every month from `first` to `last`, both included. */
export function monthsBetween(
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const count = first
    .with({ day: 1 })
    .until(last.with({ day: 1 }), { largestUnit: 'months' }).months;
  return Array.from({ length: count + 1 }, (_, i) => first.with({ day: 1 }).add({ months: i }));
}

/** Returns a cohort for every month from `first` to `last`, with what it collected in each month up to the one of `today`. */
export function cohortsOf(
  rows: readonly CohortRow[],
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
  today: Temporal.PlainDate,
): Cohort[] {
  const byMonth = Map.groupBy(rows, (row) => monthText(row.month));
  return monthsBetween(first, last).map((start) => {
    const month = monthText(start);
    const own = byMonth.get(month) ?? [];
    const size = own.find((row) => row.collectedIn === null);
    const isComing = Temporal.PlainDate.compare(start, today) > 0;
    const collected = (isComing ? [] : monthsBetween(start, today)).map((at) =>
      totalOf(own.filter((row) => row.collectedIn?.equals(at) === true)),
    );
    return {
      month,
      schedules: size?.schedules ?? 0,
      active: size?.active ?? 0,
      collected,
      total: totalOf(collected),
    };
  });
}
