import type { Tx } from '../platform/db.ts';

/** A wallet as the merchant sees it, with its balance in our ledger. */
export interface WalletView {
  id: string;
  /** Null: the merchant's own. */
  customer_id: string | null;
  status: 'planned' | 'reserved' | 'open' | 'closing' | 'closed';
  balance: { value: number; currency: string };
}

interface Row {
  wallet_id: string;
  customer_id: string | null;
  status: WalletView['status'];
  balance_pence: number;
}

/** A page of wallets, the merchant's own first, then the newest. */
export async function showWallets(
  tx: Tx,
  merchantId: string,
  page: { limit: number; offset: number },
): Promise<{ data: WalletView[]; total: number }> {
  const rows = await tx.rows<Row>(
    `SELECT w.wallet_id, w.customer_id, w.status, coalesce(a.balance_pence, 0) AS balance_pence
     FROM wallets w LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
     WHERE w.merchant_id = $1 ORDER BY (w.customer_id IS NULL) DESC, w.created_at DESC, w.wallet_id DESC LIMIT $2 OFFSET $3`,
    [merchantId, page.limit, page.offset],
  );
  const count = await tx.row<{ total: number }>(
    'SELECT count(*) AS total FROM wallets WHERE merchant_id = $1',
    [merchantId],
  );
  return {
    data: rows.map((row) => ({
      id: row.wallet_id,
      customer_id: row.customer_id,
      status: row.status,
      balance: { value: row.balance_pence, currency: 'GBP' },
    })),
    total: count?.total ?? 0,
  };
}
