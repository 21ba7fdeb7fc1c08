import { derivedId } from '../platform/ids.ts';
import { spread } from '../platform/spread.ts';
import type { Vault } from '../platform/vault.ts';

/** See docs/rules/payments.md#statuses. */
export type PaymentStatus = 'pending' | 'processing' | 'success' | 'failed';

/** Why an attempt or a payment failed, as the merchant is told. */
export interface Failure {
  code: string;
  message: string;
}

/**
 * Why no retry follows a failure: the failure would repeat itself (`final`), all retries are used (`max_retries`), the retry
 * would meet the next occurrence, come after the end of the consent (`end_date`) or be beyond its limits, the attempt was asked
 * for `by_hand`, or the schedule or its consent was `stopped`.
 */
export const NO_RETRY_REASONS = [
  'final',
  'max_retries',
  'next_occurrence',
  'end_date',
  'limits',
  'by_hand',
  'stopped',
] as const;

export type NoRetryReason = (typeof NO_RETRY_REASONS)[number];

/** Which attempt of which payment. */
export interface AttemptRef {
  merchantId: string;
  paymentId: string;
  scheduleId: string;
  /** 1 for the first. */
  attempt: number;
}

/** What became of an attempt, however it was learned. */
export type Outcome =
  /** The bank says that it has paid: a claim on it, until the money is there. */
  | { kind: 'credited'; bankPaymentId: string; bankStatus: string }
  | { kind: 'pending'; bankPaymentId: string; bankStatus: string }
  | {
      kind: 'unknown';
      /** Until when the bank asked to be left alone; null where it did not. */
      notBefore: Temporal.Instant | null;
      /** When it is looked at again at the latest. */
      notAfter?: Temporal.Instant;
    }
  | {
      /** The order of this call provably never left. */
      kind: 'not_sent';
      call: number;
      notBefore: Temporal.Instant | null;
    }
  | {
      kind: 'failed';
      failure: Failure;
      isFinal: boolean;
      /** The consent may be over: it is looked at. */
      consentGone: boolean;
      bankPaymentId: string | null;
      bankStatus: string | null;
      /**
       * From which call for its attempt, the n-th, this was learned: it says nothing once somebody else has taken the attempt
       * up, whose own call may have gone through. Null: the bank's word on the payment as it stands in its books.
       */
      call: number | null;
      /** Why, in the audit trail, where the code does not say it all. */
      reason?: string;
      /** A no ended it, and not the bank. */
      isStopped?: boolean;
    };

export interface Learned {
  ref: AttemptRef;
  outcome: Outcome;
}

/** How long to wait before asking again, in seconds, by how often was asked; the last one repeats. */
const WAITS = [2, 5, 15, 60, 300, 1800];

/**
 * When to ask the bank again about an attempt that is under way or whose outcome is not known; payments that were stopped
 * by one outage are spread.
 */
export function askAgainAt(
  now: Temporal.Instant,
  polls: number,
  paymentId: string,
): Temporal.Instant {
  const seconds = WAITS[Math.min(Math.max(polls, 1), WAITS.length) - 1] ?? 1800;
  return now.add(spread(seconds, `${paymentId} ${polls}`));
}

/**
 * How long an attempt may be sent again under its idempotency key: banks keep keys for 24 hours. After that the bank is
 * not asked by POST any more, because it might take the repeat for a new payment; only the money's arrival can tell.
 */
export const RESEND_FOR = Temporal.Duration.from({ hours: 23 });

/**
 * Derives the id of an occurrence's payment from the occurrence itself, so that a database which has lost the payment opens
 * it under the same id, and the bank knows the order that it already has.
 */
export function paymentIdOf(
  vault: Vault,
  occurrence: { merchantId: string; scheduleId: string; dueDate: Temporal.Instant },
): string {
  const { merchantId, scheduleId, dueDate } = occurrence;
  const name = `${merchantId} ${scheduleId} ${dueDate.epochMilliseconds}`;
  return derivedId('pay', dueDate, vault.index(name, 'payment-id'));
}

/** The name of an attempt at the bank: instruction, end-to-end id and idempotency key; 31 characters at most. */
export function instructionId(paymentId: string, attempt: number): string {
  return `${paymentId}-a${attempt}`;
}

/** The payment and attempt behind an end-to-end id, or null where it is none of ours. */
export function readInstructionId(text: string): { paymentId: string; attempt: number } | null {
  const match = /^(pay_[0-9A-Za-z]{22})-a([1-9]\d{0,2})$/.exec(text);
  if (match === null) return null;
  return { paymentId: match[1] ?? '', attempt: Number(match[2]) };
}

/** A payment's row as far as recording an outcome needs it. */
export interface RecordedRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  wallet_id: string;
  amount_pence: number;
  currency: string;
  attempts: number;
  manual: boolean;
}
