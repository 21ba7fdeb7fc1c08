import type { Tx } from '../platform/db/db.ts';

/** Where a customer pays from: the bank of a granted consent, and the last digits of the account, null before they are known. */
export interface PayerRow {
  customerId: string;
  bankId: string | null;
  payingAccountEnding: string | null;
}

/** Returns where customers pay from by their latest granted consents; those without one are absent. */
export function findPayers(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<PayerRow[]> {
  return tx.rows<PayerRow>(
    `SELECT DISTINCT ON (customer_id) customer_id, bank_id, paying_account_ending FROM consents
     WHERE merchant_id = $1 AND customer_id = ANY($2::text[]) AND status = 'granted'
     ORDER BY customer_id, granted_at DESC`,
    [merchantId, customerIds],
  );
}

/** Returns the account that pays under a consent, sealed; null: it is not known. */
export async function findSealedAccount(
  tx: Tx,
  { merchantId, consentId }: { merchantId: string; consentId: string },
): Promise<string | null> {
  const row = await tx.row<{ payingAccount: string | null }>(
    'SELECT paying_account FROM consents WHERE merchant_id = $1 AND consent_id = $2',
    [merchantId, consentId],
  );
  return row?.payingAccount ?? null;
}
