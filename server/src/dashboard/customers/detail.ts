import { type CustomerDeps, showCustomer } from '../../customers/directory.ts';
import type { Asked } from '../../platform/platform.ts';
import { showCustomers } from './shown.ts';
import { findCustomerWallet, sumPayments } from './store.ts';
import type { CustomerDetail } from './view.ts';

const CURRENCY = 'GBP';

/** Returns one customer, the total collected from them, and their wallet. Throws 404 `not_found`. */
export async function showDetail(
  deps: CustomerDeps,
  asked: Asked,
  customerId: string,
): Promise<CustomerDetail> {
  const { tx, merchantId } = asked;
  const view = await showCustomer(deps, asked, customerId);
  const [shown] = await showCustomers(deps.platform, asked, [view]);
  if (shown === undefined) throw new Error('nothing came back');
  const sums = await sumPayments(tx, merchantId, customerId);
  const sumOf = (status: 'success' | 'failed'): { value: number; count: number } => {
    const sum = sums.find((one) => one.status === status);
    return { value: sum?.value ?? 0, count: sum?.count ?? 0 };
  };
  const wallet = await findCustomerWallet(tx, merchantId, customerId);
  return {
    ...view,
    shown,
    collected: sumOf('success'),
    failed: sumOf('failed'),
    wallet: wallet && {
      id: wallet.walletId,
      status: wallet.status,
      balance: { value: wallet.balancePence, currency: CURRENCY },
    },
  };
}
