import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/db/db.ts';
import type { Stage } from '../../src/platform/engine/stage.ts';
import { makeLog } from '../../src/platform/log/log.ts';

// Fixtures for tests of engines: stages over piles of work, without a database.

export const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
export const silent = makeLog('silent');
export const nothing = (): never => {
  throw new Error('the engine needs no such thing');
};

const untouched = { insert: nothing, unawaited: nothing, afterCommit: nothing };

/** A database that says what time it is, and takes heartbeats. Claims are tested with their stages. */
export const db: Db = {
  transaction: (work, options) =>
    options?.isQueuePeek === true
      ? work({
          ...untouched,
          rows: nothing,
          row: async <R extends object>() => ({ at: Temporal.Now.instant() }) as R,
          run: nothing,
        })
      : work({ ...untouched, rows: async () => [], row: nothing, run: async () => 0 }),
  forMerchant: nothing,
  listen: nothing,
  connections: nothing,
  shortage: nothing,
  libraryPool: nothing,
  close: async () => undefined,
  read: nothing,
  isOnCluster: async () => false,
  snapshot: nothing,
};

export const clock = { at: NOW, now: () => clock.at };

/** A stage over a pile of work. */
export interface Pile extends Stage {
  left: number;
  runs: number;
  run: Stage['run'];
}

/** Makes a pile; each run takes up to its batch from it. */
export function pile(size: number, more: Partial<Stage> = {}): Pile {
  const pile: Pile = {
    left: size,
    runs: 0,
    name: 'pile',
    batch: 10,
    nextDue: async () => (pile.left > 0 ? NOW : null),
    run: async (_now: Temporal.Instant, limit: number) => {
      pile.runs++;
      const taken = Math.min(pile.left, limit);
      pile.left -= taken;
      return taken;
    },
    ...more,
  };
  return pile;
}

/** Waits until a condition is true, for at most ten seconds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000 && !holds(); tries++) await sleep(5);
  assert.ok(holds(), 'it never came to hold');
}
