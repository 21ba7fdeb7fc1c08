import type { Export } from '../export.ts';
import { poundsOf } from '../settlements/csv.ts';
import type { Statement } from './statement-view.ts';
import type {
  AgeingReport,
  CalendarReport,
  Cohort,
  CohortReport,
  Debtor,
  FailureLine,
  FailureReport,
} from './view.ts';

const failures: Export = {
  operationId: 'reportFailures',
  name: 'failures',
  items: ({ lines }: FailureReport) => lines,
  cells: (line: FailureLine) => ({
    from: line.from,
    to: line.to,
    reason: line.reason,
    message: line.message,
    failed: line.failed.count,
    failed_amount: poundsOf(line.failed.value),
    recovered: line.recovered.count,
    recovered_amount: poundsOf(line.recovered.value),
    waiting: line.waiting.count,
    waiting_amount: poundsOf(line.waiting.value),
    lost: line.lost.count,
    lost_amount: poundsOf(line.lost.value),
    recovered_share: line.recovered_share ?? '',
  }),
};

const ageing: Export = {
  operationId: 'reportAgeing',
  name: 'arrears',
  items: ({ ages, customers }: AgeingReport) =>
    customers.map((debtor) => ({ ...debtor, labels: ages.map(({ label }) => label) })),
  cells: ({ customer, ages, total, oldest, labels }: Debtor & { labels: string[] }, local) => ({
    customer_id: customer.id,
    customer: customer.label,
    ...Object.fromEntries(labels.map((label, i) => [label, poundsOf(ages[i]?.value ?? 0)])),
    total: poundsOf(total.value),
    payments: total.count,
    oldest_due_date: oldest,
    oldest_due_date_local: local(oldest),
  }),
};

const cohorts: Export = {
  operationId: 'reportCohorts',
  name: 'cohorts',
  items: ({ cohorts: all }: CohortReport) => {
    const most = Math.max(...all.map(({ collected }) => collected.length));
    return all.map((cohort) => ({ ...cohort, months: Array.from({ length: most }, (_, i) => i) }));
  },
  cells: ({
    month,
    schedules,
    active,
    collected,
    total,
    months,
  }: Cohort & { months: number[] }) => ({
    month,
    schedules,
    active,
    ...Object.fromEntries(
      months.map((i) => [
        `month_${i}`,
        collected[i] === undefined ? '' : poundsOf(collected[i].value),
      ]),
    ),
    total: poundsOf(total.value),
  }),
};

const calendar: Export = {
  operationId: 'reportCalendar',
  name: 'calendar',
  items: ({ days }: CalendarReport) => days,
  cells: (day: CalendarReport['days'][number]) => ({
    date: day.date,
    planned: poundsOf(day.planned.value),
    collected: poundsOf(day.collected.value),
    waiting: poundsOf(day.waiting.value),
    failed: poundsOf(day.failed.value),
    coming: poundsOf(day.coming.value),
    settled: poundsOf(day.settled.value),
  }),
};

interface StatementLine {
  date: string;
  what: string;
  count: number | '';
  value: number;
  balance: number;
}

const statement: Export = {
  operationId: 'getStatement',
  name: 'statement',
  items: ({ from, to, opening, closing, lines }: Statement): StatementLine[] => [
    { date: from, what: 'opening_balance', count: '', value: 0, balance: opening },
    ...lines.map(({ kind, ...line }) => ({ ...line, what: kind })),
    { date: to, what: 'closing_balance', count: '', value: 0, balance: closing },
  ],
  cells: ({ date, what, count, value, balance }: StatementLine) => ({
    date,
    what,
    count,
    amount: value,
    balance,
  }),
  // As numbers: a text that begins with a minus sign would be guarded as a formula.
  form: () => ({ number: (value, column) => (column === 'count' ? `${value}` : poundsOf(value)) }),
};

/** The reports as files. */
export const REPORT_EXPORTS: readonly Export[] = [failures, ageing, cohorts, calendar, statement];
