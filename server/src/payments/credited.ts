import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import { DUE_FROM_BANK, OUTSIDE, type Posting, post } from '../wallets/ledger.ts';
import type { RecognisedBy } from './allocation.ts';
import { readPaid } from './evidence-store.ts';
import { ATTEMPTS, refs, STILL_THERE } from './learned-sql.ts';
import { RETURNING, STILL_OPEN } from './outcome-rows.ts';
import { type AttemptRef, instructionId, type Learned, type RecordedRow } from './payment.ts';

/** An attempt under way, and the pay-in that is its money. */
export interface Paid {
  ref: AttemptRef;
  payInId: string;
  by: RecognisedBy;
}

/** A payment whose money has come, and what its books hold of it. */
export interface PaidRow extends RecordedRow {
  pay_in_id: string;
  /** The bank had said before that it has paid. */
  is_claimed: boolean;
}

/**
 * The bank says of these attempts, which are under way, that it has paid: that is a claim on the bank, once for each attempt,
 * and no money in a wallet. The payments are locked.
 */
export async function recordClaims(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const claimed = await tx.rows<ClaimRow>(
    `UPDATE attempts a SET claimed_at = $4 FROM ${ATTEMPTS} AS l (merchant_id, payment_id, attempt)
     JOIN payments p ON ${STILL_THERE}
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${STILL_OPEN} AND ${unguessed('a.claimed_at IS NULL AND a.pay_in_id IS NULL')}
     RETURNING a.merchant_id, a.payment_id, a.number, p.amount_pence`,
    [...refs(learned), now],
  );
  await post(tx, platform.ids, now, claimed.map(claim));
}

interface ClaimRow {
  merchant_id: string;
  payment_id: string;
  number: number;
  amount_pence: number;
}

const claim = (row: ClaimRow): Posting => ({
  merchantId: row.merchant_id,
  kind: 'claim',
  debit: OUTSIDE,
  credit: DUE_FROM_BANK,
  amountPence: row.amount_pence,
  sourceId: instructionId(row.payment_id, row.number),
});

/** Takes a claim back: the attempt failed, or its money came another way. */
export const claimBack = (row: ClaimRow): Posting => ({
  ...claim(row),
  kind: 'claim_back',
  debit: DUE_FROM_BANK,
  credit: OUTSIDE,
});

/** Takes the claims of these attempts back, where there are any: they failed. */
export async function releaseClaims(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  failed: readonly { ref: AttemptRef }[],
): Promise<void> {
  if (failed.length === 0) return;
  const rows = await tx.rows<ClaimRow>(
    `SELECT a.merchant_id, a.payment_id, a.number, p.amount_pence
     FROM ${ATTEMPTS} AS l (merchant_id, payment_id, attempt)
     JOIN attempts a ON a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${unguessed('a.claimed_at IS NOT NULL')}
     JOIN payments p ON p.merchant_id = l.merchant_id AND p.payment_id = l.payment_id`,
    refs(failed),
  );
  await post(tx, platform.ids, now, rows.map(claimBack));
}

/**
 * Records that the money of attempts under way has come: they are successes, and their payments go on to `payments.move`.
 * Returns those that were still under way. The payments are locked; booking the money is the caller's.
 */
export async function markPaid(
  tx: Tx,
  now: Temporal.Instant,
  paid: readonly Paid[],
): Promise<PaidRow[]> {
  if (paid.length === 0) return [];
  const rows = await tx.rows<RecordedRow>(
    `UPDATE payments p SET stage = 'move', due_at = $4, polls = 0
     FROM ${ATTEMPTS} AS l (merchant_id, payment_id, attempt) WHERE ${STILL_THERE} RETURNING ${RETURNING}`,
    [...refs(paid), now],
  );
  const marked = await tx.rows<{ payment_id: string; pay_in_id: string; is_claimed: boolean }>(
    `UPDATE attempts a SET status = 'success', finished_at = $4, error_code = NULL, error_message = NULL,
       pay_in_id = l.pay_in_id, pay_in_by = l.pay_in_by
     FROM unnest($1::text[], $2::text[], $3::int[], $5::text[], $6::text[])
       AS l (merchant_id, payment_id, attempt, pay_in_id, pay_in_by)
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt AND ${STILL_OPEN}
     RETURNING a.payment_id, a.pay_in_id, a.claimed_at IS NOT NULL AS is_claimed`,
    [...refs(paid), now, paid.map(({ payInId }) => payInId), paid.map(({ by }) => by)],
  );
  await readPaid(tx, now, paid);
  const byPayment = new Map(marked.map((one) => [one.payment_id, one]));
  return rows.flatMap((row) => {
    const found = byPayment.get(row.payment_id);
    return found === undefined ? [] : [{ ...row, ...found }];
  });
}

/** The pay-ins of attempts under way: recorded, and booked into their wallets; a claim on the bank is settled by them. */
export async function recordPaid(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  paid: readonly Paid[],
): Promise<void> {
  const rows = await markPaid(tx, now, paid);
  await post(
    tx,
    platform.ids,
    now,
    rows.map((row) => payIn(row, row.pay_in_id, row.is_claimed)),
  );
}

/** Money that has come into a customer's wallet for a payment. */
export const payIn = (row: RecordedRow, payInId: string, isClaimed: boolean): Posting => ({
  merchantId: row.merchant_id,
  kind: 'pay_in',
  debit: isClaimed ? DUE_FROM_BANK : OUTSIDE,
  credit: row.wallet_id,
  amountPence: row.amount_pence,
  sourceId: payInId,
});
