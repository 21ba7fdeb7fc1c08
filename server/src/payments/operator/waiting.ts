import { isDebited } from '../../banks/bank.ts';
import type { PaymentStatus } from '../payment.ts';
import { CREDITED_FOR, NO_OUTCOME_FOR } from '../retry.ts';

/** Why a payment waits for a person: it cannot end on its own. */
export type WaitingReason = 'no_outcome' | 'credited_without_money' | 'wrong_amount';

export interface Waiting {
  reason: WaitingReason;
  since: Temporal.Instant;
}

/** A payment as far as its waiting depends on it. */
export interface PaymentFacts {
  status: PaymentStatus;
  stage: string | null;
  /** When its last attempt was sent first; null: it was not. */
  sentAt: Temporal.Instant | null;
  /** When the bank said that it has paid; null: it did not. */
  claimedAt: Temporal.Instant | null;
  /** Since when money of another amount than asked for waits on the unallocated list for it; null: none does. */
  wrongAmountSince: Temporal.Instant | null;
}

/** Whether a payment waits for a person, why, and since when; null: it goes on automatically, or has ended. */
export function waitingFor(payment: PaymentFacts, now: Temporal.Instant): Waiting | null {
  if (payment.status !== 'processing' || payment.stage === 'move') return null;
  const { sentAt, claimedAt, wrongAmountSince } = payment;
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
): boolean => Temporal.Instant.compare(since.add(time), now) <= 0;

/** What a bank says of a payment when an operator asks; null: it cannot be asked, or does not answer. */
export type BankWord = { outcome: 'credited' | 'pending' | 'failed'; bankStatus: string } | null;

/**
 * Why an operator's word does not end a payment whose bank says this; null: it does. What the bank has debited or credited and
 * whose money did not come, it ends; what is open at the bank, only with evidence of its outcome.
 */
export function refusalBy(word: BankWord, hasEvidence: boolean): string | null {
  if (word === null) return null;
  const { outcome, bankStatus } = word;
  if (outcome === 'failed') return `the bank reports ${bankStatus}: it is recorded automatically`;
  if (outcome === 'credited' || isDebited(bankStatus) || hasEvidence) return null;
  return `the bank says that its payment is still open: ${bankStatus}. Evidence of its end is required`;
}
