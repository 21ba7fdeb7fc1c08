import type { Tx } from '../../platform/db/db.ts';

/** A reference that a customer's statement shows. */
export interface CustomerReference {
  customerId: string;
  reference: string;
}

/** Returns which of these references schedules of their customers have, without those of one schedule. */
export async function findReferences(
  tx: Tx,
  merchantId: string,
  wanted: readonly CustomerReference[],
  exceptId: string | null,
): Promise<CustomerReference[]> {
  if (wanted.length === 0) return [];
  return tx.rows<CustomerReference>(
    `SELECT DISTINCT customer_id, statement_reference AS reference FROM schedules
     WHERE merchant_id = $1 AND customer_id = ANY($2::text[]) AND statement_reference = ANY($3::text[])
       AND schedule_id IS DISTINCT FROM $4`,
    [
      merchantId,
      wanted.map(({ customerId }) => customerId),
      wanted.map(({ reference }) => reference),
      exceptId,
    ],
  );
}
