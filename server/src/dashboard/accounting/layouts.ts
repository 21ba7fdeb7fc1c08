import { invalid } from '../../platform/values/errors.ts';
import type { Accounts, AccountUse } from './journal.ts';
import type { Journal, LayoutName } from './view.ts';

/** How an accounting program takes journals: docs/decisions/0055-accounting-files.md has where each fact comes from. */
interface Layout {
  /** What it is called. */
  program: string;
  /** The accounts of its usual chart. */
  accounts: Accounts;
  account: RegExp;
  /** What is wrong with an account that does not match. */
  wrongAccount: string;
  /** How many lines it takes in a file. */
  mostLines: number;
  columns: readonly string[];
  /** The cells of a line by column, absent: empty; a number is an amount in pence. */
  cells(line: Journal['lines'][number]): Record<string, string | number>;
}

/** `2026-03-30` as `30/03/2026`: what all of them read where the organisation is in the United Kingdom. */
const ukDate = (date: string): string => date.split('-').reverse().join('/');

/** The layouts by name. The lines have no VAT: a settlement does not know it. */
export const LAYOUTS: Readonly<Record<LayoutName, Layout>> = {
  xero: {
    program: 'Xero',
    // Xero lets no journal touch a bank account: the money waits in Suspense for the line of the bank's feed.
    accounts: { bank: '850', payments: '200', refunds: '200', fees: '404', recalls: '200' },
    account: /^[A-Za-z0-9][A-Za-z0-9.-]{0,9}$/,
    wrongAccount: 'must be an account code of at most 10 letters, digits, dots and hyphens',
    mostLines: 300,
    columns: [
      '*Narration',
      '*Date',
      'Description',
      '*AccountCode',
      '*TaxRate',
      '*Amount',
      'TrackingName1',
      'TrackingOption1',
      'TrackingName2',
      'TrackingOption2',
    ],
    cells: ({ narration, date, text, account, debit, credit }) => ({
      '*Narration': narration,
      '*Date': ukDate(date),
      Description: text,
      '*AccountCode': account,
      '*TaxRate': 'No VAT',
      '*Amount': debit - credit,
    }),
  },
  quickbooks: {
    program: 'QuickBooks',
    accounts: {
      bank: 'Undeposited Funds',
      payments: 'Sales',
      refunds: 'Sales',
      fees: 'Bank charges',
      recalls: 'Sales',
    },
    account: /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &.,:;()'’/+%#-]{0,99}$/u,
    wrongAccount:
      'must be the name of an account, of at most 100 characters, that begins with a letter or digit',
    mostLines: 1_000,
    columns: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits'],
    cells: ({ number, date, account, narration, text, debit, credit }) => ({
      'Journal No.': number,
      'Journal Date': ukDate(date),
      'Account Name': account,
      Description: `${narration}: ${text}`,
      Debits: debit === 0 ? '' : debit,
      Credits: credit === 0 ? '' : credit,
    }),
  },
  sage: {
    program: 'Sage 50',
    accounts: { bank: '1200', payments: '4000', refunds: '4000', fees: '7901', recalls: '4000' },
    account: /^[A-Za-z0-9]{1,8}$/,
    wrongAccount: 'must be a nominal code of at most 8 letters and digits',
    mostLines: 5_000,
    columns: [
      'Type',
      'Account Reference',
      'Nominal A/C Ref',
      'Department Code',
      'Date',
      'Reference',
      'Details',
      'Net Amount',
      'Tax Code',
      'Tax Amount',
    ],
    cells: ({ number, date, account, text, debit, credit }) => ({
      Type: debit > 0 ? 'JD' : 'JC',
      'Nominal A/C Ref': account,
      Date: ukDate(date),
      Reference: number,
      Details: text,
      'Net Amount': debit + credit,
      'Tax Code': 'T9',
      'Tax Amount': 0,
    }),
  },
};

/** The accounts that a merchant names, as a query has them. */
export type AccountQuery = Partial<Record<`account_${AccountUse}`, string>>;

/** Returns the accounts named, and those of the layout's usual chart for the others. Throws 400 naming each wrong one. */
export function accountsOf(name: LayoutName, asked: AccountQuery): Accounts {
  const { accounts, account, wrongAccount } = LAYOUTS[name];
  const uses = Object.keys(accounts) as AccountUse[];
  const named = uses.map((use) => [use, asked[`account_${use}`] ?? accounts[use]] as const);
  const wrong = named.filter(([, one]) => !account.test(one));
  if (wrong.length > 0)
    throw invalid(Object.fromEntries(wrong.map(([use]) => [`account_${use}`, wrongAccount])));
  return Object.fromEntries(named) as Accounts;
}
