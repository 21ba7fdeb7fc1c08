import type { Tx } from '../platform/db.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import type { CustomerIdentification, CustomerType } from './customer.ts';
import { type CustomerRow, findCustomer, findOrInsertCustomer } from './store.ts';

/**
 * A customer as shown with a schedule: the form in which the merchant identified it, and its id. See
 * docs/rules/schedules.md#customers.
 */
export type CustomerView = CustomerIdentification & { id: string };

const context = (merchantId: string, type: CustomerType): string =>
  `customer:${merchantId}:${type}`;

/** Finds this merchant's customer, or creates it; returns its id. Throws 404 `customer_not_found` for an unknown `user_id`. */
export async function identifyCustomer(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  customer: CustomerIdentification,
): Promise<string> {
  if (customer.type === 'user_id') {
    const found = await findCustomer(tx, merchantId, customer.value);
    if (found === null)
      throw new ApiError('customer_not_found', 'No customer matches the given identification.', {
        'customer.value': 'is not the id of a customer of yours',
      });
    return found.customer_id;
  }
  const plain =
    customer.type === 'phone' ? customer.value : `${customer.sort_code}${customer.account_number}`;
  const place = context(merchantId, customer.type);
  return findOrInsertCustomer(
    tx,
    merchantId,
    {
      customerId: platform.ids.next('cus', now),
      type: customer.type,
      sealed: platform.vault.seal(plain, place),
      index: platform.vault.index(plain, place),
    },
    now,
  );
}

/** Throws 404 `not_found` if the merchant has no such customer. */
export async function requireCustomer(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<void> {
  if ((await findCustomer(tx, merchantId, customerId)) === null) throw notFound('customer');
}

/** The details of a customer, unsealed. */
export interface CustomerDetails {
  /** E.164. */
  phone: string | null;
  bankAccount: { sort_code: string; account_number: string } | null;
}

/** Opens the sealed columns of a customer's row. */
export function openCustomer(
  { vault }: Platform,
  merchantId: string,
  { phone, bank_account }: CustomerRow,
): CustomerDetails {
  const account =
    bank_account === null ? null : vault.open(bank_account, context(merchantId, 'bank_account'));
  return {
    phone: phone === null ? null : vault.open(phone, context(merchantId, 'phone')),
    bankAccount:
      account === null
        ? null
        : { sort_code: account.slice(0, 6), account_number: account.slice(6) },
  };
}

/** Returns the blind index by which a customer is found: of an E.164 number, or of sort code and account number together. */
export function customerIndex(
  { vault }: Platform,
  merchantId: string,
  type: 'phone' | 'bank_account',
  plain: string,
): Buffer {
  return vault.index(plain, context(merchantId, type));
}

/** Returns the customer in the form that the merchant used. */
export function viewCustomer(
  platform: Platform,
  merchantId: string,
  type: CustomerType,
  row: CustomerRow,
): CustomerView {
  const id = row.customer_id;
  if (type === 'phone' && row.phone !== null)
    return { id, type, value: platform.vault.open(row.phone, context(merchantId, 'phone')) };
  if (type === 'bank_account' && row.bank_account !== null) {
    const plain = platform.vault.open(row.bank_account, context(merchantId, 'bank_account'));
    return { id, type, account_number: plain.slice(6), sort_code: plain.slice(0, 6) };
  }
  return { id, type: 'user_id', value: id };
}
