import type { Static } from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import type { Page } from '../platform/http/lists/page.ts';
import { AmountOrZero, Id, NamedObject, OneOf, OrNull } from '../platform/http/schemas/schemas.ts';
import { listWallets } from './store.ts';

/** A wallet as the merchant sees it, with its balance in our ledger. */
export const WalletAnswer = NamedObject('Wallet', {
  id: Id('wal'),
  customer_id: OrNull(Id('cus', "Null: the merchant's own wallet.")),
  status: OneOf(['planned', 'reserved', 'open', 'closing', 'closed']),
  balance: { ...AmountOrZero, description: 'What is in it now.' },
});

/** Returns a page of wallets, the merchant's own first, then the newest. */
export async function showWallets(
  tx: Tx,
  merchantId: string,
  page: Page,
): Promise<{ data: Static<typeof WalletAnswer>[]; total: number }> {
  const { rows, total } = await listWallets(tx, merchantId, page);
  const data = rows.map((row) => ({
    id: row.walletId,
    customer_id: row.customerId,
    status: row.status,
    balance: { value: row.balancePence, currency: 'GBP' },
  }));
  return { data, total };
}
