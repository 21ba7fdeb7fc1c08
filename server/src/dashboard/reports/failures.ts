import { FAILURE_MESSAGES } from '../../banks/failure-messages.ts';
import { totalOf } from '../overview/days.ts';
import type { DayRange } from './range.ts';
import type { FailureRow } from './store.ts';
import type { FailureLine, FailureReport, Sum } from './view.ts';

type Outcomes = FailureReport['total'];
type Period = Pick<FailureLine, 'from' | 'to'>;

const MESSAGES: Readonly<Record<string, string>> = FAILURE_MESSAGES;

/** Returns why a payment failed, as merchants read it. */
export function failureMessage(reason: string): string {
  return MESSAGES[reason] ?? 'The bank did not say why.';
}

/** Returns the report over rows that are already summed per period, reason and outcome. */
export function failuresOf(
  rows: readonly FailureRow[],
  range: DayRange,
  by: 'week' | 'month',
): Pick<FailureReport, 'total' | 'reasons' | 'periods' | 'lines'> {
  const periods = periodsOf(range, by);
  const reasons = [...Map.groupBy(rows, (row) => row.reason)].map(([reason, ofReason]) => ({
    reason,
    message: failureMessage(reason),
    ...outcomesOf(ofReason),
  }));
  reasons.sort((a, b) => b.failed.value - a.failed.value || a.reason.localeCompare(b.reason));
  const byPeriod = Map.groupBy(rows, (row) => row.period.toString());
  const ofPeriod = ({ start }: { start: string }) => byPeriod.get(start) ?? [];
  return {
    total: outcomesOf(rows),
    reasons,
    periods: periods.map((period) => ({ ...shown(period), ...outcomesOf(ofPeriod(period)) })),
    lines: periods.flatMap((period) => linesOf(shown(period), ofPeriod(period))),
  };
}

function linesOf(period: Period, rows: readonly FailureRow[]): FailureLine[] {
  const lines = [...Map.groupBy(rows, (row) => row.reason)].map(([reason, ofReason]) => ({
    ...period,
    reason,
    message: failureMessage(reason),
    ...outcomesOf(ofReason),
  }));
  return lines.sort((a, b) => a.reason.localeCompare(b.reason));
}

const shown = ({ from, to }: Period): Period => ({ from, to });

/** Returns the weeks (from Monday) or months of a range; the first and the last may be cut by the range. */
function periodsOf(
  { first, last }: DayRange,
  by: 'week' | 'month',
): (Period & { start: string })[] {
  const periods: (Period & { start: string })[] = [];
  let start =
    by === 'week' ? first.subtract({ days: first.dayOfWeek - 1 }) : first.with({ day: 1 });
  while (Temporal.PlainDate.compare(start, last) <= 0) {
    const next = start.add(by === 'week' ? { days: 7 } : { months: 1 });
    const end = next.subtract({ days: 1 });
    const from = Temporal.PlainDate.compare(start, first) < 0 ? first : start;
    const to = Temporal.PlainDate.compare(end, last) > 0 ? last : end;
    periods.push({ start: start.toString(), from: from.toString(), to: to.toString() });
    start = next;
  }
  return periods;
}

function outcomesOf(rows: readonly FailureRow[]): Outcomes {
  const sum = (outcome?: FailureRow['outcome']): Sum =>
    totalOf(rows.filter((row) => outcome === undefined || row.outcome === outcome));
  const [recovered, lost] = [sum('recovered'), sum('lost')];
  const ended = recovered.count + lost.count;
  return {
    failed: sum(),
    recovered,
    waiting: sum('waiting'),
    lost,
    recovered_share: ended === 0 ? null : recovered.count / ended,
  };
}
