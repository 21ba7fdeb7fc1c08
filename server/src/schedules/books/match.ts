import { findCustomerIds } from '../../customers/search.ts';
import { wordsOf } from '../../customers/words.ts';
import { presentScopes } from '../../merchants/scope.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { KeyAuthority } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { findIds, findOfBank, findOwners, type Match } from './match-store.ts';
import { readTyped } from './typed.ts';
import { findEntries } from './word-store.ts';

/** How many objects the beginning of an id finds at most, the newest of them. */
const MOST_IDS = 1000;
/** How many different words one beginning of a word stands for at most. */
const MOST_ENTRIES = 100;

const NOTHING: Match = {
  scheduleIds: [],
  paymentIds: [],
  customerIds: [],
  words: [],
  pence: null,
};

/** Who searches. */
interface Searcher {
  tx: Tx;
  merchantId: string;
  /** What an API key may do; absent: a member searches. */
  key?: KeyAuthority;
}

/**
 * Reads a search of a list as the search of everything is read: the beginning of an id, words, an amount in pounds, or what finds
 * a customer; also an attempt's id and a bank's id of a payment. Null: no search. `shown`: the scopes whose fields the list shows
 * anyway. A key finds nothing by what it may not read: a payment's list would say whose phone number it has guessed.
 */
export async function readMatch(
  platform: Platform,
  { tx, merchantId, key }: Searcher,
  q: string | undefined,
  shown: readonly ('customers' | 'schedules')[] = [],
): Promise<Match | null> {
  const { text, id, pence } = readTyped(q ?? '');
  if (text === '') return null;
  if (id !== null) {
    const ids = await findIds(tx, merchantId, id.type, id.prefix, MOST_IDS);
    if (id.type === 'sch') return { ...NOTHING, scheduleIds: ids };
    if (id.type === 'pay') return { ...NOTHING, paymentIds: ids };
    return id.type === 'cus' ? { ...NOTHING, customerIds: ids } : NOTHING;
  }
  const maySee = (scope: 'customers' | 'schedules'): boolean =>
    key === undefined || shown.includes(scope) || presentScopes(key).includes(scope);
  const typed = maySee('schedules') ? wordsOf(text) : [];
  const [customerIds, paymentIds, ...words] = await Promise.all([
    maySee('customers') ? findCustomerIds(platform, tx, merchantId, text) : [],
    findOfBank(tx, merchantId, text),
    ...typed.map((word) => findEntries(tx, merchantId, word, MOST_ENTRIES)),
  ]);
  const areAllFound = words.every((entries) => entries.length > 0);
  return { ...NOTHING, customerIds, paymentIds, words: areAllFound ? words : [], pence };
}

/**
 * Reads a search of the list of schedules, which shows everything that finds them. Payments that it finds stand for their
 * schedules.
 */
export async function matchSchedules(
  platform: Platform,
  by: Searcher,
  q: string | undefined,
): Promise<Match | null> {
  const match = await readMatch(platform, by, q, ['customers', 'schedules']);
  if (match === null) return null;
  const owners = await findOwners(by.tx, by.merchantId, match.paymentIds);
  const scheduleIds = [...match.scheduleIds, ...owners.map((one) => one.scheduleId)];
  return { ...match, scheduleIds, paymentIds: [] };
}
