import { findCustomerIds } from '../../customers/search.ts';
import { parseSearch } from '../../customers/search-term.ts';
import { findPayment } from '../../payments/books/read-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { findSchedule } from '../../schedules/books/store.ts';

/** Returns the customers that a search finds: those of the API's search, and by the id of one of their schedules or payments. */
export async function findSearched(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  typed: string,
): Promise<string[]> {
  const { object } = parseSearch(typed);
  if (object === null || object.type === 'customer')
    return findCustomerIds(platform, tx, merchantId, typed);
  const found =
    object.type === 'schedule'
      ? (await findSchedule(tx, merchantId, object.id))?.customerId
      : (await findPayment(tx, merchantId, object.id))?.customerId;
  return found === undefined ? [] : [found];
}
