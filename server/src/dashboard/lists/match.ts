import { findCustomerIds } from '../../customers/search.ts';
import { wordsOf } from '../../customers/words.ts';
import { readInstructionId } from '../../payments/payment/payment.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { findEntries } from '../../schedules/books/word-store.ts';
import { findIds } from '../search/store.ts';
import { readTyped } from '../search/typed.ts';
import { findOfBank, type Match } from './match-store.ts';

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

/**
 * Reads a search of a list as the search of everything is read: the beginning of an id, words, an amount in pounds, or what finds
 * a customer; also an attempt's id and a bank's id of a payment. Null: no search.
 */
export async function readMatch(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  q: string | undefined,
): Promise<Match | null> {
  const { text, id, pence } = readTyped(q ?? '');
  if (text === '') return null;
  const instruction = readInstructionId(text);
  if (instruction !== null) return { ...NOTHING, paymentIds: [instruction.paymentId] };
  if (id !== null) {
    const ids = await findIds(tx, merchantId, id.type, id.prefix, MOST_IDS);
    if (id.type === 'sch') return { ...NOTHING, scheduleIds: ids };
    if (id.type === 'pay') return { ...NOTHING, paymentIds: ids };
    return id.type === 'cus' ? { ...NOTHING, customerIds: ids } : NOTHING;
  }
  const [customerIds, paymentIds, ...words] = await Promise.all([
    findCustomerIds(platform, tx, merchantId, text),
    findOfBank(tx, merchantId, text),
    ...wordsOf(text).map((word) => findEntries(tx, merchantId, word, MOST_ENTRIES)),
  ]);
  const isSaid = words.every((entries) => entries.length > 0);
  return { ...NOTHING, customerIds, paymentIds, words: isSaid ? words : [], pence };
}
