import type { AccountDetails } from '../banks/bank.ts';

/** The paying account as displayed: only the last digits of its number. */
export interface PayingAccountView {
  sort_code: string;
  account_number: string;
}

const SHOWN_DIGITS = 4;

/** Returns the last digits of an account number: its holder recognises the account, and nobody else learns anything. */
export function endingOf({ accountNumber }: Pick<AccountDetails, 'accountNumber'>): string {
  return accountNumber.slice(-SHOWN_DIGITS);
}

/** Returns the paying account, masked; null before it is known. */
export function viewPayingAccount(ending: string | null): PayingAccountView | null {
  return ending === null ? null : { sort_code: '**-**-**', account_number: `****${ending}` };
}

/** Whether two accounts are the same. Names are ignored, because banks format them differently. */
export function isSameAccount(a: AccountDetails, b: AccountDetails): boolean {
  return a.sortCode === b.sortCode && a.accountNumber === b.accountNumber;
}
