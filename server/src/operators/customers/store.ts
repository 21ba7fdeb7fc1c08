import type { Tx } from '../../platform/db/db.ts';

/** A merchant by id and name. */
export interface NamedMerchant {
  merchantId: string;
  merchantName: string;
}

/** Returns all merchants, the newest first, or the one with this id. */
export function listNames(tx: Tx, merchantId: string | null): Promise<NamedMerchant[]> {
  return tx.rows<NamedMerchant>(
    `SELECT merchant_id, name AS merchant_name FROM merchants WHERE $1::text IS NULL OR merchant_id = $1
     ORDER BY merchant_id DESC`,
    [merchantId],
  );
}
