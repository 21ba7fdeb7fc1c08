import { derivedId } from '../platform/ids.ts';
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

/** A payment, locked, to which unallocated money is given. */
export type Receiving = RecordedRow & { status: PaymentStatus; stage: string | null };
