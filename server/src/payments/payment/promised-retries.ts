import { type ControlParameters, refusalBeside } from '../../schedules/limits/room.ts';
import { upcoming } from '../../schedules/terms/occurrences.ts';
import type { Terms } from '../../schedules/terms/schedule.ts';
import { nextRetry } from './retry.ts';

/** How often a payment that keeps failing is retried. */
export interface PromisedRetries {
  /** After each payment except the last. */
  each: number;
  /** After the last payment of a schedule that ends; null if none of the payments examined is the last. */
  last: number | null;
}

/** Twelve months, and one more. */
const HORIZON_MONTHS = 13;

/**
 * Returns how many retries we may announce to the customer: `maxRetries`, less those that would collide with the next payment,
 * come after the schedule's end or exceed the limits. Computed for the coming payments as if each attempt failed at once; the
 * minimum counts.
 */
export function promisedRetries(
  terms: Terms,
  params: ControlParameters,
  maxRetries: number,
  now: Temporal.Instant,
): PromisedRetries {
  const dates = upcoming(terms.series, { after: now, index: 0 }, HORIZON_MONTHS).map(
    (next) => next.dueDate,
  );
  const isComplete = dates.length < HORIZON_MONTHS;
  const counts = dates.map((at, n) => retriesOf(terms, params, maxRetries, at, dates[n + 1]));
  const last = isComplete ? (counts.at(-1) ?? null) : null;
  const others = counts.slice(0, -1);
  return { each: others.length === 0 ? (last ?? 0) : Math.min(...others), last };
}

function retriesOf(
  terms: Terms,
  params: ControlParameters,
  maxRetries: number,
  dueDate: Temporal.Instant,
  next: Temporal.Instant | undefined,
): number {
  const { amountPence, series } = terms;
  const toCome = next === undefined ? [] : [{ terms, from: next }];
  let failedAt = dueDate;
  for (let retries = 0; ; retries++) {
    const decision = nextRetry({
      frequencyType: series.frequency.type,
      failedAttempts: retries + 1,
      maxRetries,
      failedAt,
      nextOccurrence: next ?? null,
      errorClass: 'retryable',
      timeZone: series.timeZone,
      refusedByLimits: (at) =>
        refusalBeside({ params, used: [], toCome }, { at, amountPence }) !== null,
      validTo: params.validTo,
    });
    if ('none' in decision) return retries;
    failedAt = decision.at;
  }
}
