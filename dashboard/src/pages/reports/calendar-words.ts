import type { CalendarReport } from '../../../../server/src/dashboard/reports/view.ts';

/** The days of a week, as a calendar's head has them. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Returns the month so many months from another: one after `2026-12` is `2027-01`. */
export function monthFrom(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** Returns how many days of its week come before a date: none before a Monday. */
export const emptyDaysBefore = (date: string): number => (new Date(date).getUTCDay() + 6) % 7;

/** Says how what was planned for a month stands, as a sum that adds up, and what was paid out. */
export function planWords(
  total: CalendarReport['total'],
  money: (pence: number) => string,
): string {
  if (total.planned.count === 0)
    return total.settled.count === 0
      ? 'Nothing is due in this month.'
      : `Nothing is due in this month; ${money(total.settled.value)} was paid out.`;
  const parts = [
    [total.collected, 'collected'],
    [total.waiting, 'being collected'],
    [total.failed, 'failed'],
    [total.coming, 'to come'],
  ] as const;
  const said = parts.flatMap(([{ count, value }, words]) =>
    count === 0 ? [] : [`${money(value)} ${words}`],
  );
  const paidOut = total.settled.count === 0 ? '' : ` Paid out: ${money(total.settled.value)}.`;
  return `Planned: ${money(total.planned.value)} (${said.join(', ')}).${paidOut}`;
}
