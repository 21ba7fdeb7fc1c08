import type { FrequencyType } from '../schedules/frequency.ts';
import type { NoRetryReason } from './payment.ts';

/** How long to wait after each failed attempt; the last of a list repeats. */
export interface RetryDelays {
  /** Calendar days, for weekly and longer frequencies: the wall-clock time is kept. */
  days: readonly number[];
  /** Hours, for daily frequencies. */
  hours: readonly number[];
}

const DEFAULT_RETRY_DELAYS: RetryDelays = { days: [1, 2, 3], hours: [2, 4, 8] };

export interface RetryInput {
  frequencyType: FrequencyType;
  /** Automatic attempts that failed so far; 1 after the first. Attempts by hand do not count. */
  failedAttempts: number;
  maxRetries: number;
  failedAt: Temporal.Instant;
  /** The schedule's next occurrence, which a retry must never meet; null when there is none. */
  nextOccurrence: Temporal.Instant | null;
  errorClass: 'retryable' | 'final';
  /** The merchant's time zone. */
  timeZone: string;
  delays?: RetryDelays;
  /** Whether the consent's limits would refuse a payment at that moment. */
  refusedByLimits: (at: Temporal.Instant) => boolean;
  /** The last moment of the consent's validity; null for no end. */
  validTo: Temporal.Instant | null;
}

/** When to try again, or why not. */
export type RetryDecision = { at: Temporal.Instant } | { none: NoRetryReason };

/**
 * Decides on the retry after a known failure: it comes before the next occurrence, while the consent is valid, and within its
 * limits, or not at all.
 */
export function nextRetry(input: RetryInput): RetryDecision {
  if (input.errorClass === 'final') return { none: 'final' };
  if (input.failedAttempts > input.maxRetries) return { none: 'max_retries' };
  const at = retryTime(input);
  if (input.nextOccurrence && Temporal.Instant.compare(at, input.nextOccurrence) >= 0)
    return { none: 'next_occurrence' };
  if (input.validTo && Temporal.Instant.compare(at, input.validTo) > 0) return { none: 'end_date' };
  if (input.refusedByLimits(at)) return { none: 'limits' };
  return { at };
}

/** Why a failure that is final has no retry, as the merchant is told. */
export function finalReason(failureCode: string): NoRetryReason {
  if (failureCode === 'limit_exceeded') return 'limits';
  return STOPS.has(failureCode) ? 'stopped' : 'final';
}

/** Failures that mean that the merchant or the customer said stop. */
const STOPS = new Set([
  'schedule_paused',
  'schedule_cancelled',
  'consent_revoked',
  'consent_expired',
]);

function retryTime(input: RetryInput): Temporal.Instant {
  const { days, hours } = input.delays ?? DEFAULT_RETRY_DELAYS;
  if (input.frequencyType === 'daily') {
    return input.failedAt.add({ hours: delayAfter(hours, input.failedAttempts) });
  }
  return input.failedAt
    .toZonedDateTimeISO(input.timeZone)
    .add({ days: delayAfter(days, input.failedAttempts) })
    .toInstant();
}

function delayAfter(delays: readonly number[], failedAttempts: number): number {
  const delay = delays[Math.min(failedAttempts, delays.length) - 1];
  if (delay === undefined) throw new RangeError(`No delay after ${failedAttempts} failed attempts`);
  return delay;
}
