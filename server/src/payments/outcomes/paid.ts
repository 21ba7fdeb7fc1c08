import type { Tx } from '../../platform/db/db.ts';
import type { LeaseHandoff } from '../../platform/engine/lease-handoff.ts';
import type { Work } from '../../platform/platform.ts';
import { DUE_FROM_BANK, OUTSIDE, type Posting, post } from '../../wallets/ledger-store.ts';
import {
  type ClaimedRow,
  type Credited,
  findClaimed,
  markClaimed,
  moveAttemptToReinstated,
  moveToPaid,
  type Paid,
} from '../books/attempt-store.ts';
import { scheduleReads } from '../books/evidence-store.ts';
import { moveToReinstated, moveToTransfer } from '../books/payment-store.ts';
import type { ClaimedTransfer } from '../books/transfer-store.ts';
import type { LateMoney } from '../payment/allocation.ts';
import {
  type AttemptRef,
  instructionId,
  type PaymentStatus,
  type RecordedRow,
} from '../payment/payment.ts';
import { awaitsFinalStatus } from '../payment/retry.ts';

/** A payment whose money has arrived, with the facts needed to book it. */
export interface PaidRow extends RecordedRow {
  payInId: string;
  /** The bank had already reported that it has paid. */
  isClaimed: boolean;
}

/**
 * Records that the bank reports these attempts under way as paid: one claim on the bank for each attempt, and no money in a
 * wallet yet. Returns the payments whose claims are new; their attempts keep the bank's report. The payments must be locked.
 */
export async function recordClaims(
  work: Work,
  credited: readonly Credited[],
): Promise<Set<string>> {
  const claimed = await markClaimed(work.tx, work.now, credited);
  await post(work, claimed.map(claim));
  return new Set(claimed.map((row) => row.paymentId));
}

const claim = (row: ClaimedRow): Posting => ({
  merchantId: row.merchantId,
  kind: 'claim',
  debit: OUTSIDE,
  credit: DUE_FROM_BANK,
  amountPence: row.amountPence,
  sourceId: instructionId(row.paymentId, row.number),
});

/** Reverses a claim: the attempt failed, or its money came another way. */
export const reverseClaim = (row: ClaimedRow): Posting => ({
  ...claim(row),
  kind: 'claim_back',
  debit: DUE_FROM_BANK,
  credit: OUTSIDE,
});

/** Reverses the claims of these failed attempts, if there are any. */
export async function releaseClaims(
  work: Work,
  failed: readonly { ref: AttemptRef }[],
): Promise<void> {
  if (failed.length === 0) return;
  await post(work, (await findClaimed(work.tx, failed)).map(reverseClaim));
}

/**
 * Records that the money of attempts under way has arrived: the attempts succeed, and their payments move on to the transfer.
 * Returns those that were still under way. The payments must be locked; the caller books the money.
 */
export async function markPaid(
  tx: Tx,
  now: Temporal.Instant,
  paid: readonly Paid[],
  dueAt: Temporal.Instant = now,
): Promise<PaidRow[]> {
  if (paid.length === 0) return [];
  const [rows, attempts] = await Promise.all([
    moveToTransfer(tx, now, paid, dueAt),
    moveToPaid(tx, now, paid),
  ]);
  const byPayment = new Map(attempts.map((one) => [one.paymentId, one]));
  const isUnread = ({ ref }: Paid): boolean => {
    const found = byPayment.get(ref.paymentId);
    return found !== undefined && awaitsFinalStatus(found);
  };
  await scheduleReads(tx, now, paid.filter(isUnread));
  return rows.flatMap((row) => {
    const found = byPayment.get(row.paymentId);
    if (found === undefined) return [];
    return [{ ...row, payInId: found.payInId, isClaimed: found.isClaimed }];
  });
}

/** Takes the claims of payments whose money is to be transferred. */
export type Transfers = LeaseHandoff<ClaimedTransfer>;

/**
 * Records the pay-ins of attempts under way and books them into their wallets, settling the claims on the bank. Their
 * transfers are handed on.
 */
export async function recordPaid(
  work: Work,
  paid: readonly Paid[],
  transfers?: Transfers,
): Promise<void> {
  const dueAt = transfers?.dueAt(work.now) ?? work.now;
  const rows = await markPaid(work.tx, work.now, paid, dueAt);
  transfers?.handOver(
    work.tx,
    work.now,
    dueAt,
    rows.map((row) => ({ ...row, polls: 0 })),
  );
  await post(
    work,
    rows.map((row) => payIn(row, row.payInId, row.isClaimed)),
  );
}

/** The posting for money that arrived in a customer's wallet for a payment. */
export const payIn = (row: RecordedRow, payInId: string, isClaimed: boolean): Posting => ({
  merchantId: row.merchantId,
  kind: 'pay_in',
  debit: isClaimed ? DUE_FROM_BANK : OUTSIDE,
  credit: row.walletId,
  amountPence: row.amountPence,
  sourceId: payInId,
});

/**
 * Handles a late payment: the attempt was recorded as failed, but its money arrived. Cancels the retry and resumes with the
 * transfer to the merchant. The caller books the money.
 */
export async function reinstate(
  work: Work,
  row: RecordedRow,
  { attempt, payInId, by }: LateMoney,
  from: PaymentStatus,
): Promise<void> {
  if (from !== 'pending' && from !== 'failed')
    throw new Error(`the payment ${row.paymentId} is ${from}: nothing of it is late`);
  work.platform.log.report('payment.late_money', { payment_id: row.paymentId, attempt });
  await moveToReinstated(work.tx, work.now, row, from);
  const ref = { ...row, attempt };
  await moveAttemptToReinstated(work.tx, work.now, { ref, payInId, by });
  await scheduleReads(work.tx, work.now, [{ ref }]);
}
