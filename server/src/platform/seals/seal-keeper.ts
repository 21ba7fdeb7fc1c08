import type { Platform } from '../platform.ts';
import { addSeals } from './store.ts';

const EVERY_MS = 60_000;

/** Adds what a process seals to the counts of the database. */
export interface SealKeeper {
  /** Starts storing every minute: a process that crashes loses the count of its last minute at most. */
  start(): void;
  /** Stores now. Never throws: what could not be stored is stored the next time. */
  store(): Promise<void>;
  /** Stores a last time. To be called when nothing is sealed any more. */
  close(): Promise<void>;
}

/**
 * Makes what stores how often a vault has sealed: docs/guides/operators.md#when-to-replace-an-encryption-key. Where nobody knows
 * whether the database stored a count, it is stored again: too many seals are safe, too few are not.
 */
export function makeSealKeeper({
  db,
  vault,
  log,
}: Pick<Platform, 'db' | 'vault'> & { log: Pick<Platform['log'], 'report'> }): SealKeeper {
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  let isFailing = false;
  const storeNow = async (): Promise<void> => {
    const counts = vault.seals.take();
    if (counts.size === 0) return;
    try {
      await db.transaction((tx) => addSeals(tx, counts));
      isFailing = false;
    } catch (error) {
      for (const [keyId, seals] of counts) vault.seals.add(keyId, seals);
      if (!isFailing) log.report('vault.seals_not_stored', { err: error });
      isFailing = true;
    }
  };
  const store = (): Promise<void> => {
    storing = storing.then(storeNow);
    return storing;
  };
  return {
    store,
    start() {
      timer = setInterval(() => void store(), EVERY_MS);
    },
    async close() {
      clearInterval(timer);
      await store();
    },
  };
}
