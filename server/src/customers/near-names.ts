import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { isOneEditAway } from './one-edit.ts';
import { blindWords, openProfile } from './sealed.ts';
import { findCustomers } from './store.ts';
import { findByWords } from './word-store.ts';
import { entriesAlike, entriesOfTyped, readingsOf, wordsOfName } from './words.ts';

/** How many of the words typed may be the wrong one, the longest first. */
const MAX_WRONG = 3;
/** How many customers with one beginning are opened to compare their names, the newest of them. */
const MAX_OPENED = 100;

/**
 * Returns the customers with a name that is one edit away from what was typed, for a search that found nobody: the wrong letter
 * is the fourth or a later one of its word, because only names with the same beginning are opened. Those that share the longest
 * one come first. See docs/rules/schedules.md#finding-customers.
 */
export async function findNearNames(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  typed: string,
  limit: number,
): Promise<string[]> {
  const [words = []] = readingsOf(typed);
  const blind = (entries: readonly string[]): Buffer[] => blindWords(platform, merchantId, entries);
  const found = new Set<string>();
  for (const wrong of words.slice(0, MAX_WRONG)) {
    const others = words
      .filter((word) => word !== wrong)
      .map((word) => blind(entriesOfTyped(word)));
    const opened = new Set<string>();
    for (const entries of entriesAlike(wrong)) {
      const ids = await findByWords(tx, merchantId, [blind(entries), ...others], MAX_OPENED);
      const fresh = ids.filter((id) => !opened.has(id));
      const rows = fresh.length === 0 ? [] : await findCustomers(tx, merchantId, fresh);
      for (const [id, row] of rows) {
        opened.add(id);
        const { name } = openProfile(platform, merchantId, row);
        if (name !== null && hasAlike(name, wrong)) found.add(id);
      }
      if (found.size >= limit) return [...found].slice(0, limit);
    }
  }
  return [...found];
}

function hasAlike(name: string, typed: string): boolean {
  return wordsOfName(name).some((word) => isOneEditAway([...typed], [...word]));
}
