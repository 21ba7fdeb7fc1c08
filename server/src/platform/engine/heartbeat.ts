import type { Db } from '../db/db.ts';
import type { Log } from '../log/log.ts';
import type { Clock } from '../time/clock.ts';
import { endBeats, lockSilent, recordBeat, releaseClaimsOf } from './heartbeat-store.ts';
import { THIS_PROCESS } from './this-process.ts';

/** How often a process says that it is at work. */
export const BEAT_MS = 3_000;
/** What is silent for longer counts as gone. */
const SILENCE = Temporal.Duration.from({ seconds: 12 });

/**
 * The heartbeats of this process, and its watch over the others: what was claimed by one that is gone is given back, some 15
 * seconds after it died, instead of waiting for its lease. One that only stood still may go on: then an order is repeated under
 * its key, and its outcome is recorded once, as after a lease that ended.
 */
export class Heartbeat {
  readonly #deps: { db: Db; clock: Clock; log: Log };
  readonly #silence: Temporal.Duration;
  /** Since when every beat was recorded, by `performance.now()`; null: the last one was not. */
  #steadySince: number | null = null;

  constructor(deps: { db: Db; clock: Clock; log: Log }, silence = SILENCE) {
    this.#deps = deps;
    this.#silence = silence;
  }

  /** Records a beat, and gives back what silent processes have claimed. Throws where the database does not answer. */
  async beat(): Promise<void> {
    const { db } = this.#deps;
    try {
      await db.transaction(recordBeat);
    } catch (error) {
      this.#steadySince = null;
      throw error;
    }
    this.#steadySince ??= performance.now();
    // While the database was away, nobody could be heard: each is given the time to come back.
    if (performance.now() - this.#steadySince > this.#silence.total('milliseconds'))
      await this.#giveBack();
  }

  /** Gives back what this process had claimed when the database went away. Returns how much. */
  async giveBackOwn(): Promise<number> {
    const { db, clock } = this.#deps;
    return db.transaction((tx) => releaseClaimsOf(tx, clock.now(), [THIS_PROCESS]));
  }

  /** Says that this process claims nothing any more. */
  async end(): Promise<void> {
    await this.#deps.db.transaction(endBeats);
  }

  async #giveBack(): Promise<void> {
    const { db, clock, log } = this.#deps;
    await db.transaction(async (tx) => {
      const silent = await lockSilent(tx, this.#silence);
      if (silent.length === 0) return;
      const count = await releaseClaimsOf(tx, clock.now(), silent);
      log.report('engine.claims_given_back', { processes: silent, count });
    });
  }
}
