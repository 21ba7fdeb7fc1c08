import { type FeeTermsJson, feeTermsOf, readFeeTerms } from '../../merchants/terms/fee-store.ts';
import type { DatedFeeTerms } from '../../merchants/terms/fees.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { claim, earliestDue } from '../../platform/engine/claim.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { RecordedRow } from '../payment/payment.ts';
import { RECORDED } from './facts-store.ts';

/** For a payment's work `w`: whether the money is still to be transferred. */
const IN_TRANSFER = opaque("w.stage = 'move'");

/** A payment whose money is in the customer's wallet, with both wallets. */
export interface TransferRow {
  merchantId: string;
  paymentId: string;
  scheduleId: string;
  walletId: string;
  amountPence: number;
  currency: string;
  polls: number;
  transferKeysUsed: number;
  fromWallet: string;
  toWallet: string;
  toAccount: string;
  /** No order of this transfer was sent before this time. */
  firstAt: Temporal.Instant;
  /** The merchant's fee terms. */
  fees: readonly DatedFeeTerms[];
}

/** A claimed payment. */
export type ClaimedTransfer = Pick<TransferRow, 'merchantId' | 'paymentId' | 'walletId' | 'polls'>;

type Facts = Omit<TransferRow, Exclude<keyof ClaimedTransfer, 'paymentId'> | 'fees'> & {
  fees: FeeTermsJson;
};

/** When the next transfer is due. */
export const earliestToTransfer = earliestDue('payment_work', "stage = 'move'");

/** Claims payments whose money is due to be transferred. */
export function claimToTransfer(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
): Promise<ClaimedTransfer[]> {
  return claim<ClaimedTransfer>(tx, now, leaseMs, limit, {
    table: 'payment_work',
    key: ['merchant_id', 'payment_id'],
    where: "t.stage = 'move'",
    returning: `t.merchant_id, t.payment_id, t.wallet_id, t.polls`,
  });
}

/** Returns the facts, wallets and fee terms of claimed payments; one whose merchant's wallet is not open is left out. */
export async function findTransfers(
  tx: Tx,
  claimed: readonly ClaimedTransfer[],
  now: Temporal.Instant,
): Promise<TransferRow[]> {
  const found = await tx.rows<Facts>(
    `WITH target AS MATERIALIZED (
       SELECT k.merchant_id, w.* FROM (SELECT DISTINCT merchant_id FROM unnest($1::text[]) AS u (merchant_id)) k
       CROSS JOIN LATERAL (SELECT wallet_id, issuer_wallet_id, ${feeTermsOf('own')} AS fees FROM wallets own
         WHERE merchant_id = k.merchant_id AND customer_id IS NULL AND status = 'open' OFFSET 0) w
     )
     SELECT r.payment_id, p.*, f.issuer_wallet_id AS from_wallet, m.issuer_wallet_id AS to_wallet, m.wallet_id AS to_account,
       m.fees, CASE WHEN p.due_date > $4::timestamptz - interval '1 day' THEN p.due_date ELSE coalesce(
         (SELECT a.finished_at FROM attempts a WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id
            AND a.status = 'success' LIMIT 1), p.due_date) END AS first_at
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, payment_id, wallet_id)
     CROSS JOIN LATERAL (SELECT schedule_id, amount_pence, currency, due_date, transfer_keys_used FROM payments
       WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id OFFSET 0) p
     CROSS JOIN LATERAL (SELECT issuer_wallet_id FROM wallets
       WHERE merchant_id = r.merchant_id AND wallet_id = r.wallet_id OFFSET 0) f
     JOIN target m ON m.merchant_id = r.merchant_id`,
    [...columns(claimed, 'merchantId', 'paymentId', 'walletId'), now],
  );
  const byPayment = new Map(found.map((one) => [one.paymentId, one]));
  return claimed.flatMap((row) => {
    const facts = byPayment.get(row.paymentId);
    return facts === undefined ? [] : [{ ...row, ...facts, fees: readFeeTerms(facts.fees) }];
  });
}

/** Makes these transfers due now, because the issuer has news of them. */
export async function transferNow(
  tx: Tx,
  now: Temporal.Instant,
  payments: readonly { merchantId: string; paymentId: string }[],
): Promise<void> {
  await tx.run(
    `UPDATE payment_work w SET due_at = $3 FROM unnest($1::text[], $2::text[]) AS n (merchant_id, payment_id)
     WHERE w.merchant_id = n.merchant_id AND w.payment_id = n.payment_id AND ${IN_TRANSFER} AND ${opaque('w.due_at > $3')}`,
    [...columns(payments, 'merchantId', 'paymentId'), now],
  );
}

/** A payment whose money could not be transferred yet, as it stands. */
export interface StuckTransfer extends Omit<RecordedRow, 'manual'> {
  polls: number;
  dueAt: Temporal.Instant;
  issuerWalletId: string;
  /** The attempt that was paid, the pay-in that paid for it, and when it arrived. */
  paidAttempt: number;
  payInId: string;
  paidAt: Temporal.Instant;
  /** What the payer's bank took back of it; the merchant owes it. Null: nothing. */
  returnedPence: number | null;
}

/** Returns a payment in transfer; null: it is not. Its money may have come by an item of the unallocated list. */
export function findStuck(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<StuckTransfer | null> {
  return tx.row<StuckTransfer>(
    `SELECT ${RECORDED}, w.polls, w.due_at, p.returned_pence,
       f.issuer_wallet_id, a.number AS paid_attempt, a.pay_in_id, a.finished_at AS paid_at
     FROM payment_work w
     JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
     JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.status = 'success'
     JOIN wallets f ON f.merchant_id = w.merchant_id AND f.wallet_id = p.wallet_id
     WHERE w.merchant_id = $1 AND w.payment_id = $2 AND ${IN_TRANSFER}`,
    [merchantId, paymentId],
  );
}

/** Notes that the keys of a payment's transfers so far are over: its money was set aside. */
export async function endTransferKeys(tx: Tx, row: StuckTransfer): Promise<void> {
  await tx.run(
    `UPDATE payments SET transfer_keys_used = transfer_keys_used + $3 WHERE merchant_id = $1 AND payment_id = $2`,
    [row.merchantId, row.paymentId, row.polls + 1],
  );
}

/** When to order or check a transfer again, and under which key. */
export interface Wait {
  row: Pick<TransferRow, 'merchantId' | 'paymentId' | 'polls'>;
  /** The number from which the next key is made. */
  polls: number;
  dueAt: Temporal.Instant;
}

/**
 * Postpones transfers. Replaces only the key that failed: another process may already be using the next one, whose outcome is
 * unknown.
 */
export async function postponeTransfers(tx: Tx, waits: readonly Wait[]): Promise<void> {
  if (waits.length === 0) return;
  await tx.run(
    `UPDATE payment_work w SET polls = f.polls_next, due_at = f.due_at
     FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::timestamptz[])
       AS f (merchant_id, payment_id, polls, polls_next, due_at)
     WHERE w.merchant_id = f.merchant_id AND w.payment_id = f.payment_id
       AND ${opaque("w.stage = 'move' AND w.polls = f.polls")}`,
    [
      waits.map(({ row }) => row.merchantId),
      waits.map(({ row }) => row.paymentId),
      waits.map(({ row }) => row.polls),
      waits.map(({ polls }) => polls),
      waits.map(({ dueAt }) => dueAt),
    ],
  );
}
