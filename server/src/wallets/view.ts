import type { Static } from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import { type List, mapList, type Page } from '../platform/http/lists/page.ts';
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
): Promise<List<Static<typeof WalletAnswer>>> {
  return mapList(await listWallets(tx, merchantId, page), (row) => ({
    id: row.walletId,
    customer_id: row.customerId,
    status: row.status,
    balance: { value: row.balancePence, currency: 'GBP' },
  }));
}
