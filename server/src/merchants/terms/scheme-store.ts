import type { Tx } from '../../platform/db/db.ts';
import type { MerchantScheme } from './scheme.ts';

const COLUMNS = `use_case AS use_case, category_code AS category_code, payment_context AS payment_context,
  purpose_code AS purpose_code`;

/** Returns what the scheme knows of a merchant, or null. */
export function findScheme(tx: Tx, merchantId: string): Promise<MerchantScheme | null> {
  return tx.row<MerchantScheme>(`SELECT ${COLUMNS} FROM merchants WHERE merchant_id = $1`, [
    merchantId,
  ]);
}

/** Locks the merchant, and returns what the scheme knows of it, or null. */
export function lockScheme(tx: Tx, merchantId: string): Promise<MerchantScheme | null> {
  return tx.row<MerchantScheme>(
    `SELECT ${COLUMNS} FROM merchants WHERE merchant_id = $1 FOR NO KEY UPDATE`,
    [merchantId],
  );
}

/** Writes what the scheme knows of a merchant. */
export async function putScheme(tx: Tx, merchantId: string, scheme: MerchantScheme): Promise<void> {
  await tx.run(
    `UPDATE merchants SET use_case = $2, category_code = $3, payment_context = $4, purpose_code = $5
     WHERE merchant_id = $1`,
    [merchantId, scheme.useCase, scheme.categoryCode, scheme.paymentContext, scheme.purposeCode],
  );
}
