import { wordsOf } from '../../customers/words.ts';
import type { Tx } from '../../platform/db/db.ts';
import { countWords, findByPrefix, findByWord } from '../../schedules/books/word-store.ts';
import { wordsOfSchedule } from '../../schedules/books/words.ts';
import type { Schedule } from '../../schedules/terms/schedule.ts';
import { findListed } from '../schedules/store.ts';

/** How many entries of a word are counted to find the rarest of several. */
const MOST_COUNTED = 5000;
/** How many schedules with the rarest word are compared with the others. */
const MOST_COMPARED = 500;

/**
 * Returns the newest schedules that have every word typed; each may be the beginning of one. Only the newest with the rarest word
 * are looked at, so that a search takes no longer the more schedules a merchant has.
 */
export async function findByTyped(
  tx: Tx,
  merchantId: string,
  typed: string,
  limit: number,
): Promise<Schedule[]> {
  const words = wordsOf(typed);
  const rarest = await findRarest(tx, merchantId, words);
  if (rarest === null) return [];
  const [whole, begun] = await Promise.all([
    findByWord(tx, merchantId, rarest, MOST_COMPARED),
    findByPrefix(tx, merchantId, rarest, MOST_COMPARED),
  ]);
  const ids = [...new Set([...whole, ...begun])].sort().reverse();
  const schedules = await findListed(tx, merchantId, ids);
  return schedules.filter((schedule) => hasAll(wordsOfSchedule(schedule), words)).slice(0, limit);
}

function hasAll(own: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

async function findRarest(
  tx: Tx,
  merchantId: string,
  words: readonly string[],
): Promise<string | null> {
  const [first = null] = words;
  if (words.length <= 1) return first;
  const counted = await Promise.all(
    words.map(async (word) => ({
      word,
      found: await countWords(tx, merchantId, word, MOST_COUNTED),
    })),
  );
  return counted.reduce((least, one) => (one.found < least.found ? one : least)).word;
}
