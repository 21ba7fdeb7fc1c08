import { byShard } from '../../platform/cluster/shards.ts';
import type { Db } from '../../platform/db/db.ts';
import { firstId, timeOfId } from '../../platform/values/ids.ts';
import type { Subject } from '../findings/nouns.ts';
import { closeBooksUntil, findRuns, findUnsealed, sealRuns, type Tail } from './seal-store.ts';

/** What was sealed just now, and is to be checked. */
export interface Sealed {
  accounts: Subject[];
  seals: Subject[];
}

/** Merchants whose books are closed together: their accounts are locked for that moment. */
const BATCH_SIZE = 50;

/**
 * Seals the transfers that have been posted so far. First every later posting is given an id above a bound, under the locks
 * that postings take; then all transfers below it are known, and are added to the sealed sums. Safe to repeat, and in several
 * processes at once (docs/rules/wallets-and-money.md#sealed-sums).
 */
export async function sealTransfers(db: Db): Promise<Sealed> {
  const tails = await db.transaction(findUnsealed);
  const parts = await db.read((tx) => byShard(tx, tails, (tail) => tail.merchantId));
  const sealed = { accounts: new Map<string, Subject>(), seals: new Map<string, Subject>() };
  const add = (to: Map<string, Subject>, merchantId: string, id: string): void =>
    void to.set(`${merchantId} ${id}`, { merchantId, id });
  for (const some of parts.flatMap(inBatches)) {
    const merchantIds = some.map((tail) => tail.merchantId);
    const untils = some.map(untilOf);
    await db.transaction((tx) => closeBooksUntil(tx, merchantIds, untils));
    const toIds = untils.map((until) => firstId('trf', until));
    for (;;) {
      const done = await db.transaction(async (tx) => {
        const runs = await findRuns(tx, merchantIds, toIds);
        return { runs, accounts: runs.length === 0 ? [] : await sealRuns(tx, runs) };
      });
      if (done.runs.length === 0) break;
      for (const one of done.runs) add(sealed.seals, one.merchantId, one.sealId);
      for (const one of done.accounts) add(sealed.accounts, one.merchantId, one.accountId);
    }
  }
  return { accounts: [...sealed.accounts.values()], seals: [...sealed.seals.values()] };
}

/** Splits merchants into those whose books are closed together. */
const inBatches = (tails: readonly Tail[]): Tail[][] =>
  Array.from({ length: Math.ceil(tails.length / BATCH_SIZE) }, (_, n) =>
    tails.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  );

/** Returns the bound above a merchant's newest transfer. */
const untilOf = ({ newestId }: Tail): Temporal.Instant =>
  timeOfId(newestId).add({ milliseconds: 1 });
