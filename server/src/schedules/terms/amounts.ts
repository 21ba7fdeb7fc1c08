import { firstIndexAfter, occurrence, type Since, type Upcoming, upcoming } from './occurrences.ts';
import type { Terms } from './schedule.ts';

/** What was set for single occurrences, by their due date in milliseconds: an amount in pence, or null to skip it. */
export type Changes = ReadonlyMap<number, number | null>;

export const NO_CHANGES: Changes = new Map();

/** An occurrence that is still to come, with what it collects. */
export interface Planned extends Upcoming {
  /** In pence. Null: no amount is set yet, and without one it is skipped. */
  amountPence: number | null;
  isSkipped: boolean;
  /** The merchant set an amount for it, or skips it. */
  isChanged: boolean;
  /** Why it does not collect the usual amount; null if it does. `reason` is about the date. */
  amountReason: string | null;
}

/** Why an occurrence is skipped when it falls due. */
export const SKIP_REASONS = ['skipped', 'amount_not_set'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * Decides what an occurrence that falls due collects: an amount in pence, or the reason why it is skipped. `set`: what was set
 * for it; undefined: nothing.
 */
export function dueAmount(
  { amountPence, amountMode }: Pick<Terms, 'amountPence' | 'amountMode'>,
  set: number | null | undefined,
): number | SkipReason {
  if (set === null) return 'skipped';
  if (set !== undefined) return set;
  return amountMode === 'per_occurrence' ? 'amount_not_set' : amountPence;
}

/** Whether a series has an occurrence at this very moment. */
export function isOccurrence({ series }: Pick<Terms, 'series'>, at: Temporal.Instant): boolean {
  const index = firstIndexAfter(series, at.subtract({ nanoseconds: 1 }));
  return occurrence(series, index)?.equals(at) ?? false;
}

/** Returns at most `limit` of the occurrences that count, with what each collects, and why where that is not the usual amount. */
export function plannedOccurrences(
  terms: Terms,
  changes: Changes,
  since: Since,
  limit: number,
): Planned[] {
  return upcoming(terms.series, since, limit).map((next) => planned(terms, changes, next));
}

function planned(terms: Terms, changes: Changes, next: Upcoming): Planned {
  const set = changes.get(next.dueDate.epochMilliseconds);
  const isVariable = terms.amountMode === 'per_occurrence';
  const usual = isVariable ? null : terms.amountPence;
  return {
    ...next,
    amountPence: set ?? usual,
    isSkipped: set === null,
    isChanged: set !== undefined,
    amountReason: whyOf(set, isVariable),
  };
}

function whyOf(set: number | null | undefined, isVariable: boolean): string | null {
  if (set === null) return 'skipped: nothing is collected';
  if (set !== undefined) return 'the amount was set for this collection';
  return isVariable ? 'no amount is set yet: without one it is skipped' : null;
}
