import type { CustomerItem } from '../../../../server/src/dashboard/customers/view.ts';

/** Formats the account that pays, masked. */
export function payingAccount({
  paying_account: account,
}: Pick<CustomerItem, 'paying_account'>): string | null {
  return account === null ? null : `${account.sort_code} ${account.account_number}`;
}
