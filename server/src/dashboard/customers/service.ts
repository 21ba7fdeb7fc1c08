import type { CustomerDeps, PaysFrom } from '../../customers/directory.ts';
import { openCustomer, openFullProfile } from '../../customers/sealed.ts';
import type { FullCustomerRow } from '../../customers/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { readSpan } from '../../platform/http/lists/list-filters.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { notFound } from '../../platform/values/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { describeNumber, labelOf } from './label.ts';
import { findSearched } from './search.ts';
import {
  countSchedules,
  findCustomerWallet,
  listCustomers,
  type ScheduleCounts,
  sumPayments,
} from './store.ts';
import type { CustomerDetail, CustomerItem, CustomerList, CustomerQuery } from './view.ts';

const CURRENCY = 'GBP';

/** Returns a page of customers. Throws 400 for `cursor`, `from` and `to`. */
export async function searchCustomers(
  deps: CustomerDeps,
  tx: Tx,
  merchantId: string,
  { q, limit, cursor, sort, ...span }: CustomerQuery,
): Promise<CustomerList> {
  const order = `customers ${sort}`;
  const keyset = decodeCursor(cursor, order, ['instant', 'text']);
  const typed = (q ?? '').trim();
  const filter = {
    ...readSpan(span),
    ...(typed === '' ? {} : { only: await findSearched(deps.platform, tx, merchantId, typed) }),
  };
  const found = await listCustomers(tx, merchantId, filter, {
    after: keyset === null ? null : { createdAt: keyset[0], customerId: keyset[1] },
    limit: limit + 1,
    isOldestFirst: sort === 'created_at',
  });
  const { rows, next_cursor } = pageOf(found, limit, (row) =>
    encodeCursor(order, [row.createdAt, row.customerId]),
  );
  const ids = rows.map((row) => row.customerId);
  const [counts, payFrom] = await Promise.all([
    countSchedules(tx, merchantId, ids),
    deps.payFrom(tx, merchantId, ids),
  ]);
  const data = rows.map((row) => {
    const from = payFrom.get(row.customerId);
    return toItem(deps.platform, merchantId, row, counts.get(row.customerId), from);
  });
  return { data, next_cursor };
}

function toItem(
  platform: Platform,
  merchantId: string,
  row: FullCustomerRow,
  counts: ScheduleCounts | undefined,
  from: PaysFrom | undefined,
): CustomerItem {
  const details = openCustomer(platform, merchantId, row);
  const { name, email, reference } = openFullProfile(platform, merchantId, row);
  return {
    id: row.customerId,
    label: labelOf(platform, merchantId, row),
    name,
    email,
    reference,
    number: describeNumber(details),
    bank: from?.bank ?? null,
    paying_account: from?.paying_account ?? null,
    phone: details.phone,
    bank_account: details.bankAccount,
    schedules: { active: counts?.active ?? 0, total: counts?.total ?? 0 },
    created_at: formatInstant(row.createdAt),
  };
}

/** Returns one customer, the total collected from them, and their wallet. Throws 404 `not_found`. */
export async function showCustomer(
  deps: CustomerDeps,
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<CustomerDetail> {
  const [row] = await listCustomers(
    tx,
    merchantId,
    { only: [customerId] },
    { after: null, limit: 1 },
  );
  if (row === undefined) throw notFound('customer');
  const { platform } = deps;
  const counts = await countSchedules(tx, merchantId, [customerId]);
  const payFrom = await deps.payFrom(tx, merchantId, [customerId]);
  const sums = await sumPayments(tx, merchantId, customerId);
  const sumOf = (status: 'success' | 'failed'): { value: number; count: number } => {
    const sum = sums.find((one) => one.status === status);
    return { value: sum?.value ?? 0, count: sum?.count ?? 0 };
  };
  const wallet = await findCustomerWallet(tx, merchantId, customerId);
  return {
    ...toItem(platform, merchantId, row, counts.get(customerId), payFrom.get(customerId)),
    notes: openFullProfile(platform, merchantId, row).notes,
    collected: sumOf('success'),
    failed: sumOf('failed'),
    wallet: wallet && {
      id: wallet.walletId,
      status: wallet.status,
      balance: { value: wallet.balancePence, currency: CURRENCY },
    },
  };
}
