import { afterJitter, delayFrom, doublingDelay } from '../../platform/network/backoff.ts';
import { isAfter, isBefore } from '../../platform/values/instants.ts';
import { type FailedAttempt, retryTime } from '../../schedules/terms/retry-times.ts';
import type { NoRetryReason } from './payment.ts';

/** Delays. Those of retries are with the terms; leases, and waits of one decision, with what uses them. */

/** Seconds to the next status poll of an attempt under way, by number of polls so far; the last delay repeats. */
const POLLS = [2, 5, 15, 60, 300, 1800] as const;

/** How long to put off an occurrence that could not be opened. */
export const OPEN_AGAIN_AFTER = Temporal.Duration.from({ hours: 1 });

/**
 * How long an attempt may be re-sent under its idempotency key: banks keep keys for 24 hours. After that the bank might take the
 * repeat for a new payment, and only the arrival of the money can decide.
 */
export const RESEND_FOR = Temporal.Duration.from({ hours: 23 });

/** From this delay of a first order on, a bank's no is checked at the issuer: the money may have been collected before. */
export const LATE = Temporal.Duration.from({ minutes: 10 });

/** How long an order whose response was lost may still be on its way to the bank. */
export const MAX_TIME_IN_FLIGHT = Temporal.Duration.from({ minutes: 10 });

/** How long after an order its money may still be on its way; Faster Payments take at most two hours. */
export const ARRIVES_WITHIN = Temporal.Duration.from({ hours: 24 });

/** How long a payment may stay without an outcome before it waits for an operator: bank and rails have had enough time. */
export const NO_OUTCOME_FOR = Temporal.Duration.from({ hours: 24 });
/** The same for a payment that the bank reports as paid. */
export const CREDITED_FOR = Temporal.Duration.from({ hours: 2 });

/** The same for one whose money has arrived, and is not in the merchant's wallet. */
export const NOT_TRANSFERRED_FOR = Temporal.Duration.from({ hours: 2 });
/** The same for one that is due, and of which nothing was sent: a hold, a stop or a consent may keep it. */
export const NOT_SENT_FOR = Temporal.Duration.from({ hours: 7 * 24 });

/** Seconds to wait after a failed transfer; doubled with each failure, up to the longest. */
const TRANSFER_FIRST = 30;
const TRANSFER_LONGEST = 1800;
/** Seconds to the next check of a transfer that is pending at the issuer; a notice makes it due now. */
const TRANSFER_PENDING = 60;
/** The same after a request that the issuer did not answer: many transfers are one request, so that this costs it little. */
const TRANSFER_UNKNOWN = 10;

/** How long after an order that was left open its payment may not be retried by hand. */
export const LEFT_OPEN_FOR = Temporal.Duration.from({ hours: 7 * 24 });

/**
 * Seconds before each status read of a paid attempt at its bank; the last delay repeats. If the bank never reports more than
 * `ACSC`, we stop after a week.
 */
const PAID_READS = [30, 300, 3600, 6 * 3600, 18 * 3600, 24 * 3600] as const;
const PAID_READ_FOR = Temporal.Duration.from({ hours: 7 * 24 });
/** The same for an order that was left open; the last delay repeats. */
const OPEN_READS = [1800, 3600, 6 * 3600, 24 * 3600] as const;

/** The response to an order may still be on its way: by then most payments that a bank reports are known. */
export const FIRST_READ_AFTER = Temporal.Duration.from({ seconds: 30 });
/** Seconds before each further read of such a payment; after the last one the notice is dropped. */
const READ_DELAYS_SECONDS = [300, 3600, 6 * 3600, 24 * 3600];

/** Returns when to poll the bank next about an attempt, with jitter. */
export function nextPollAt(
  now: Temporal.Instant,
  polls: number,
  paymentId: string,
): Temporal.Instant {
  return afterJitter(now, delayFrom(POLLS, polls), `${paymentId} ${polls}`);
}

/**
 * The same for an attempt that the bank has confirmed, after `polls` polls: its notice or the money comes within seconds, so that
 * the first delay is left out.
 */
export function nextPollWhilePending(
  now: Temporal.Instant,
  polls: number,
  paymentId: string,
): Temporal.Instant {
  return nextPollAt(now, polls + 2, paymentId);
}

/**
 * The same as `nextPollAt`, but not before the bank accepts calls again. Jitter is added to that time too, so that calls do not
 * all resume at once.
 */
export function nextPollAfterRest(
  now: Temporal.Instant,
  polls: number,
  paymentId: string,
  rest: Temporal.Instant | null,
): Temporal.Instant {
  const at = nextPollAt(now, polls, paymentId);
  if (rest === null || isAfter(at, rest)) return at;
  return nextPollAt(rest, 1, paymentId);
}

/**
 * Returns when to retry or check a transfer again: after its n-th failure, while it is `pending`, if the issuer `refused` the
 * order, or if its outcome is `unknown`.
 */
