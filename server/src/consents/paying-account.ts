import type { AccountDetails } from '../banks/bank.ts';

/** The account that pays, as it is shown: nothing but the end of its number. */
export interface PayingAccountView {
  sort_code: string;
  account_number: string;
}

const SHOWN_DIGITS = 4;

/** The end of an account number, which tells its holder which account it is and nobody else anything. */
export function endingOf({ accountNumber }: Pick<AccountDetails, 'accountNumber'>): string {
  return accountNumber.slice(-SHOWN_DIGITS);
}

/** The account that pays, masked; null before it is known. */
export function viewPayingAccount(ending: string | null): PayingAccountView | null {
  return ending === null ? null : { sort_code: '**-**-**', account_number: `****${ending}` };
}

/** Whether two accounts are one; names do not count, because banks write them as they like. */
export function isSameAccount(a: AccountDetails, b: AccountDetails): boolean {
  return a.sortCode === b.sortCode && a.accountNumber === b.accountNumber;
}
