import { derivedId } from '../../platform/values/ids.ts';
import type { Vault } from '../../platform/vault/vault.ts';

/** See docs/rules/payments.md#statuses. */
export const PAYMENT_STATUSES = ['pending', 'processing', 'success', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** An occurrence's payment, or one besides the occurrences: docs/rules/payments.md#ad-hoc-payments. */
export const PAYMENT_KINDS = ['scheduled', 'ad_hoc', 'first'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** The beginning of the reason under which the audit trail records that an ad-hoc payment was requested. */
export const COLLECTED_ONCE = 'collected once';

/** Why an attempt or a payment failed, as reported to the merchant. */
export interface Failure {
  code: string;
  message: string;
}

/**
 * Why no retry follows a failure: the failure would recur (`final`), all retries are used (`max_retries`), the retry would
 * collide with the next occurrence (`next_occurrence`), come after the end of the consent (`end_date`) or exceed its limits
 * (`limits`), the attempt was requested `by_hand`, or the schedule or its consent was `stopped`.
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

export interface PaymentKey {
  merchantId: string;
  paymentId: string;
}

/** Identifies an attempt of a payment. */
export interface AttemptRef extends PaymentKey {
  scheduleId: string;
  /** 1 for the first; in a payment's row, the latest. */
  attempt: number;
}

/**
 * Derives the id of an occurrence's payment from the occurrence itself: a database that has lost the payment opens it under the
 * same id again, and the bank recognises the order that it already has.
 */
export function paymentIdOf(
  vault: Vault,
  occurrence: { merchantId: string; scheduleId: string; dueDate: Temporal.Instant },
): string {
  const { merchantId, scheduleId, dueDate } = occurrence;
  const name = `${merchantId} ${scheduleId} ${dueDate.epochMilliseconds}`;
  return derivedId('pay', dueDate, vault.index(name, 'payment-id'));
}

/**
 * Derives the id of an ad-hoc payment from the name of its request: the idempotency key, or random digits. Without a due date
 * the time of the id is the day, so that a later repeat gives the same id to a database that has lost the payment.
 */
export function adHocPaymentIdOf(
  vault: Vault,
  request: { merchantId: string; scheduleId: string; dueDate: Temporal.Instant; isDated: boolean },
  name: string,
): string {
  const { merchantId, scheduleId, dueDate, isDated } = request;
  const at = isDated ? dueDate : startOfDayInUtc(dueDate);
  const digest = vault.index(
    `${merchantId} ${scheduleId} ${at.epochMilliseconds} ${name}`,
    'ad-hoc-payment-id',
  );
  return derivedId('pay', at, digest);
}

/** Derives the id of a schedule's first payment: there is one, and a database that has lost it gives it the same. */
export function firstPaymentIdOf(
  vault: Vault,
  schedule: { merchantId: string; scheduleId: string; createdAt: Temporal.Instant },
): string {
  const { merchantId, scheduleId, createdAt } = schedule;
  return derivedId(
    'pay',
    createdAt,
    vault.index(`${merchantId} ${scheduleId}`, 'first-payment-id'),
  );
}

const startOfDayInUtc = (at: Temporal.Instant): Temporal.Instant =>
  at.toZonedDateTimeISO('UTC').startOfDay().toInstant();

/** Returns the name of an attempt at the bank: instruction id, end-to-end id and idempotency key; at most 31 characters. */
export function instructionId(paymentId: string, attempt: number): string {
  return `${paymentId}-a${attempt}`;
}

/** Returns the payment and attempt that an end-to-end id names, or null if it is not ours. */
export function readInstructionId(
  text: string | null,
): { paymentId: string; attempt: number } | null {
  const match = /^(pay_[0-9A-Za-z]{22})-a([1-9]\d{0,2})$/.exec(text ?? '');
  if (match === null) return null;
  return { paymentId: match[1] ?? '', attempt: Number(match[2]) };
}

/** What a payment's row says of a payment under way; it stays the same until the payment ends. */
export interface Facts extends PaymentKey {
  scheduleId: string;
  consentId: string;
  amountPence: number;
  dueDate: Temporal.Instant;
}

/** The part of a payment's row that is needed to record an outcome. */
export interface RecordedRow extends AttemptRef {
  walletId: string;
  amountPence: number;
  currency: string;
  manual: boolean;
}

/** A locked payment to which unallocated money is assigned. */
export type Receiving = RecordedRow & { status: PaymentStatus; stage: string | null };

/** A payment to open. */
export interface NewPayment {
  merchantId: string;
  paymentId: string;
  scheduleId: string;
  customerId: string;
  consentId: string;
  walletId: string;
  bankId: string;
  amountPence: number;
  currency: string;
  dueDate: Temporal.Instant;
  /** The terms that it follows, and which of their occurrences it is; null for a payment besides these. */
  termsVersion: number | null;
  occurrence: number | null;
  /** The first attempt begins at once: the payment is claimed on opening. */
  isBegun: boolean;
  /** Given for a payment besides the occurrences, which may be due later. */
  adHoc?: { description: string | null; reason: string; isFirst?: boolean };
}
