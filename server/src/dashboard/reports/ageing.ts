import { isBefore } from '../../platform/values/instants.ts';
import { totalOf } from '../overview/days.ts';
import type { ArrearsRow } from './store.ts';
import type { AgeingReport } from './view.ts';

/** The ages of arrears in days since the due date; the last has no end. */
const AGES = [
  { label: '0–7 days', from: 0, to: 7 },
  { label: '8–30 days', from: 8, to: 30 },
  { label: '31–60 days', from: 31, to: 60 },
  { label: '61–90 days', from: 61, to: 90 },
  { label: 'Over 90 days', from: 91, to: null },
] as const;

/** Where each age but the first begins, in days. */
export const AGE_BOUNDS: readonly number[] = AGES.slice(1).map((age) => age.from);

/** What one customer owes, by age. */
export interface Owed {
  customerId: string;
  ages: { value: number; count: number }[];
  total: { value: number; count: number };
  oldest: Temporal.Instant;
}

/** Returns what is owed of each age, with the days on which it was due, within the days asked for. */
export function agesOf(
  rows: readonly ArrearsRow[],
  today: Temporal.PlainDate,
  asked: { first: Temporal.PlainDate | null; last: Temporal.PlainDate | null },
): AgeingReport['ages'] {
  return AGES.map(({ label, from, to }, age) => {
    const oldest = to === null ? null : today.subtract({ days: to });
    return {
      label,
      from: later(oldest, asked.first)?.toString() ?? null,
      to:
        (age === 0
          ? asked.last
          : earlier(today.subtract({ days: from }), asked.last)
        )?.toString() ?? null,
      ...totalOf(rows.filter((row) => row.age === age)),
    };
  });
}

/** Returns what each customer owes, who owes most first. */
export function owedByCustomer(rows: readonly ArrearsRow[]): Owed[] {
  const all = [...Map.groupBy(rows, (row) => row.customerId)].map(([customerId, own]) => ({
    customerId,
    ages: AGES.map((_, age) => totalOf(own.filter((row) => row.age === age))),
    total: totalOf(own),
    oldest: own.map((row) => row.oldest).reduce((a, b) => (isBefore(a, b) ? a : b)),
  }));
  return all.sort(
    (a, b) => b.total.value - a.total.value || a.customerId.localeCompare(b.customerId),
  );
}

type Day = Temporal.PlainDate | null;

function later(a: Day, b: Day): Day {
  if (a === null || b === null) return a ?? b;
  return Temporal.PlainDate.compare(a, b) > 0 ? a : b;
}

function earlier(a: Temporal.PlainDate, b: Day): Temporal.PlainDate {
  return b !== null && Temporal.PlainDate.compare(b, a) < 0 ? b : a;
}
