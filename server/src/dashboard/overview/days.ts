import type { OverviewView } from './view.ts';

type Sum = OverviewView['collected'];
type Day = OverviewView['days'][number];

/** A day's total of payments or settlements, by outcome. */
export interface DayRow {
  day: Temporal.PlainDate;
  what: 'collected' | 'failed' | 'settled';
  /** In pence. */
  value: number;
  count: number;
}

/** Returns every day from `first` to `last`, both included, with its totals, oldest first. */
export function fillDays(
  rows: readonly DayRow[],
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Day[] {
  const byKey = new Map(rows.map((row) => [`${row.day} ${row.what}`, row]));
  const count = first.until(last, { largestUnit: 'days' }).days + 1;
  return Array.from({ length: count }, (_, i) => {
    const date = first.add({ days: i }).toString();
    const sum = (what: DayRow['what']): Sum => {
      const row = byKey.get(`${date} ${what}`);
      return { value: row?.value ?? 0, count: row?.count ?? 0 };
    };
    return { date, collected: sum('collected'), failed: sum('failed'), settled: sum('settled') };
  });
}

/** Returns the total of all days. */
export function totalOf(sums: readonly Sum[]): Sum {
  return sums.reduce((a, b) => ({ value: a.value + b.value, count: a.count + b.count }), {
    value: 0,
    count: 0,
  });
}

/** Returns collected payments as a share of all that have ended, 0 to 1; null if none has ended. */
export function successRate(collected: Sum, failed: Sum): number | null {
  const ended = collected.count + failed.count;
  return ended === 0 ? null : collected.count / ended;
}
