import type { Platform } from '../platform/platform.ts';
import type { CustomerIdentification, CustomerType } from './customer.ts';
import type { Profile } from './profile.ts';
import { openCustomer, openProfile } from './sealed.ts';
import type { CustomerRow } from './store.ts';

/**
 * A customer as shown with a schedule: the form in which the merchant identified it, its id and its profile. See
 * docs/rules/schedules.md#customers.
 */
export type CustomerView = CustomerIdentification & { id: string } & Profile;

/** Returns the customer in the form that the merchant used. */
export function viewCustomer(
  platform: Platform,
  merchantId: string,
  type: CustomerType,
  row: CustomerRow,
): CustomerView {
  const id = row.customer_id;
  const { phone, bankAccount } = openCustomer(platform, merchantId, row);
  const profile = openProfile(platform, merchantId, row);
  if (type === 'phone' && phone !== null) return { id, type, value: phone, ...profile };
  if (type === 'bank_account' && bankAccount !== null)
    return {
      id,
      type,
      account_number: bankAccount.account_number,
      sort_code: bankAccount.sort_code,
      ...profile,
    };
  return { id, type: 'user_id', value: id, ...profile };
}
