import { openCustomer, openProfile } from '../../customers/sealed.ts';
import { findCustomerIds } from '../../customers/search.ts';
import { findCustomers } from '../../customers/store.ts';
import { describeNumber } from '../../dashboard/customers/label.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { notFound } from '../../platform/values/errors.ts';
import { listNames } from './store.ts';
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
 * Finds customers by what their merchant finds them by, one merchant after the other because each has a key of its own for the
 * index, and records for each one shown that an operator saw who they are: docs/rules/privacy.md#search. Throws 404 `not_found`.
 */
export async function findCustomersOfAll(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  { q, reason, merchantId: only }: CustomerQuery,
): Promise<FoundCustomerView[]> {
  const merchants = await listNames(tx, only);
  if (only !== null && merchants.length === 0) throw notFound('merchant');
  const found: FoundCustomerView[] = [];
  for (const { merchantId, merchantName } of merchants) {
    const left = MAX_SHOWN - found.length;
    if (left === 0) break;
    const ids = await findCustomerIds(platform, tx, merchantId, q, left);
    const rows = ids.length === 0 ? null : await findCustomers(tx, merchantId, ids);
    for (const row of rows?.values() ?? [])
      found.push({
        id: row.customerId,
        name: openProfile(platform, merchantId, row).name,
        number: describeNumber(openCustomer(platform, merchantId, row)),
        reference: row.reference,
        merchant_id: merchantId,
        merchant_name: merchantName,
      });
  }
  const shown = { scheduleId: null, from: 'details', to: 'shown', reason };
  await recordChanges(
    tx,
    now,
    found.map(({ id, merchant_id: merchantId }) => ({ ...shown, merchantId, objectId: id })),
  );
  return found;
}
