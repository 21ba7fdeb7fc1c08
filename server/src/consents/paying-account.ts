import type { Static } from 'typebox';
import type { AccountDetails } from '../banks/bank.ts';
import type { PayingAccount } from '../customers/schemas.ts';

const SHOWN_DIGITS = 4;

/** Returns the last digits of an account number: its holder recognises the account, and nobody else learns anything. */
export function endingOf({ accountNumber }: Pick<AccountDetails, 'accountNumber'>): string {
  return accountNumber.slice(-SHOWN_DIGITS);
}

/** Returns the paying account, masked; null before it is known. */
export function viewPayingAccount(ending: string | null): Static<typeof PayingAccount> | null {
  return ending === null ? null : { sort_code: '**-**-**', account_number: `****${ending}` };
}

/** Whether two accounts are the same. Names are ignored, because banks format them differently. */
export function isSameAccount(a: AccountDetails, b: AccountDetails): boolean {
  return a.sortCode === b.sortCode && a.accountNumber === b.accountNumber;
}
