import type { Platform } from '../platform/platform.ts';
import type { CustomerIdentification, CustomerType } from './customer.ts';
import type { Profile } from './profile.ts';
import { openCustomer, openProfile } from './sealed.ts';
import type { CustomerRow } from './store.ts';

/**
 * A customer as shown with a schedule: the form in which the merchant identified it, its id and its profile. See
 * docs/rules/schedules.md#customers.
 */
export type CustomerView = CustomerIdentification & { id: string } & Known;

/** The fields of a profile that are known: with a schedule, the others are left out. */
export type Known = { name?: string; email?: string; reference?: string };

/** Returns the fields of a profile that are known. */
export function knownOf({ name, email, reference }: Profile): Known {
  return {
    ...(name === null ? {} : { name }),
    ...(email === null ? {} : { email }),
    ...(reference === null ? {} : { reference }),
  };
}

/** Returns the customer in the form that the merchant used. */
export function viewCustomer(
  platform: Platform,
  merchantId: string,
  type: CustomerType,
  row: CustomerRow,
): CustomerView {
  const id = row.customerId;
  const { phone, bankAccount } = openCustomer(platform, merchantId, row);
  const profile = knownOf(openProfile(platform, merchantId, row));
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
