import type { Db } from '../../db/db.ts';
import type { Log } from '../../log/log.ts';
import { insertRequests, type LoggedRequest } from './request-log-store.ts';

const MAX_CONCURRENT = 500;
const MAX_WAITING = 2_000;
/** How long requests are collected: a transaction for each would cost more than many requests together. */
const GATHER_MS = 100;

/** Keeps requests until they are written, a little later and many at once. */
export interface RequestRecorder {
  /** Queues a request. Never waits, never throws. */
  record(request: LoggedRequest): void;
  /** Resolves when every queued request is written, or dropped. */
  idle(): Promise<void>;
}

/**
 * Writes the requests of each tenth of a second in one transaction. If more than 2,000 wait, the oldest are dropped. What
 * cannot be written is logged and dropped: no request fails because of it.
 */
export function makeRequestRecorder(db: Db, log: Log): RequestRecorder {
  const waiting: LoggedRequest[] = [];
  let writing: Promise<void> | null = null;
  let dropping = false;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < MAX_CONCURRENT) await new Promise((end) => setTimeout(end, GATHER_MS));
      const batch = waiting.splice(0, MAX_CONCURRENT);
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
      if (waiting.length > MAX_WAITING) {
        waiting.shift();
        if (!dropping) log.report('http.request_log_overflow', { most: MAX_WAITING });
        dropping = true;
      }
      writing ??= write();
    },
    async idle() {
      await writing;
    },
  };
}
