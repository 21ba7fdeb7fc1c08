import { openCustomer, openProfile } from '../../customers/sealed.ts';
import { findCustomerIds } from '../../customers/search.ts';
import { type CustomerRow, findCustomers } from '../../customers/store.ts';
import { describeNumber } from '../../dashboard/customers/label.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { notFound } from '../../platform/values/errors.ts';
import { listNames, type NamedMerchant } from './store.ts';
import type { FoundCustomerView } from './view.ts';

/** How many customers one search shows. */
const MAX_SHOWN = 10;

/** What an operator searches for, why, and where: null, all merchants. */
export interface CustomerQuery {
  q: string;
  reason: string;
  merchantId: string | null;
}

/**
 * Finds customers by what their merchant finds them by, and records for each one shown that an operator saw who they are, before
 * anybody sees it: docs/rules/privacy.md#search. Throws 404 `not_found`.
 */
export async function findCustomersOfAll(
  platform: Platform,
  now: Temporal.Instant,
  { q, reason, merchantId: only }: CustomerQuery,
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
  const shown = { scheduleId: null, from: 'details', to: 'shown', reason };
  const changes = data.map(({ id, merchant_id: merchantId }) => ({
    ...shown,
    merchantId,
    objectId: id,
  }));
  if (changes.length > 0) await db.transaction((tx) => recordChanges(tx, now, changes));
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
