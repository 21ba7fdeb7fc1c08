import { openCustomer } from '../../customers/service.ts';
import { formatInstant } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { describeCustomer } from './label.ts';
import { findSearched } from './search.ts';
import { parseSearch } from './search-term.ts';
import {
  countSchedules,
  findCustomerWallet,
  type ListedCustomer,
  listCustomers,
  type ScheduleCounts,
  sumPayments,
} from './store.ts';
import type { CustomerDetail, CustomerItem, CustomerList } from './view.ts';

const CURRENCY = 'GBP';

/** Which customers of the merchant to list; `search` as a person typed it. */
export interface CustomerQuery {
  search?: string;
  limit: number;
  cursor?: string;
}

/** Returns a page of customers, newest first. Throws 400 for an invalid cursor. */
export async function searchCustomers(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  { search, limit, cursor }: CustomerQuery,
): Promise<CustomerList> {
  const [createdAt, customerId] = decodeCursor(cursor, 'newest', ['instant', 'text']) ?? [];
  const after =
    createdAt === undefined || customerId === undefined ? null : { createdAt, customerId };
  const term = parseSearch(search);
  const only = term.text === '' ? null : await findSearched(platform, tx, merchantId, term);
  const found = await listCustomers(tx, merchantId, only, after, limit + 1);
  const { rows, next_cursor } = pageOf(found, limit, (row) =>
    encodeCursor('newest', [row.created_at, row.customer_id]),
  );
  const ids = rows.map((row) => row.customer_id);
  const counts = await countSchedules(tx, merchantId, ids);
  const data = rows.map((row) => toItem(platform, merchantId, row, counts.get(row.customer_id)));
  return { data, next_cursor };
}

function toItem(
  platform: Platform,
  merchantId: string,
  row: ListedCustomer,
  counts: ScheduleCounts | undefined,
): CustomerItem {
  const details = openCustomer(platform, merchantId, row);
  return {
    id: row.customer_id,
    label: describeCustomer(details),
    phone: details.phone,
    bank_account: details.bankAccount,
    schedules: { active: counts?.active ?? 0, total: counts?.total ?? 0 },
    created_at: formatInstant(row.created_at),
  };
}

/** Returns one customer, the total collected from them, and their wallet. Throws 404 `not_found`. */
export async function showCustomer(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<CustomerDetail> {
  const [row] = await listCustomers(tx, merchantId, [customerId], null, 1);
  if (row === undefined) throw notFound('customer');
  const counts = await countSchedules(tx, merchantId, [customerId]);
  const sums = await sumPayments(tx, merchantId, customerId);
  const sumOf = (status: 'success' | 'failed'): { value: number; count: number } => {
    const sum = sums.find((one) => one.status === status);
    return { value: sum?.value ?? 0, count: sum?.count ?? 0 };
  };
  const wallet = await findCustomerWallet(tx, merchantId, customerId);
  return {
    ...toItem(platform, merchantId, row, counts.get(customerId)),
    collected: sumOf('success'),
    failed: sumOf('failed'),
    wallet: wallet && {
      id: wallet.wallet_id,
      status: wallet.status,
      balance: { value: wallet.balance_pence, currency: CURRENCY },
    },
  };
}
