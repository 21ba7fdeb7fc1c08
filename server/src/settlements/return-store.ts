import type { Tx } from '../platform/db.ts';
import { COLUMNS, DIFFERS, type SettlementRow } from './store.ts';

/** Locks and returns the settlement paid out by this movement of the issuer; null: there is none. */
export function lockPaidOutBy(
  tx: Tx,
  merchantId: string,
  movementId: string,
): Promise<(SettlementRow & { return_movement_id: string | null }) | null> {
  return tx.row(
    `SELECT ${COLUMNS}, return_movement_id FROM settlements
     WHERE merchant_id = $1 AND issuer_movement_id = $2 FOR UPDATE`,
    [merchantId, movementId],
  );
}

/** Returns the settlements of a merchant whose account is in doubt because their pay-out came back. */
export function findDoubted(tx: Tx, merchantId: string): Promise<SettlementRow[]> {
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

export interface WaitingSettlement {
  merchant_id: string;
  settlement_id: string;
  amount_pence: number;
  since: Temporal.Instant;
  error_message: string | null;
}

/**
 * Lists every settlement that waits for a person, oldest first: until its merchant's account is confirmed or changed, or
 * because the issuer has another amount under its key.
 */
export function listWaiting(tx: Tx): Promise<WaitingSettlement[]> {
  return tx.rows<WaitingSettlement>(
    `SELECT merchant_id, settlement_id, amount_pence, coalesce(account_doubted_at, created_at) AS since, error_message
     FROM settlements WHERE account_doubted_at IS NOT NULL OR (${DIFFERS}) ORDER BY since, settlement_id`,
  );
}

/** Returns the merchant of a settlement that waits for its account; null: no such settlement waits. */
export async function merchantOfDoubted(tx: Tx, settlementId: string): Promise<string | null> {
  const row = await tx.row<{ merchant_id: string }>(
    'SELECT merchant_id FROM settlements WHERE settlement_id = $1 AND account_doubted_at IS NOT NULL',
    [settlementId],
  );
  return row?.merchant_id ?? null;
}
