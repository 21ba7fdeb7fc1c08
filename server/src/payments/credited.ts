import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import { DUE_FROM_BANK, OUTSIDE, type Posting, post } from '../wallets/ledger.ts';
import type { RecognisedBy } from './allocation.ts';
import { awaitsLastWord } from './evidence-plan.ts';
import { readPaid } from './evidence-store.ts';
import { ATTEMPTS, refs, STILL_THERE } from './learned-sql.ts';
import { RETURNING, STILL_OPEN } from './outcome-rows.ts';
import { type AttemptRef, instructionId, type Outcome, type RecordedRow } from './payment.ts';

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

/** Of an attempt `a` without an end: its bank has not said before that it has paid. */
const FIRST_CLAIM = unguessed(
  "a.status NOT IN ('success', 'failed') AND a.claimed_at IS NULL AND a.pay_in_id IS NULL",
);

/** An attempt under way that its bank has credited. */
export interface Credited {
  ref: AttemptRef;
  outcome: Extract<Outcome, { kind: 'credited' }>;
  amountPence: number;
}

/**
 * The bank says of these attempts, which are under way, that it has paid: that is a claim on the bank, once for each attempt,
 * and no money in a wallet. Returns the payments whose claims are new; their attempts keep what the bank said. The payments are
 * locked.
 */
export async function recordClaims(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  credited: readonly Credited[],
): Promise<Set<string>> {
  if (credited.length === 0) return new Set();
  const claimed = await tx.rows<ClaimRow>(
    `UPDATE attempts a SET status = 'processing', claimed_at = $7,
       bank_payment_id = l.bank_payment_id, bank_status = l.bank_status
     FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[])
       AS l (merchant_id, payment_id, attempt, amount_pence, bank_payment_id, bank_status)
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
       AND ${FIRST_CLAIM}
     RETURNING a.merchant_id, a.payment_id, a.number, l.amount_pence`,
    [
      ...refs(credited),
      credited.map(({ amountPence }) => amountPence),
      credited.map(({ outcome }) => outcome.bankPaymentId),
      credited.map(({ outcome }) => outcome.bankStatus),
      now,
    ],
  );
  await post(tx, platform.ids, now, claimed.map(claim));
  return new Set(claimed.map((row) => row.payment_id));
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
  const marked = await tx.rows<MarkedRow>(
    `UPDATE attempts a SET status = 'success', finished_at = $4, error_code = NULL, error_message = NULL,
       pay_in_id = l.pay_in_id, pay_in_by = l.pay_in_by
     FROM unnest($1::text[], $2::text[], $3::int[], $5::text[], $6::text[])
       AS l (merchant_id, payment_id, attempt, pay_in_id, pay_in_by)
     WHERE a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt AND ${STILL_OPEN}
     RETURNING a.payment_id, a.pay_in_id, a.claimed_at IS NOT NULL AS is_claimed, a.bank_payment_id, a.bank_status`,
    [...refs(paid), now, paid.map(({ payInId }) => payInId), paid.map(({ by }) => by)],
  );
  const byPayment = new Map(marked.map((one) => [one.payment_id, one]));
  const isUnread = ({ ref }: Paid): boolean => {
    const found = byPayment.get(ref.paymentId);
    return found !== undefined && awaitsLastWord(found);
  };
  await readPaid(tx, now, paid.filter(isUnread));
  return rows.flatMap((row) => {
    const found = byPayment.get(row.payment_id);
    if (found === undefined) return [];
    return [{ ...row, pay_in_id: found.pay_in_id, is_claimed: found.is_claimed }];
  });
}

/** What the bank has said of an attempt whose money has come. */
interface MarkedRow {
  payment_id: string;
  pay_in_id: string;
  is_claimed: boolean;
  bank_payment_id: string | null;
  bank_status: string | null;
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
