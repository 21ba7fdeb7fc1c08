import { openCustomer, openProfile } from '../../customers/sealed.ts';
import { findCustomerIds } from '../../customers/search.ts';
import { type CustomerRow, findCustomers } from '../../customers/store.ts';
import { describeNumber } from '../../dashboard/customers/label.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound } from '../../platform/values/errors.ts';
import type { Disclosure } from '../admin/disclosure.ts';
import { listNames, type NamedMerchant } from './store.ts';
import type { FoundCustomersView, FoundCustomerView } from './view.ts';

/** How many customers one search shows. */
const MAX_SHOWN = 10;

/** Returns what a search showed, for the audit trail: how many, and whom. What was typed may name somebody, so it stays out. */
export function searchDisclosures(
  { data, has_more: hasMore }: FoundCustomersView,
  { reason, merchant_id: only }: { reason: string; merchant_id?: string },
): Disclosure[] {
  const where = only === undefined ? '' : ` at ${only}`;
  const found = `${data.length}${hasMore ? ' or more' : ''} found${where}: ${reason}`;
  return [
    { merchantId: null, objectId: 'customer search', to: 'searched', reason: found },
    ...data.map(
      ({ id, merchant_id: merchantId }): Disclosure => ({
        merchantId,
        objectId: id,
        to: 'shown',
        reason,
      }),
    ),
  ];
}

/** What an operator searches for, and where: null, all merchants. */
export interface CustomerQuery {
  q: string;
  merchantId: string | null;
}

/** Finds customers by what their merchant finds them by: docs/rules/privacy.md#search. Throws 404 `not_found`. */
export async function findCustomersOfAll(
  platform: Platform,
  { q, merchantId: only }: CustomerQuery,
): Promise<{ data: FoundCustomerView[]; has_more: boolean }> {
  const { db } = platform;
  const merchants = await db.read((tx) => listNames(tx, only));
  if (only !== null && merchants.length === 0) throw notFound('merchant');
  const found = await findRows(platform, merchants, q, MAX_SHOWN + 1);
  const data = found.slice(0, MAX_SHOWN).map(({ merchantId, merchantName, row }) => ({
    id: row.customerId,
    name: openProfile(platform, merchantId, row).name,
    number: describeNumber(openCustomer(platform, merchantId, row)),
    reference: row.reference,
    merchant_id: merchantId,
    merchant_name: merchantName,
  }));
  return { data, has_more: found.length > MAX_SHOWN };
}

/**
 * Returns at most so many customers of these merchants, one merchant after the other because each has a key of its own for the
 * index. Each is read on its own: one transaction over all of them would be open for as long as there are merchants.
 */
async function findRows(
  platform: Platform,
  merchants: readonly NamedMerchant[],
  q: string,
  most: number,
): Promise<(NamedMerchant & { row: CustomerRow })[]> {
  const found: (NamedMerchant & { row: CustomerRow })[] = [];
  for (const merchant of merchants) {
    const left = most - found.length;
    if (left === 0) break;
    const { merchantId } = merchant;
    const rows = await platform.db.read(async (tx) => {
      const ids = await findCustomerIds(platform, tx, merchantId, q, left);
      return ids.length === 0 ? [] : [...(await findCustomers(tx, merchantId, ids)).values()];
    });
    for (const row of rows) found.push({ ...merchant, row });
  }
  return found;
}
