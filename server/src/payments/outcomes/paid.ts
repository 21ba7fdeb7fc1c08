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
  type PaidAttempt,
} from '../books/attempt-store.ts';
import { scheduleReads } from '../books/evidence-store.ts';
import { type Arrived, moveToReinstated, moveToTransfer } from '../books/payment-store.ts';
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
  return withReads(tx, now, rows, attempts);
}

/** Joins paid payments with their attempts, and has those read at their bank that it has not given a final status of. */
async function withReads(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly RecordedRow[],
  attempts: readonly PaidAttempt[],
): Promise<PaidRow[]> {
  const byPayment = new Map(attempts.map((one) => [one.paymentId, one]));
  const paid = rows.flatMap((row) => {
    const found = byPayment.get(row.paymentId);
    return found === undefined ? [] : [{ row, found }];
  });
  const unread = paid
    .filter(({ found }) => awaitsFinalStatus(found))
    .map(({ row: ref }) => ({ ref }));
  await scheduleReads(tx, now, unread);
  return paid.map(({ row, found: { payInId, isClaimed } }) => ({ ...row, payInId, isClaimed }));
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
  await bookPaid(work, await markPaid(work.tx, work.now, paid, dueAt), dueAt, transfers);
}

/** Money that names its attempt, and its pay-in. */
export type NamedPayIn = Required<Arrived> & { payInId: string };

/**
 * Records the pay-ins that name an attempt under way with its wallet and amount, at most one for each payment: the same as
 * `recordPaid`, without a lock before, since both rows are changed only where they are as expected. Returns their ids; other
 * money is allocated under the locks of its candidates. Throws where a payment waits and its attempt does not.
 */
export async function recordNamed(
  work: Work,
  named: readonly NamedPayIn[],
  transfers?: Transfers,
): Promise<Set<string>> {
  const dueAt = transfers?.dueAt(work.now) ?? work.now;
  const moved = await moveToTransfer(work.tx, work.now, named, dueAt);
  const attempts = await moveToPaid(
    work.tx,
    work.now,
    moved.map(({ row, ...ref }) => ({ ref, payInId: row.payInId, by: 'name' })),
  );
  if (attempts.length < moved.length)
    throw new Error('a payment waits for money, and its attempt does not');
  await bookPaid(work, await withReads(work.tx, work.now, moved, attempts), dueAt, transfers);
  return new Set(attempts.map(({ payInId }) => payInId));
}

async function bookPaid(
  work: Work,
  rows: readonly PaidRow[],
  dueAt: Temporal.Instant,
  transfers: Transfers | undefined,
): Promise<void> {
  transfers?.handOver(
    work.tx,
    work.now,
    dueAt,
    rows.map(({ merchantId, paymentId, walletId }) => ({
      merchantId,
      paymentId,
      walletId,
      polls: 0,
    })),
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
