import type { CustomerItem } from '../../../../server/src/dashboard/customers/view.ts';
import { maskedAccount } from '../../ui/values/masked-account.ts';

/** Names the account that a customer pays from; null while it is not known. */
export function payingAccount({
  paying_account: account,
  bank,
}: Pick<CustomerItem, 'paying_account'> & { bank: { name: string } | null }): string | null {
  return account === null ? null : maskedAccount(account, bank?.name ?? '');
}
