import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { blindWords, customerIndex, openCustomer } from './sealed.ts';
import { parseSearch } from './search-term.ts';
import { findCustomers, findOwner } from './store.ts';
import { findByIdentity, findByWords } from './word-store.ts';
import { type CustomerSearch, readSearch } from './words.ts';

/** The most customers that one search finds, the newest of them. */
const MAX_FOUND = 10_000;
/** The most numbers with the same last digits that are opened to compare the digits before. */
const MAX_OPENED = 2_000;

/**
 * Returns the ids of the customers that a search finds, newest first: by id or that of a schedule or payment of theirs, complete
 * number, end of a number, email, reference, or beginnings of words of the name. See docs/rules/schedules.md#finding-customers.
 */
export async function findCustomerIds(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  typed: string,
  limit = MAX_FOUND,
): Promise<string[]> {
  const { object } = parseSearch(typed);
  if (object !== null && object.type !== 'customer') {
    const owner = await findOwner(tx, merchantId, { type: object.type, id: object.id });
    return owner === null ? [] : [owner.customerId];
  }
  const search = readSearch(typed);
  if (search.customerId !== null) {
    const found = await findCustomers(tx, merchantId, [search.customerId]);
    return [...found.keys()];
  }
  const blind = (entries: readonly string[]): Buffer[] => blindWords(platform, merchantId, entries);
  const { phones, accounts, anyOf, names } = search;
  const lists = await Promise.all([
    findByIdentity(
      tx,
      merchantId,
      phones.map((phone) => customerIndex(platform, merchantId, 'phone', phone)),
      accounts.map((account) => customerIndex(platform, merchantId, 'bank_account', account)),
    ),
    findByWords(tx, merchantId, [blind(anyOf)], limit),
    ...names.map((words) => findByWords(tx, merchantId, words.map(blind), limit)),
    findByEnding(platform, tx, merchantId, search.ending),
  ]);
  return [...new Set(lists.flat())].sort().reverse().slice(0, limit);
}

/** Finds numbers by their indexed last digits, then compares all digits that were typed. */
async function findByEnding(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  ending: CustomerSearch['ending'],
): Promise<string[]> {
  if (ending === null) return [];
  const { entry, digits } = ending;
  const words = blindWords(platform, merchantId, [entry]);
  const ids = await findByWords(tx, merchantId, [words], MAX_OPENED);
  const isWhole = entry === `ending:${digits}`;
  if (isWhole || ids.length === 0) return ids;
  const rows = await findCustomers(tx, merchantId, ids);
  return ids.filter((id) => {
    const row = rows.get(id);
    if (row === undefined) return false;
    const { phone, bankAccount: account } = openCustomer(platform, merchantId, row);
    const numbers = [
      phone ?? '',
      account === null ? '' : account.sort_code + account.account_number,
    ];
    return numbers.some((number) => number.endsWith(digits));
  });
}
