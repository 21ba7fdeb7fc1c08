import { compareInstants, isAfter } from '../../platform/values/instants.ts';
import { type PaymentStatus, readInstructionId } from './payment.ts';

/** Money that has arrived in a wallet. */
export interface ArrivedMoney {
  walletId: string;
  amountPence: number;
  /** The end-to-end id that the sender set; null if the issuer does not report it. */
  endToEndId: string | null;
  /** When the issuer received it. */
  at: Temporal.Instant;
}

/** How a pay-in was recognised: by our own end-to-end id, by wallet, amount and time, or by a person. */
export type RecognisedBy = 'name' | 'amount' | 'person';

/** The late money of a failed attempt. */
export interface LateMoney {
  attempt: number;
  payInId: string;
  by: RecognisedBy;
}

/** An attempt that money may belong to, in its current state. */
export interface Candidate {
  paymentId: string;
  attempt: number;
  walletId: string;
  amountPence: number;
  paymentStatus: PaymentStatus;
  /** The payment's last attempt, and with the bank. */
  isUnderWay: boolean;
  attemptStatus: 'started' | 'processing' | 'success' | 'failed';
  /** When it was first sent; null: never. */
  sentAt: Temporal.Instant | null;
  /** How its pay-in was recognised; null: it has no pay-in. */
  paidBy: RecognisedBy | null;
}

/** Why money belongs to no payment yet. */
export const UNALLOCATED_REASONS = [
  'nothing_awaited',
  'another_amount',
  'another_wallet',
  'paid_already',
  'later_attempt',
  'left_over',
  'came_back',
  'not_transferred',
] as const;
export type UnallocatedReason = (typeof UNALLOCATED_REASONS)[number];

/** The result of allocating arrived money. */
export type Allocation<C extends Candidate = Candidate> =
  | { kind: 'pays'; candidate: C; by: 'name' | 'amount' }
  /** Pays for an attempt recorded as failed, whose payment is not paid otherwise. */
  | { kind: 'reinstates'; candidate: C }
  | { kind: 'unallocated'; reason: UnallocatedReason; guess: C | null };

/** Tolerance between the issuer's clock and ours: with skew, money can seem to arrive before its order was sent. */
const CLOCK_TOLERANCE = Temporal.Duration.from({ minutes: 1 });

/** A payment of another amount is a plausible guess if the amounts differ by at most 1/20. */
const NEAR = 20;

/**
 * Decides what arrived money belongs to. If it carries our end-to-end id of an attempt with that wallet and amount, it belongs to
 * that attempt; otherwise to the oldest attempt that awaits this amount in this wallet and was sent before it. All other money is
 * unallocated, with a guess at its payment.
 */
export function allocate<C extends Candidate>(
  money: ArrivedMoney,
  candidates: readonly C[],
): Allocation<C> {
  const named = findNamed(money, candidates);
  if (named === null) return byAmount(money, candidates);
  if (named.walletId !== money.walletId) return unallocated('another_wallet', named);
  if (named.amountPence !== money.amountPence) return unallocated('another_amount', named);
  if (named.paidBy === 'amount') {
    // An equal attempt's money was allocated to it by amount. Its own money belongs to that attempt: exchange the two.
    const swapped = byAmount(money, candidates);
    return swapped.kind === 'pays' ? swapped : unallocated('paid_already', named);
  }
  if (named.paidBy !== null || named.attemptStatus === 'success')
    return unallocated('paid_already', named);
  if (named.isUnderWay) return { kind: 'pays', candidate: named, by: 'name' };
  if (named.paymentStatus === 'success') return unallocated('paid_already', named);
  if (named.paymentStatus === 'processing') return unallocated('later_attempt', named);
  return { kind: 'reinstates', candidate: named };
}

const unallocated = <C extends Candidate>(
  reason: UnallocatedReason,
  guess: C | null,
): Allocation<C> => ({ kind: 'unallocated', reason, guess });

function findNamed<C extends Candidate>(
  { endToEndId }: ArrivedMoney,
  candidates: readonly C[],
): C | null {
  const name = readInstructionId(endToEndId);
  if (name === null) return null;
  const isNamed = (c: C): boolean => c.paymentId === name.paymentId && c.attempt === name.attempt;
  return candidates.find(isNamed) ?? null;
}

/** Whether an attempt awaits money and was sent early enough for this money to be its own. */
function awaits(candidate: Candidate, { walletId, at }: ArrivedMoney): boolean {
  const { sentAt } = candidate;
  return (
    candidate.isUnderWay &&
    candidate.walletId === walletId &&
    candidate.paidBy === null &&
    sentAt !== null &&
    !isAfter(sentAt, at.add(CLOCK_TOLERANCE))
  );
}

/** An end-to-end id that is not ours counts as none: the payer's bank may put anything into it. */
function byAmount<C extends Candidate>(
  money: ArrivedMoney,
  candidates: readonly C[],
): Allocation<C> {
  const awaiting = candidates.filter((c) => awaits(c, money)).sort(olderFirst);
  const equal = awaiting.find((c) => c.amountPence === money.amountPence);
  if (equal !== undefined) return { kind: 'pays', candidate: equal, by: 'amount' };
  const [near] = awaiting
    .filter((c) => isNear(c, money))
    .sort((a, b) => amountDifference(a, money) - amountDifference(b, money));
  if (near !== undefined) return unallocated('another_amount', near);
  return unallocated('nothing_awaited', guessOf(money, candidates));
}

/**
 * Returns the latest attempt that was sent and has no money; otherwise the latest paid one, which may have been debited twice.
 */
function guessOf<C extends Candidate>(money: ArrivedMoney, candidates: readonly C[]): C | null {
  const alike = candidates
    .filter((c) => c.walletId === money.walletId && c.amountPence === money.amountPence)
    .filter((c) => c.sentAt !== null && !isAfter(c.sentAt, money.at.add(CLOCK_TOLERANCE)))
    .sort(olderFirst);
  const unpaid = alike.filter((c) => c.paidBy === null && c.attemptStatus !== 'success');
  return unpaid.at(-1) ?? alike.at(-1) ?? null;
}

const amountDifference = (c: Candidate, { amountPence }: ArrivedMoney): number =>
  Math.abs(c.amountPence - amountPence);

const isNear = (c: Candidate, money: ArrivedMoney): boolean =>
  amountDifference(c, money) * NEAR <= c.amountPence;

/** Orders by time sent; ties by payment id, so that every process chooses the same attempt. */
function olderFirst(a: Candidate, b: Candidate): number {
  const bySent = compareInstants(a.sentAt ?? NEVER, b.sentAt ?? NEVER);
  return bySent || (a.paymentId < b.paymentId ? -1 : 1);
}

const NEVER = Temporal.Instant.fromEpochMilliseconds(0);