export function nextTransferAt(
  now: Temporal.Instant,
  key: string,
  after: { failures: number } | 'pending' | 'refused' | 'unknown',
): Temporal.Instant {
  const seconds =
    typeof after === 'object'
      ? doublingDelay(TRANSFER_FIRST, TRANSFER_LONGEST, after.failures)
      : { pending: TRANSFER_PENDING, refused: TRANSFER_LONGEST, unknown: TRANSFER_UNKNOWN }[after];
  return afterJitter(now, seconds, key);
}

/** Returns when to read a payment that a bank reported again, after `tries` reads; null: no more reads. */
export function nextReadAt(
  now: Temporal.Instant,
  tries: number,
  bankPaymentId: string,
): Temporal.Instant | null {
  const seconds = READ_DELAYS_SECONDS[tries - 1];
  return seconds === undefined ? null : afterJitter(now, seconds, `${bankPaymentId} ${tries}`);
}

export interface RetryInput extends FailedAttempt {
  maxRetries: number;
  /** The schedule's next occurrence: a retry must come before it. Null if there is none. */
  nextOccurrence: Temporal.Instant | null;
  errorClass: 'retryable' | 'final';
  /** Whether the consent's limits would refuse a payment at that moment. */
  refusedByLimits: (at: Temporal.Instant) => boolean;
  /** The last moment of the consent's validity; null for no end. */
  validTo: Temporal.Instant | null;
}

/** When to retry, or why not. */
export type RetryDecision = { at: Temporal.Instant } | { none: NoRetryReason };

/**
 * Decides on the retry after a known failure: it comes before the next occurrence, while the consent is valid and within its
 * limits, or there is none.
 */
export function nextRetry(input: RetryInput): RetryDecision {
  if (input.errorClass === 'final') return { none: 'final' };
  if (input.failedAttempts > input.maxRetries) return { none: 'max_retries' };
  const at = retryTime(input);
  if (input.nextOccurrence && !isBefore(at, input.nextOccurrence))
    return { none: 'next_occurrence' };
  if (input.validTo && isAfter(at, input.validTo)) return { none: 'end_date' };
  if (input.refusedByLimits(at)) return { none: 'limits' };
  return { at };
}

/** Why a final failure has no retry, as reported to the merchant. */
export function finalReason(failureCode: string): NoRetryReason {
  if (failureCode === 'limit_exceeded') return 'limits';
  return STOPS.has(failureCode) ? 'stopped' : 'final';
}

/** Failures that mean that the merchant or the customer stopped the payment. */
const STOPS = new Set([
  'schedule_paused',
  'schedule_cancelled',
  'consent_revoked',
  'consent_expired',
]);

/** Statuses after which a bank reports nothing else about a payment. */
export const FINAL_STATUSES: readonly string[] = ['ACCC', 'RJCT', 'CANC', 'BLCK'];

/**
 * Whether the bank of a paid attempt can still be queried for its last status: it has an id for the payment, and that status is
 * not a final one.
 */
export const awaitsFinalStatus = (attempt: {
  bankPaymentId: string | null;
  bankStatus: string | null;
}): boolean => attempt.bankPaymentId !== null && !FINAL_STATUSES.includes(attempt.bankStatus ?? '');

/** An ended attempt whose bank was read, and how often. */
interface EndedAttemptRead {
  paymentId: string;
  /** A stop ended it, and its order may still be open at the bank. */
  leftOpen: boolean;
  since: Temporal.Instant;
  tries: number;
}

/** Returns when to read the bank first about an attempt that has ended. */
export function firstRead(now: Temporal.Instant, isLeftOpen: boolean): Temporal.Instant {
  return now.add({ seconds: (isLeftOpen ? OPEN_READS : PAID_READS)[0] ?? 0 });
}

/**
 * Decides what follows a read at the bank: another read, none until the bank itself reports on the payment (`rests`), or the end
 * (`done`). `outcome`: what the bank reported; null: nothing. Time ends the reads, not their number: an outage uses none up. An
 * order that was left open and that the bank has credited stays open: its money is on the way.
 */
export function nextRead(
  asked: EndedAttemptRead,
  outcome: 'pending' | 'credited' | 'failed' | null,
  now: Temporal.Instant,
): { at: Temporal.Instant } | 'rests' | 'done' {
  const { leftOpen: isLeftOpen, since, paymentId: id, tries } = asked;
  if (outcome === 'failed') return 'done';
  if (outcome === 'credited') return isLeftOpen ? 'rests' : 'done';
  const seconds = delayFrom(isLeftOpen ? OPEN_READS : PAID_READS, tries + 1);
  const at = afterJitter(now, seconds, `${id} ${tries}`);
  const isOver = isAfter(at, since.add(isLeftOpen ? LEFT_OPEN_FOR : PAID_READ_FOR));
  if (!isOver) return { at };
  return isLeftOpen ? 'rests' : 'done';
}
