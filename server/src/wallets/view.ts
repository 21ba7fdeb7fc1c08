import type { Static } from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import { type List, mapList, type Page } from '../platform/http/lists/page.ts';
import {
  AmountOrZero,
  Described,
  Id,
  NamedObject,
  OneOf,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import { listWallets } from './store.ts';

/** A wallet as the merchant sees it, with its balance in our ledger. */
export const WalletAnswer = NamedObject(
  'Wallet',
  {
    id: Id('wal', 'The wallet’s id.'),
    customer_id: OrNull(
      Id('cus'),
      'The customer whose payments arrive in it. Null: it is your own wallet.',
    ),
    status: OneOf(
      ['planned', 'reserved', 'open', 'closing', 'closed'],
      '`planned`: not yet at the e-money issuer. `reserved`: its account is known, and it takes no money yet. `open`: it ' +
        'takes money. `closing`: nobody needs it, and the issuer is to close it. `closed`: it is closed.',
    ),
    balance: Described(AmountOrZero, 'What is in it now.'),
  },
  'An e-money wallet: your own, to which every payment is transferred, or the one in which the payments of a customer arrive.',
);

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
