import { isDebited } from '../../banks/status-codes.ts';
import { isAfter } from '../../platform/values/instants.ts';
import type { PaymentStatus } from './payment.ts';
import { CREDITED_FOR, NO_OUTCOME_FOR, NOT_SENT_FOR, NOT_TRANSFERRED_FOR } from './retry.ts';

/** Why a payment waits for an operator: it cannot end on its own. */
export const WAITING_REASONS = [
  'no_outcome',
  'credited_without_money',
  'wrong_amount',
  'not_transferred',
  'not_sent',
] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

export interface Waiting {
  reason: WaitingReason;
  since: Temporal.Instant;
}

/** The facts of a payment that decide whether it waits. */
export interface PaymentFacts {
  status: PaymentStatus;
  stage: string | null;
  /** When its last attempt was first sent; null: it was not. */
  sentAt: Temporal.Instant | null;
  /** When the bank reported that it has paid; null: it did not. */
  claimedAt: Temporal.Instant | null;
  /** Since when money of another amount than requested is on the unallocated list for it; null: there is none. */
  wrongAmountSince: Temporal.Instant | null;
  /** When its money came, if that is still to be transferred to the merchant. */
  paidAt?: Temporal.Instant | null;
  /** When its last attempt began, or is to begin. */
  beginsAt?: Temporal.Instant | null;
}

/** Whether a payment waits for an operator, why, and since when; null: it continues automatically, or has ended. */
export function waitingFor(payment: PaymentFacts, now: Temporal.Instant): Waiting | null {
  const {
    status,
    stage,
    sentAt,
    claimedAt,
    wrongAmountSince,
    paidAt = null,
    beginsAt = null,
  } = payment;
  const isUnsent = status === 'pending' || (status === 'processing' && sentAt === null);
  if (isUnsent && stage !== 'move')
    return beginsAt !== null && hasPassed(NOT_SENT_FOR, beginsAt, now)
      ? { reason: 'not_sent', since: beginsAt }
      : null;
  if (status !== 'processing') return null;
  if (stage === 'move')
    return paidAt !== null && hasPassed(NOT_TRANSFERRED_FOR, paidAt, now)
      ? { reason: 'not_transferred', since: paidAt }
      : null;
  if (wrongAmountSince !== null) return { reason: 'wrong_amount', since: wrongAmountSince };
  if (claimedAt !== null && hasPassed(CREDITED_FOR, claimedAt, now))
    return { reason: 'credited_without_money', since: claimedAt };
  if (sentAt !== null && hasPassed(NO_OUTCOME_FOR, sentAt, now))
    return { reason: 'no_outcome', since: sentAt };
  return null;
}

const hasPassed = (
  time: Temporal.Duration,
  since: Temporal.Instant,
  now: Temporal.Instant,
): boolean => !isAfter(since.add(time), now);

/** A bank's report when an operator acts; null: the bank cannot be queried, or does not respond. */
export type BankAnswer = { outcome: 'credited' | 'pending' | 'failed'; bankStatus: string } | null;

/**
 * Returns why an operator may not end a payment with this report from its bank; null: they may. They may if the bank has debited
 * or credited it and the money did not come; if it is open at the bank, only with evidence of its outcome.
 */
export function refusalBy(word: BankAnswer, hasEvidence: boolean): string | null {
  if (word === null) return null;
  const { outcome, bankStatus } = word;
  if (outcome === 'failed') return `the bank reports ${bankStatus}: it is recorded automatically`;
  if (outcome === 'credited' || isDebited(bankStatus) || hasEvidence) return null;
  return `the bank says that its payment is still open: ${bankStatus}. Evidence of its end is required`;
}
