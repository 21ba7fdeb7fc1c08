import { delayFrom, doublingDelay, withJitter } from '../platform/backoff.ts';
import type { FrequencyType } from '../schedules/frequency.ts';
import type { NoRetryReason } from './payment.ts';

/** Every delay of the slice. Leases stand with the stage that takes them. */

/** How long to wait after each failed attempt; the last of a list repeats. */
export interface RetryDelays {
  /** Calendar days, for weekly and longer frequencies: the wall-clock time is kept. */
  days: readonly number[];
  /** Hours, for daily frequencies. */
  hours: readonly number[];
}

const DEFAULT_RETRY_DELAYS: RetryDelays = { days: [1, 2, 3], hours: [2, 4, 8] };

/** Seconds to the next poll of a bank about an attempt under way, by how often it was asked; the last one repeats. */
const POLLS = [2, 5, 15, 60, 300, 1800] as const;

/** An occurrence that cannot be opened is tried again after an hour. */
export const OPEN_AGAIN_AFTER = Temporal.Duration.from({ hours: 1 });

/**
 * An attempt may be sent again under its idempotency key for so long: banks keep keys for 24 hours. After that the bank might
 * take the repeat for a new payment, and only the money's arrival can tell.
 */
export const RESEND_FOR = Temporal.Duration.from({ hours: 23 });

/** So long an order whose answer was lost may still be on its way to the bank. */
export const ON_ITS_WAY = Temporal.Duration.from({ minutes: 10 });

/** So long after an order its money may still be on the way; Faster Payments take two hours at the most. */
export const ARRIVES_WITHIN = Temporal.Duration.from({ hours: 24 });

/** After so long without an outcome a payment waits for an operator: bank and rails have had their time. */
export const NO_OUTCOME_FOR = Temporal.Duration.from({ hours: 24 });
/** The same where the bank says that it has paid. */
export const CREDITED_FOR = Temporal.Duration.from({ hours: 2 });

/** Seconds after a known failure of a transfer, doubled with each, up to the longest. */
const TRANSFER_FIRST = 30;
const TRANSFER_LONGEST = 1800;
/** Seconds to the next question about a transfer that is pending at the issuer; a notice makes it due now. */
const TRANSFER_PENDING = 60;

/** A payment whose order was left open may not be retried by hand for so long, from that order. */
export const LEFT_OPEN_FOR = Temporal.Duration.from({ hours: 7 * 24 });

/** Seconds after each read of a paid attempt at its bank. A bank that never says more than `ACSC` is left alone after a day. */
const PAID_READS = [30, 300, 3600, 6 * 3600, 18 * 3600] as const;
/** The same for an order that was left open; the last one repeats. */
const OPEN_READS = [1800, 3600, 6 * 3600, 24 * 3600] as const;

/** The answer to an order may be on its way: a payment that a bank reports is known by then, mostly. */
export const FIRST_LOOK_AFTER = Temporal.Duration.from({ seconds: 30 });
/** Seconds after each question about it without an answer; after the last one the notice is forgotten. */
const LOOKS = [300, 3600, 6 * 3600, 24 * 3600];

/** When the bank is polled next about an attempt, with jitter. */
export function nextPollAt(
  now: Temporal.Instant,
  polls: number,
  paymentId: string,
): Temporal.Instant {
  return now.add(withJitter(delayFrom(POLLS, polls), `${paymentId} ${polls}`));
}

/** The same, and not before the bank wants to be called again. Jitter is added to that, too: not everybody calls at its end. */
export function nextPollAfterRest(
  now: Temporal.Instant,
  polls: number,
  paymentId: string,
  rest: Temporal.Instant | null,
): Temporal.Instant {
  const at = nextPollAt(now, polls, paymentId);
  if (rest === null || Temporal.Instant.compare(at, rest) > 0) return at;
  return nextPollAt(rest, 1, paymentId);
}

/** When a transfer is asked for again: after its n-th failure, while it is `pending`, or where the issuer `refused` the order. */
export function nextTransferAt(
  now: Temporal.Instant,
  key: string,
  after: { failures: number } | 'pending' | 'refused',
): Temporal.Instant {
  const seconds =
    after === 'pending'
      ? TRANSFER_PENDING
      : after === 'refused'
        ? TRANSFER_LONGEST
        : doublingDelay(TRANSFER_FIRST, TRANSFER_LONGEST, after.failures);
  return now.add(withJitter(seconds, key));
}

/** When a bank is asked again about a payment that it reported, after so many tries; null: no more. */
export function nextLookAt(
  now: Temporal.Instant,
  tries: number,
  bankPaymentId: string,
): Temporal.Instant | null {
  const seconds = LOOKS[tries - 1];
  return seconds === undefined ? null : now.add(withJitter(seconds, `${bankPaymentId} ${tries}`));
}

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

/** Statuses after which a bank says nothing else of a payment. */
export const LAST_WORDS: readonly string[] = ['ACCC', 'RJCT', 'CANC', 'BLCK'];

/** Whether the bank of a paid attempt can still be asked for its last word: it has an id for the payment, and another status. */
export const awaitsLastWord = (attempt: {
  bank_payment_id: string | null;
  bank_status: string | null;
}): boolean => attempt.bank_payment_id !== null && !LAST_WORDS.includes(attempt.bank_status ?? '');

/** An ended attempt whose bank was asked, for the n-th time. */
interface Asked {
  payment_id: string;
  /** A no ended it, and its order may still be open at the bank. */
  left_open: boolean;
  since: Temporal.Instant;
  tries: number;
}

/** When the bank is asked first about an attempt that has ended. */
export function firstRead(now: Temporal.Instant, isLeftOpen: boolean): Temporal.Instant {
  return now.add({ seconds: (isLeftOpen ? OPEN_READS : PAID_READS)[0] ?? 0 });
}

/**
 * What follows a look at the bank: another one, none (`rests`: until the bank tells of the payment on its own), or the attempt is
 * `done` with. `outcome`: what the bank said, null where it did not tell. An order that was left open and that the bank has
 * credited stays open: its money comes.
 */
export function nextRead(
  asked: Asked,
  outcome: 'pending' | 'credited' | 'failed' | null,
  now: Temporal.Instant,
): { at: Temporal.Instant } | 'rests' | 'done' {
  const waits = asked.left_open ? OPEN_READS : PAID_READS;
  if (outcome === 'failed') return 'done';
  if (outcome === 'credited') return asked.left_open ? 'rests' : 'done';
  if (!asked.left_open && asked.tries >= waits.length) return 'done';
  const seconds = delayFrom(waits, asked.tries + 1);
  const at = now.add(withJitter(seconds, `${asked.payment_id} ${asked.tries}`));
  const isOver =
    asked.left_open && Temporal.Instant.compare(at, asked.since.add(LEFT_OPEN_FOR)) > 0;
  return isOver ? 'rests' : { at };
}
