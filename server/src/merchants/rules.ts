import { parseAccountNumber, parseSortCode } from '../platform/values/normal.ts';
import { hasWireText } from '../platform/values/wire-text.ts';
import type { MerchantFields, SettlementAccount } from './merchant.ts';
import { statementNameError } from './statement-name.ts';
import { wrongTimeZone } from './time-zone.ts';

type Mode = 'sandbox' | 'live';
/** Field path with dots, as the API names the field → the problem. */
type Wrong = Record<string, string>;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const LONGEST_EMAIL = 254;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function wrongReturnUrl(text: string, mode: Mode): string | null {
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (url.protocol === 'https:') return null;
  if (mode === 'live') return 'must start with https://';
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) return null;
  return 'must start with https://, or with http:// on this machine (localhost)';
}

function wrongWebsite(text: string): string | null {
  const fine = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return fine ? null : 'must be a URL starting with https:// or http://';
}

/** Returns the account with its numbers in stored format. Its fields must have been checked. */
export function normalisedAccount(account: SettlementAccount): SettlementAccount {
  const sortCode = parseSortCode(account.sortCode);
  const accountNumber = parseAccountNumber(account.accountNumber);
  if (sortCode === null || accountNumber === null) throw new Error('the account was not checked');
  return { sortCode, accountNumber, name: account.name.trim() };
}

/** A bank must be able to show it: docs/rules/consents.md#names-and-references-at-the-bank. */
function wrongName(name: string): string | null {
  if (name.trim() === '') return 'must not be empty';
  return hasWireText(name)
    ? null
    : 'must have letters of the Latin alphabet or digits: banks take no others';
}

function note(wrong: Wrong, field: string, problem: string | null | false): void {
  if (problem !== null && problem !== false) wrong[field] = problem;
}

/** Returns every wrong field among those given (values of the wrong type are left to the schema). */
export function merchantErrors(fields: Partial<MerchantFields>, mode: Mode): Wrong {
  const wrong: Wrong = {};
  const { name, email, website, timeZone, returnUrl, statementName } = fields;
  const { settlementAccount: account } = fields;
  if (typeof name === 'string') note(wrong, 'name', wrongName(name));
  if (typeof email === 'string')
    note(
      wrong,
      'email',
      (email.length > LONGEST_EMAIL || !EMAIL.test(email)) && 'must be an email address',
    );
  if (typeof website === 'string') note(wrong, 'website', wrongWebsite(website));
  if (typeof timeZone === 'string') note(wrong, 'time_zone', wrongTimeZone(timeZone));
  if (typeof statementName === 'string')
    note(wrong, 'statement_name', statementNameError(statementName));
  if (typeof returnUrl === 'string') note(wrong, 'return_url', wrongReturnUrl(returnUrl, mode));
  if (typeof account === 'object' && account !== null) {
    const { sortCode, accountNumber, name: holder } = account;
    if (typeof sortCode === 'string')
      note(
        wrong,
        'settlement_account.sort_code',
        parseSortCode(sortCode) === null && 'must be 6 digits',
      );
    if (typeof accountNumber === 'string')
      note(
        wrong,
        'settlement_account.account_number',
        parseAccountNumber(accountNumber) === null &&
          'must be 8 digits (6 and 7 are padded with zeros on the left)',
      );
    if (typeof holder === 'string') note(wrong, 'settlement_account.name', wrongName(holder));
  }
  return wrong;
}
