import { FAILURE_MESSAGES } from '../../banks/failure-messages.ts';
import { totalOf } from '../overview/days.ts';
import type { DayRange } from './range.ts';
import type { DueRow, Split } from './store.ts';
import type { FailureLine, FailurePart, FailureReport, Outcomes, Sum } from './view.ts';

type Period = Pick<FailureLine, 'from' | 'to'>;

/** Where the parts of a split begin: by amount, in pence; by the age of the schedule, in days. */
export const PART_BOUNDS = {
  amount: [0, 1_000, 2_500, 5_000, 10_000, 50_000],
  age: [0, 31, 92, 183, 366],
};

const MESSAGES: Readonly<Record<string, string>> = FAILURE_MESSAGES;

/** Returns why a payment failed, as merchants read it. */
export function failureMessage(reason: string): string {
  return MESSAGES[reason] ?? 'The bank did not say why.';
}

/** Returns the report over rows that are already summed per split, part, period and outcome. */
export function failuresOf(
  rows: readonly DueRow[],
  range: DayRange,
  by: 'week' | 'month',
): Pick<FailureReport, 'total' | 'before' | 'parts' | 'periods' | 'lines'> {
  const of = (split: Split, isBefore: boolean) =>
    rows.filter((row) => row.split === split && row.isBefore === isBefore);
  const parts = (split: Split) => partsOf(split, of(split, false), of(split, true));
  const byReason = of('reason', false);
  const byPeriod = Map.groupBy(byReason, ({ period }) => String(period));
  const ofPeriod = ({ start }: { start: string }) => byPeriod.get(start) ?? [];
  const periods = periodsOf(range, by);
  return {
    total: outcomesOf(byReason),
    before: outcomesOf(of('reason', true)),
    parts: {
      reason: parts('reason'),
      bank: parts('bank'),
      amount: parts('amount').sort((a, b) => Number(a.part) - Number(b.part)),
      age: parts('age').sort((a, b) => Number(a.part) - Number(b.part)),
    },
    periods: periods.map((period) => ({ ...shown(period), ...outcomesOf(ofPeriod(period)) })),
    lines: periods.flatMap((period) => linesOf(shown(period), ofPeriod(period))),
  };
}

/**
 * Returns the parts of a split, the one with the most money failed first. What was due is of the part; of a reason, which only
 * what failed has, it is everything.
 */
function partsOf(
  split: Split,
  within: readonly DueRow[],
  before: readonly DueRow[],
): FailurePart[] {
  const names = new Set([...within, ...before].flatMap(({ part }) => part ?? []));
  const outcomes = (part: string, all: readonly DueRow[]) => {
    const own = all.filter((row) => row.part === part);
    return outcomesOf(own, split === 'reason' ? all : own);
  };
  const parts = [...names].map((part) => {
    const { due, failed, failure_rate } = outcomes(part, before);
    const message = split === 'reason' ? failureMessage(part) : null;
    return { part, message, ...outcomes(part, within), before: { due, failed, failure_rate } };
  });
  return parts.sort((a, b) => b.failed.value - a.failed.value || a.part.localeCompare(b.part));
}

function linesOf(period: Period, rows: readonly DueRow[]): FailureLine[] {
  const lines = [...Map.groupBy(rows, ({ part }) => part)].flatMap(([reason, own]) =>
    reason === null
      ? []
      : [{ ...period, reason, message: failureMessage(reason), ...outcomesOf(own, rows) }],
  );
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

/** Sums rows by outcome; `due`: the rows among which these failed. */
function outcomesOf(rows: readonly DueRow[], due: readonly DueRow[] = rows): Outcomes {
  const sum = (outcome: DueRow['outcome']): Sum =>
    totalOf(rows.filter((row) => row.outcome === outcome));
  const [recovered, waiting, lost] = [sum('recovered'), sum('waiting'), sum('lost')];
  const failed = totalOf([recovered, waiting, lost]);
  const all = totalOf(due);
  const ended = recovered.count + lost.count;
  return {
    due: all,
    failed,
    recovered,
    waiting,
    lost,
    failure_rate: all.count === 0 ? null : failed.count / all.count,
    recovered_share: ended === 0 ? null : recovered.count / ended,
  };
}
