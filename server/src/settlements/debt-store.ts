import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';

/**
 * A debt to the issuer for one recalled pay-in: owed by the merchant, or covered from the wallet where the money still is.
 */
export interface Debt {
  merchantId: string;
  debtId: string;
  movementId: string;
  /** The payment that it paid for; null: it was on the unallocated list. */
  paymentId: string | null;
  /** The wallet with the money; null: the merchant owes it. */
  walletId: string | null;
  amountPence: number;
  reason: string;
  /** The issuer's account that receives the cover. */
  issuerAccount: string;
}

/** Records a debt; a wallet's is set apart at once. Throws if the recall was recorded before. */
export async function insertDebt(tx: Tx, debt: Debt, now: Temporal.Instant): Promise<void> {
  await tx.run(
    `INSERT INTO debts (merchant_id, debt_id, movement_id, payment_id, amount_pence, reason, issuer_account, created_at,
       wallet_id, netted_at, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $9::text IS NOT NULL THEN $8::timestamptz END,
       CASE WHEN $9::text IS NOT NULL THEN $8::timestamptz END)`,
    [
      debt.merchantId,
      debt.debtId,
      debt.movementId,
      debt.paymentId,
      debt.amountPence,
      debt.reason,
      debt.issuerAccount,
      now,
      debt.walletId,
    ],
  );
}

/** Whether this recall was recorded before. */
export async function isRecorded(tx: Tx, merchantId: string, movementId: string): Promise<boolean> {
  const row = await tx.row('SELECT FROM debts WHERE merchant_id = $1 AND movement_id = $2', [
    merchantId,
    movementId,
  ]);
  return row !== null;
}

/** Returns what a merchant owes that is not netted by a settlement yet, in pence. */
export async function sumOwed(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ pence: number }>(
    `SELECT coalesce(sum(amount_pence), 0)::bigint AS pence FROM debts
     WHERE merchant_id = $1 AND settlement_id IS NULL AND wallet_id IS NULL`,
    [merchantId],
  );
  return row?.pence ?? 0;
}

/** Returns what a merchant owes whose money is still in its wallet: no settlement has set it apart yet. In pence. */
export async function sumOwedInWallet(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ pence: number }>(
    `SELECT coalesce(sum(amount_pence), 0)::bigint AS pence FROM debts
     WHERE merchant_id = $1 AND netted_at IS NULL AND wallet_id IS NULL`,
    [merchantId],
  );
  return row?.pence ?? 0;
}

/** Nets everything owed from a settlement; returns the debts whose money is not set apart yet. */
export async function netDebts(
  tx: Tx,
  merchantId: string,
  settlementId: string,
  now: Temporal.Instant,
): Promise<{ debtId: string; amountPence: number }[]> {
  const fresh = await tx.rows<{ debtId: string; amountPence: number }>(
    `UPDATE debts SET settlement_id = $2, netted_at = $3, due_at = $3
     WHERE merchant_id = $1 AND settlement_id IS NULL AND netted_at IS NULL
     RETURNING debt_id, amount_pence`,
    [merchantId, settlementId, now],
  );
  await tx.run(
    `UPDATE debts SET settlement_id = $2 WHERE merchant_id = $1 AND settlement_id IS NULL AND wallet_id IS NULL`,
    [merchantId, settlementId],
  );
  return fresh;
}

/** A debt being covered at the issuer. */
export interface CoverRow {
  merchantId: string;
  debtId: string;
  amountPence: number;
  issuerAccount: string;
  nettedAt: Temporal.Instant;
  tries: number;
  walletId: string | null;
  /** The issuer's id of that wallet. */
  issuerWalletId: string | null;
}

export const COVER_COLUMNS = `t.merchant_id, t.debt_id, t.amount_pence, t.issuer_account, t.netted_at, t.tries, t.wallet_id,
  (SELECT w.issuer_wallet_id FROM wallets w
   WHERE w.merchant_id = t.merchant_id AND w.wallet_id = t.wallet_id) AS issuer_wallet_id`;

/** Locks and returns a debt that is being covered. */
export const lockCover = rowBy<CoverRow>(
  `SELECT ${COVER_COLUMNS} FROM debts t WHERE t.merchant_id = $1 AND t.debt_id = $2 AND t.due_at IS NOT NULL FOR UPDATE`,
);

/** Ends a debt: the issuer has the money. Returns false if it had already ended. */
export async function markCovered(tx: Tx, row: CoverRow, now: Temporal.Instant): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE debts SET covered_at = $3, due_at = NULL WHERE merchant_id = $1 AND debt_id = $2 AND covered_at IS NULL`,
    [row.merchantId, row.debtId, now],
  );
  return changed === 1;
}

/** Postpones covering a debt; after a known failure it continues under the next key. */
export async function letCoverWait(
  tx: Tx,
  row: CoverRow,
  until: Temporal.Instant,
  hasFailed: boolean,
): Promise<void> {
  await tx.run(
    `UPDATE debts SET due_at = $3, tries = tries + $5
     WHERE merchant_id = $1 AND debt_id = $2 AND covered_at IS NULL AND tries = $4`,
    [row.merchantId, row.debtId, until, row.tries, hasFailed ? 1 : 0],
  );
}
