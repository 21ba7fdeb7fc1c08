import type { FrequencyType } from './frequency.ts';

/** How long to wait after each failed attempt; the last delay of a list repeats. */
export interface RetryDelays {
  /** Calendar days, for weekly and longer frequencies: the wall-clock time is kept. */
  days: readonly number[];
  /** Hours, for daily frequencies. */
  hours: readonly number[];
}

const DEFAULT_RETRY_DELAYS: RetryDelays = { days: [1, 2, 3], hours: [2, 4, 8] };

/** An attempt that failed. */
export interface FailedAttempt {
  frequencyType: FrequencyType;
  /** Automatic attempts that failed so far; 1 after the first. Manual attempts do not count. */
  failedAttempts: number;
  failedAt: Temporal.Instant;
  /** The merchant's time zone. */
  timeZone: string;
  delays?: RetryDelays;
}

/** Returns when the retry after a failed attempt would come: docs/rules/payments.md#retries. */
export function retryTime(failed: FailedAttempt): Temporal.Instant {
  const { days, hours } = failed.delays ?? DEFAULT_RETRY_DELAYS;
  if (failed.frequencyType === 'daily') {
    return failed.failedAt.add({ hours: delayAfter(hours, failed.failedAttempts) });
  }
  return failed.failedAt
    .toZonedDateTimeISO(failed.timeZone)
    .add({ days: delayAfter(days, failed.failedAttempts) })
    .toInstant();
}

function delayAfter(delays: readonly number[], failedAttempts: number): number {
  const delay = delays[Math.min(failedAttempts, delays.length) - 1];
  if (delay === undefined) throw new RangeError(`No delay after ${failedAttempts} failed attempts`);
  return delay;
}
