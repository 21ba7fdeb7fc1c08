import { type PaymentStatus, readInstructionId } from './payment.ts';

/** Money that has arrived in a wallet. */
export interface ArrivedMoney {
  walletId: string;
  amountPence: number;
  /** What the sender called it; null where the issuer does not tell. */
  endToEndId: string | null;
  /** When the issuer had it. */
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

/** An attempt that money may belong to, as it stands. */
export interface Candidate {
  paymentId: string;
  attempt: number;
  walletId: string;
  amountPence: number;
  paymentStatus: PaymentStatus;
  /** It is its payment's last one, and with the bank. */
  isUnderWay: boolean;
  attemptStatus: 'started' | 'processing' | 'success' | 'failed';
  /** Null: it was never sent. */
  sentAt: Temporal.Instant | null;
  /** How the pay-in that it has was recognised; null: it has none. */
  paidBy: RecognisedBy | null;
}

/** Why money belongs to no payment yet. */
export type UnallocatedReason =
  | 'nothing_awaited'
  | 'another_amount'
  | 'another_wallet'
  | 'paid_already'
  | 'later_attempt'
  | 'left_over';

/** What becomes of money that has arrived. */
export type Allocation<C extends Candidate = Candidate> =
  | { kind: 'pays'; candidate: C; by: 'name' | 'amount' }
  /** It pays for an attempt that was recorded as failed, and its payment is not paid otherwise. */
  | { kind: 'reinstates'; candidate: C }
  | { kind: 'unallocated'; reason: UnallocatedReason; guess: C | null };

/** The issuer's clock and ours agree to so much; where they do not, money seems to come before it was asked for. */
const CLOCKS_APART = Temporal.Duration.from({ minutes: 1 });

/** A payment of another amount is a fair guess where it differs by no more than a twentieth. */
const NEAR = 20;

/**
 * Decides what arrived money belongs to. By our end-to-end id where it carries one of an attempt of that wallet and amount;
 * else to the attempt that awaits this amount in this wallet and was sent before it, the oldest of several. Whatever else
 * comes is unallocated, with a guess whose it may be.
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
    // Its money was taken from an equal attempt, whose own money this one's is: the two are exchanged.
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
  const name = endToEndId === null ? null : readInstructionId(endToEndId);
  if (name === null) return null;
  const isNamed = (c: C): boolean => c.paymentId === name.paymentId && c.attempt === name.attempt;
  return candidates.find(isNamed) ?? null;
}

/** Whether an attempt waits for money that may have come at this moment. */
function awaits(candidate: Candidate, { walletId, at }: ArrivedMoney): boolean {
  const { sentAt } = candidate;
  return (
    candidate.isUnderWay &&
    candidate.walletId === walletId &&
    candidate.paidBy === null &&
    sentAt !== null &&
    Temporal.Instant.compare(sentAt, at.add(CLOCKS_APART)) <= 0
  );
}

/** A name that is none of ours counts as none: senders' banks write what they like into it. */
function byAmount<C extends Candidate>(
  money: ArrivedMoney,
  candidates: readonly C[],
): Allocation<C> {
  const awaiting = candidates.filter((c) => awaits(c, money)).sort(olderFirst);
  const equal = awaiting.find((c) => c.amountPence === money.amountPence);
  if (equal !== undefined) return { kind: 'pays', candidate: equal, by: 'amount' };
  const [near] = awaiting
    .filter((c) => isNear(c, money))
    .sort((a, b) => off(a, money) - off(b, money));
  if (near !== undefined) return unallocated('another_amount', near);
  return unallocated('nothing_awaited', guessOf(money, candidates));
}

/** Of what was sent and has no money, the last; else of what is paid already, the last: perhaps it was debited twice. */
function guessOf<C extends Candidate>(money: ArrivedMoney, candidates: readonly C[]): C | null {
  const alike = candidates
    .filter((c) => c.walletId === money.walletId && c.amountPence === money.amountPence)
    .filter(
      (c) =>
        c.sentAt !== null && Temporal.Instant.compare(c.sentAt, money.at.add(CLOCKS_APART)) <= 0,
    )
    .sort(olderFirst);
  const unpaid = alike.filter((c) => c.paidBy === null && c.attemptStatus !== 'success');
  return unpaid.at(-1) ?? alike.at(-1) ?? null;
}

const off = (c: Candidate, { amountPence }: ArrivedMoney): number =>
  Math.abs(c.amountPence - amountPence);

const isNear = (c: Candidate, money: ArrivedMoney): boolean =>
  off(c, money) * NEAR <= c.amountPence;

/** By when they were sent; of two at one moment, by name, so that every process chooses the same. */
function olderFirst(a: Candidate, b: Candidate): number {
  const bySent = Temporal.Instant.compare(a.sentAt ?? NEVER, b.sentAt ?? NEVER);
  return bySent || (a.paymentId < b.paymentId ? -1 : 1);
}

const NEVER = Temporal.Instant.fromEpochMilliseconds(0);
