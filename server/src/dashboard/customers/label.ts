import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type CustomerDetails, openCustomer, openProfile } from '../../customers/sealed.ts';
import { type CustomerRow, findCustomers } from '../../customers/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';

/** Returns a customer as one line: the name, else the number. */
export function labelOf(platform: Platform, merchantId: string, row: CustomerRow): string {
  const { name } = openProfile(platform, merchantId, row);
  return name ?? describeNumber(openCustomer(platform, merchantId, row));
}

/** What stands in the place of who was erased. */
const ERASED = 'Erased customer';

/** Formats the number of a customer: "+44 7700 900123", or "12-34-56 66374958". */
export function describeNumber({ phone, bankAccount }: CustomerDetails): string {
  if (phone !== null) return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
  if (bankAccount === null) return ERASED;
  const { sort_code: sortCode, account_number: accountNumber } = bankAccount;
  return `${sortCode.replaceAll(/(\d{2})(?=\d)/g, '$1-')} ${accountNumber}`;
}

/** Returns the labels of a page's customers by id, in one statement. */
export async function labelCustomers(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<Map<string, { id: string; label: string }>> {
  const rows = await findCustomers(tx, merchantId, [...new Set(customerIds)]);
  return new Map(
    [...rows].map(([id, row]) => [id, { id, label: labelOf(platform, merchantId, row) }]),
  );
}
