import type { Db } from '../db.ts';
import type { Log } from '../log.ts';
import { insertRequests, type LoggedRequest } from './request-log-store.ts';

const MOST_AT_ONCE = 500;
const MOST_WAITING = 2_000;
/** For so long requests gather: a transaction for each alone would cost more than many requests do. */
const GATHER_MS = 100;

/** Keeps requests until they are written, a little later and many at once. */
export interface RequestRecorder {
  /** Takes a request. Never waits, never throws. */
  record(request: LoggedRequest): void;
  /** Settles when all that was taken is written, or given up. */
  idle(): Promise<void>;
}

/**
 * Writes requests set-based: those of a tenth of a second together, in one transaction. Beyond
 * 2,000 waiting the oldest are dropped. What cannot be written is logged and given up: no request fails for it.
 */
export function makeRequestRecorder(db: Db, log: Log): RequestRecorder {
  const waiting: LoggedRequest[] = [];
  let writing: Promise<void> | null = null;
  let dropping = false;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < MOST_AT_ONCE) await new Promise((end) => setTimeout(end, GATHER_MS));
      const batch = waiting.splice(0, MOST_AT_ONCE);
      try {
        await db.transaction((tx) => insertRequests(tx, batch));
        dropping &&= waiting.length > 0;
      } catch (error) {
        log.report('http.request_log_failed', { err: error, requests: batch.length });
      }
    }
    writing = null;
  };

  return {
    record(request) {
      waiting.push(request);
      if (waiting.length > MOST_WAITING) {
        waiting.shift();
        if (!dropping) log.report('http.request_log_overflow', { most: MOST_WAITING });
        dropping = true;
      }
      writing ??= write();
    },
    async idle() {
      await writing;
    },
  };
}
