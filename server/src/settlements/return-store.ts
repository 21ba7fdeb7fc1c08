import type { Tx } from '../platform/db/db.ts';
import { COLUMNS, DIFFERS, type SettlementRow } from './store.ts';

/** A settlement, and the movement by which its pay-out came back. */
export type PaidOut = SettlementRow & { returnMovementId: string | null };

/** Locks and returns the settlement paid out by this movement of the issuer; null: there is none. */
export function lockPaidOutBy(
  tx: Tx,
  merchantId: string,
  movementId: string,
): Promise<PaidOut | null> {
  return tx.row(
    `SELECT ${COLUMNS}, return_movement_id FROM settlements
     WHERE merchant_id = $1 AND issuer_movement_id = $2 FOR UPDATE`,
    [merchantId, movementId],
  );
}

/** A pay-out that came back, by the issuer's ids. */
interface ReturnedPayOut {
  merchantId: string;
  movementId: string;
  amountPence: number;
}

/** Whether a pay-out's return is in our books, whatever it was. */
export async function isReturnBooked(
  tx: Tx,
  { merchantId, movementId }: ReturnedPayOut,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM transfers WHERE merchant_id = $1 AND source_id = $2 AND kind = 'pay_out_return'`,
    [merchantId, movementId],
  );
  return row !== null;
}

/**
 * Whether a return that matches nothing may be that of a pay-out whose movement we do not know yet: a settlement or refund of at
 * least this amount is being ordered.
 */
export async function isOrderPending(
  tx: Tx,
  { merchantId, amountPence }: ReturnedPayOut,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM settlements WHERE merchant_id = $1 AND stage = 'pay' AND amount_pence >= $2
     UNION ALL SELECT FROM refunds WHERE merchant_id = $1 AND stage = 'pay' AND amount_pence >= $2 LIMIT 1`,
    [merchantId, amountPence],
  );
  return row !== null;
}

/** Puts the account of a settlement in doubt: a part of its pay-out came back. The settlement stays paid. */
export async function markAccountDoubted(
  tx: Tx,
  { merchantId, settlementId }: SettlementRow,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    'UPDATE settlements SET account_doubted_at = $3 WHERE merchant_id = $1 AND settlement_id = $2',
    [merchantId, settlementId, now],
  );
}

/** Locks and returns the settlements of a merchant whose account is in doubt because their pay-out came back. */
export function lockDoubted(tx: Tx, merchantId: string): Promise<SettlementRow[]> {
  return tx.rows<SettlementRow>(
    `SELECT ${COLUMNS} FROM settlements WHERE merchant_id = $1 AND account_doubted_at IS NOT NULL
     ORDER BY settlement_id FOR UPDATE`,
    [merchantId],
  );
}

/** Clears the doubt about this merchant's account: it was confirmed or changed. */
export async function clearDoubts(tx: Tx, merchantId: string): Promise<void> {
  await tx.run(
    `UPDATE settlements SET account_doubted_at = NULL WHERE merchant_id = $1 AND account_doubted_at IS NOT NULL`,
    [merchantId],
  );
}

/** What a settlement waits for: its merchant's account, or the amount that the issuer has. */
export const WAITS_FOR = ['account', 'amount'] as const;

export interface WaitingSettlement {
  merchantId: string;
  settlementId: string;
  amountPence: number;
  waitsFor: (typeof WAITS_FOR)[number];
  since: Temporal.Instant;
  errorMessage: string | null;
}

/**
 * Lists every settlement that waits for a person, oldest first: until its merchant's account is confirmed or changed, or
 * because the issuer has another amount under its key.
 */
export function listWaiting(tx: Tx): Promise<WaitingSettlement[]> {
  return tx.rows<WaitingSettlement>(
    `SELECT merchant_id, settlement_id, amount_pence, coalesce(account_doubted_at, created_at) AS since, error_message,
       CASE WHEN account_doubted_at IS NULL THEN 'amount' ELSE 'account' END AS waits_for
     FROM settlements WHERE account_doubted_at IS NOT NULL OR (${DIFFERS}) ORDER BY since, settlement_id`,
  );
}

/** Returns the merchant of a settlement that waits for its account; null: no such settlement waits. */
export async function merchantOfDoubted(tx: Tx, settlementId: string): Promise<string | null> {
  const row = await tx.row<{ merchantId: string }>(
    'SELECT merchant_id FROM settlements WHERE settlement_id = $1 AND account_doubted_at IS NOT NULL',
    [settlementId],
  );
  return row?.merchantId ?? null;
}
