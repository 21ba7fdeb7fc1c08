import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { blindWords, openCustomer, openProfile } from './sealed.ts';
import type { CustomerRow } from './store.ts';
import {
  type CustomerIndexEntry,
  deleteWords,
  insertWords,
  lockCustomers,
  readCustomersAfter,
  readWords,
} from './word-store.ts';
import { indexEntries } from './words.ts';

/** How many customers are locked at once, against changes of what they are found by. */
const PAGE = 200;

/**
 * Makes the index of words what this version writes, page by page while the service runs: adds the entries that customers lack,
 * and removes those of an earlier folding, or of a name that a process of an earlier version has changed since. What an earlier
 * version looks for stays. A run that was interrupted is run again: what is right already is only read. Returns how many
 * customers were read.
 */
export async function reindexCustomers(platform: Platform): Promise<number> {
  let read = 0;
  for (let after = { merchantId: '', customerId: '' }; ; ) {
    const page = await platform.db.transaction(async (tx) => {
      const found = await readCustomersAfter(tx, after, PAGE);
      for (const [merchantId, own] of Map.groupBy(found, (one) => one.merchantId))
        await reindex(
          platform,
          tx,
          merchantId,
          own.map((one) => one.customerId),
        );
      return found;
    });
    const last = page.at(-1);
    if (last === undefined) return read;
    read += page.length;
    after = last;
  }
}

async function reindex(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<void> {
  const rows = await lockCustomers(tx, merchantId, customerIds);
  const present = Map.groupBy(
    await readWords(tx, merchantId, customerIds),
    (entry) => entry.customerId,
  );
  const lacking: CustomerIndexEntry[] = [];
  for (const row of rows) {
    const { customerId } = row;
    const there = new Map(
      present.get(customerId)?.map(({ word }) => [word.toString('hex'), word] as const),
    );
    for (const word of wordsOf(platform, merchantId, row))
      if (!there.delete(word.toString('hex'))) lacking.push({ customerId, word });
    await deleteWords(tx, merchantId, customerId, [...there.values()]);
  }
  await insertWords(tx, merchantId, lacking);
}

function wordsOf(platform: Platform, merchantId: string, row: CustomerRow): Buffer[] {
  const { phone, bankAccount } = openCustomer(platform, merchantId, row);
  const account = bankAccount && bankAccount.sort_code + bankAccount.account_number;
  const entries = indexEntries({ phone, account, ...openProfile(platform, merchantId, row) });
  return blindWords(platform, merchantId, entries);
}
