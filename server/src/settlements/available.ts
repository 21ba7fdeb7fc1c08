import type { Tx } from '../platform/db/db.ts';
import { balanceOf } from '../wallets/ledger-store.ts';
import { findMerchantWallet } from '../wallets/store.ts';
import { sumOwedInWallet } from './debt-store.ts';

/** A merchant's wallet, and what the merchant may take from it. */
export interface Available {
  walletId: string;
  /** Below zero where the merchant owes more than the wallet holds. */
  pence: number;
}

/**
 * Returns what a merchant may take from its wallet, for refunds and for pay-outs on request: its balance less what it owes for
 * recalled pay-ins. What a settlement has netted is not in the balance any more. Null: the merchant has no wallet. The caller
 * has locked the `in_settlement` account: nobody else takes. See docs/rules/wallets-and-money.md#what-a-merchant-may-take.
 */
export async function availableOf(tx: Tx, merchantId: string): Promise<Available | null> {
  const wallet = await findMerchantWallet(tx, merchantId);
  if (wallet === null) return null;
  const balancePence = await balanceOf(tx, merchantId, wallet.walletId);
  return {
    walletId: wallet.walletId,
    pence: balancePence - (await sumOwedInWallet(tx, merchantId)),
  };
}
