import type { Tx } from '../platform/db.ts';
import { listWallets, type WalletRow } from './store.ts';

/** A wallet as the merchant sees it, with its balance in our ledger. */
export interface WalletView {
  id: string;
  /** Null: the merchant's own. */
  customer_id: string | null;
  status: WalletRow['status'];
  balance: { value: number; currency: string };
}

/** Returns a page of wallets, the merchant's own first, then the newest. */
export async function showWallets(
  tx: Tx,
  merchantId: string,
  page: { limit: number; offset: number },
): Promise<{ data: WalletView[]; total: number }> {
  const { rows, total } = await listWallets(tx, merchantId, page.limit, page.offset);
  const data = rows.map((row) => ({
    id: row.wallet_id,
    customer_id: row.customer_id,
    status: row.status,
    balance: { value: row.balance_pence, currency: 'GBP' },
  }));
  return { data, total };
}
