import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { countWords, percentWords } from '../overview/figures.ts';

export type Split = keyof FailureReport['parts'];
export type Part = FailureReport['parts'][Split][number];

const DAYS_A_MONTH = 30.5;
const MONTHS_A_YEAR = 12;

/** Formats pence in whole pounds: a bound of amounts. */
const pounds = (pence: number): string => `£${(pence / 100).toLocaleString('en-GB')}`;

/** Formats an age where a part begins: "3 months", "a year". */
function ageWords(days: number): string {
  const months = Math.round(days / DAYS_A_MONTH);
  if (months >= MONTHS_A_YEAR) return 'a year';
  return months === 1 ? 'a month' : `${months} months`;
}

/** Names the part of a split by amount or age: "£10 to £25", "under a month", "£500 or more". */
export function boundedWords(
  split: 'amount' | 'age',
  place: number,
  bounds: readonly number[],
): string {
  const words = split === 'amount' ? pounds : ageWords;
  const [from, to] = [bounds[place - 1], bounds[place]];
  if (to === undefined) return from === undefined ? '' : `${words(from)} or more`;
  return place <= 1 ? `Under ${words(to)}` : `${words(from ?? 0)} to ${words(to)}`;
}

/** The part of a split whose failures rose most, among all that was due. */
export interface Rise {
  split: Split;
  part: Part;
}

/** A rise that is less than half a payment in a hundred explains nothing. */
const LEAST_RISE = 0.005;

/**
 * Returns where a rise in failures came from: of each split the part that rose most, the greatest first. Nothing where failures
 * did not rise. A bank, amount or age that all have says nothing about where to look.
 */
export function risesOf({ parts, total, before }: FailureReport): Rise[] {
  const rise = ({ failed, before: then }: Pick<Part, 'failed' | 'before'>): number =>
    failed.count / total.due.count - then.failed.count / before.due.count;
  if (total.due.count === 0 || before.due.count === 0) return [];
  if (rise({ failed: total.failed, before }) < LEAST_RISE) return [];
  const greatest = (split: Split): Rise[] => {
    const [part] = parts[split].toSorted((a, b) => rise(b) - rise(a));
    const isEverything = split !== 'reason' && parts[split].length === 1;
    return part === undefined || isEverything ? [] : [{ split, part }];
  };
  return (['bank', 'reason', 'amount', 'age'] as const)
    .flatMap(greatest)
    .filter(({ part }) => rise(part) >= LEAST_RISE)
    .sort((a, b) => rise(b.part) - rise(a.part));
}

/** Says how many failed of what was due, and how many in as many days before. */
export function rateWords({ total, before, from, to }: FailureReport): string {
  if (total.failure_rate === null) return '';
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const now = `${percentWords(total.failure_rate)} of ${countWords(total.due.count, 'payment')} failed at least once`;
  if (before.failure_rate === null) return `${now}. None was due in the ${days} days before.`;
  const then = `${percentWords(before.failure_rate)} of ${before.due.count.toLocaleString('en-GB')}`;
  return `${now}; in the ${days} days before it was ${then}.`;
}
