import { customerIndex } from '../../customers/service.ts';
import { findPayment } from '../../payments/read-store.ts';
import type { Tx } from '../../platform/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { findSchedule } from '../../schedules/store.ts';
import type { SearchTerm } from './search-term.ts';
import { findByIdentity } from './store.ts';

/** Returns the customers with a phone number or account that the search may mean. */
export async function customersNamed(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  { phones, accounts }: SearchTerm,
): Promise<string[]> {
  if (phones.length === 0 && accounts.length === 0) return [];
  return findByIdentity(
    tx,
    merchantId,
    phones.map((phone) => customerIndex(platform, merchantId, 'phone', phone)),
    accounts.map((account) => customerIndex(platform, merchantId, 'bank_account', account)),
  );
}

/** Returns the customers that a search finds: by id, by the id of one of their schedules or payments, by phone or account. */
export async function findSearched(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  term: SearchTerm,
): Promise<string[]> {
  if (term.object === null) return customersNamed(platform, tx, merchantId, term);
  const { type, id } = term.object;
  if (type === 'customer') return [id];
  const found =
    type === 'schedule'
      ? (await findSchedule(tx, merchantId, id))?.customerId
      : (await findPayment(tx, merchantId, id))?.customer_id;
  return found === undefined ? [] : [found];
}
