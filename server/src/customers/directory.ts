import type { Tx } from '../platform/db/db.ts';
import { type CreatedSort, readSpan, type SpanQuery } from '../platform/http/lists/list-filters.ts';
import type { List, Page } from '../platform/http/lists/page.ts';
import { firstPage } from '../platform/http/lists/page.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { notFound } from '../platform/values/errors.ts';
import type { CustomerIdentification } from './customer.ts';
import type { FullProfile, ProfileChange } from './profile.ts';
import { openFullProfile } from './sealed.ts';
import { findCustomerIds } from './search.ts';
import { changeCustomer } from './service.ts';
import { type FullCustomerRow, listCustomers } from './store.ts';
import { viewCustomer } from './view.ts';

/** The bank of a customer's consent, and the account that pays, masked. */
export interface PaysFrom {
  bank: { id: string; name: string } | null;
  paying_account: { sort_code: string; account_number: string } | null;
}

export interface CustomerDeps {
  platform: Platform;
  /** Finds where customers pay from, by id; those without a granted consent are absent. */
  payFrom(
    tx: Tx,
    merchantId: string,
    customerIds: readonly string[],
  ): Promise<Map<string, PaysFrom>>;
}

/** A customer in responses: docs/rules/schedules.md#the-customer-object. */
export type FullCustomerView = CustomerIdentification & { id: string } & FullProfile &
  PaysFrom & { created_at: string };

/** Returns a page of the merchant's customers, newest first unless sorted otherwise; `q`: those that it finds. */
export async function showCustomers(
  deps: CustomerDeps,
  { tx, merchantId }: Asked,
  { q, sort, ...span }: { q?: string; sort: CreatedSort } & SpanQuery,
  page: Page,
): Promise<List<FullCustomerView>> {
  const isSearched = q !== undefined && q.trim() !== '';
  const filter = {
    sort,
    ...readSpan(span),
    ...(isSearched ? { only: await findCustomerIds(deps.platform, tx, merchantId, q) } : {}),
  };
  const found = await listCustomers(tx, merchantId, filter, page);
  return { ...found, data: await viewAll(deps, tx, merchantId, found.data) };
}

/** Returns one customer. Throws 404 `not_found`. */
export async function showCustomer(
  deps: CustomerDeps,
  { tx, merchantId }: Asked,
  customerId: string,
): Promise<FullCustomerView> {
  const { data } = await listCustomers(tx, merchantId, { only: [customerId] }, firstPage(1));
  const [view] = await viewAll(deps, tx, merchantId, data);
  if (view === undefined) throw notFound('customer');
  return view;
}

/** Changes the profile fields that are sent; returns the customer. Throws 404 `not_found`. */
export async function updateCustomer(
  deps: CustomerDeps,
  asked: Asked,
  customerId: string,
  change: ProfileChange,
): Promise<FullCustomerView> {
  await changeCustomer(deps.platform, asked, customerId, change);
  return showCustomer(deps, asked, customerId);
}

async function viewAll(
  { platform, payFrom }: CustomerDeps,
  tx: Tx,
  merchantId: string,
  rows: readonly FullCustomerRow[],
): Promise<FullCustomerView[]> {
  const ids = rows.map((row) => row.customerId);
  const from = ids.length === 0 ? new Map<string, PaysFrom>() : await payFrom(tx, merchantId, ids);
  return rows.map((row) => ({
    ...viewCustomer(platform, merchantId, row.phone === null ? 'bank_account' : 'phone', row),
    ...openFullProfile(platform, merchantId, row),
    bank: null,
    paying_account: null,
    ...from.get(row.customerId),
    created_at: formatInstant(row.createdAt),
  }));
}
