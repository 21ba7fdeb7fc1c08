import type { Platform } from '../platform/platform.ts';
import { blindWords, openCustomer, openProfile } from './sealed.ts';
import { type CustomerOf, insertWords, readCustomersAfter } from './word-store.ts';
import { indexEntries } from './words.ts';

const PAGE = 500;

/**
 * Adds the entries that customers lack in the index of words, page by page while the service runs: after a version that folds
 * text otherwise. Entries of an earlier folding stay; nothing looks for them. Returns how many customers were read.
 */
export async function reindexCustomers(platform: Platform): Promise<number> {
  let read = 0;
  for (let after = { merchantId: '', customerId: '' }; ; ) {
    const rows = await platform.db.transaction(async (tx) => {
      const page = await readCustomersAfter(tx, after, PAGE);
      for (const [merchantId, own] of Map.groupBy(page, (row) => row.merchantId))
        await insertWords(
          tx,
          merchantId,
          own.flatMap((row) => wordsOf(platform, row)),
        );
      return page;
    });
    const last = rows.at(-1);
    if (last === undefined) return read;
    read += rows.length;
    after = { merchantId: last.merchantId, customerId: last.customerId };
  }
}

function wordsOf(platform: Platform, row: CustomerOf): { customerId: string; word: Buffer }[] {
  const { merchantId, customerId } = row;
  const { phone, bankAccount } = openCustomer(platform, merchantId, row);
  const account = bankAccount && bankAccount.sort_code + bankAccount.account_number;
  const entries = indexEntries({ phone, account, ...openProfile(platform, merchantId, row) });
  return blindWords(platform, merchantId, entries).map((word) => ({ customerId, word }));
}
