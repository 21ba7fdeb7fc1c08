import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { forgetExpired, noteSeen } from './user-store.ts';

/** Records when users were last seen, in the background of their requests. */
export interface Visits {
  note(userId: string): void;
  /** Resolves when everything noted is written. */
  idle(): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_REMEMBERED = 10_000;

/** Records when users were last seen, at most once a minute each; deletes expired sign-in data once an hour. */
export function makeVisits({ db, log }: Platform): Visits {
  const noted = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  let forgotAt = 0;
  const write = (work: (tx: Tx) => Promise<void>): void => {
    const written = db
      .transaction(work)
      .catch((error: unknown) => log.report('sign_in.visit_not_stored', { err: error }))
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  return {
    note(userId) {
      const now = realNow();
      const ms = now.epochMilliseconds;
      if (ms - (noted.get(userId) ?? 0) < MINUTE_MS) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(userId, ms);
      write((tx) => noteSeen(tx, userId, now));
      if (ms - forgotAt < HOUR_MS) return;
      forgotAt = ms;
      write((tx) => forgetExpired(tx, now));
    },
    async idle() {
      await Promise.all(writing);
    },
  };
}
