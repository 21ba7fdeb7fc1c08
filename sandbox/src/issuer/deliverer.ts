import { Pool } from 'undici';
import { isoInstant, realNow, type SandboxClock } from '../clock.ts';
import type { Store } from '../store.ts';
import {
  dueNotifications,
  markDelivered,
  markUndelivered,
  type NotificationRow,
  signNotification,
} from './notifications.ts';

/** Delivers notifications to the partner promptly, many in parallel. */
export interface Deliverer {
  /** Starts deliveries due by the sandbox clock; returns immediately. */
  wake(): void;
  /** Attempts each delivery due by the sandbox clock once and waits for the responses. */
  deliverDue(): Promise<void>;
  /** Drops the read-ahead queue after the store has been emptied. */
  forget(): void;
  /** Starts no more deliveries and waits for those in progress. */
  close(): Promise<void>;
}

/** Where notifications go. */
export interface Partner {
  notification_url: string;
  notification_secret: string;
}

/** As many as a due run of thousands needs: a notice that waits here is money that the partner does not know of. */
const CONCURRENCY = 128;
/** Number of notifications read from the store at a time. */
const READ_AHEAD = 256;
const TIMEOUT_MS = 5_000;
/** Maximum rounds of one `deliverDue`: ends an exchange in which each response triggers the next notification. */
const MAX_ROUNDS = 100_000;

/** Creates a deliverer for the notifications in `store`, with one connection pool to the partner. */
export function createDeliverer(store: Store, clock: SandboxClock, partner: Partner): Deliverer {
  const url = new URL(partner.notification_url);
  const pool = new Pool(url.origin, {
    connections: CONCURRENCY,
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const underWay = new Map<string, Promise<void>>();
  let queue: NotificationRow[] = [];
  let closed = false;

  const attempt = async (row: NotificationRow): Promise<void> => {
    const error = await send(pool, url, partner.notification_secret, row.body);
    if (error === null) markDelivered(store, row.event_id);
    else markUndelivered(store, row, error, clock.now());
  };
  const begin = (row: NotificationRow): void => {
    const task = attempt(row)
      .finally(() => underWay.delete(row.event_id))
      .then(wake);
    underWay.set(row.event_id, task);
    task.catch(() => undefined); // without a waiting caller: the rest is still due, and the timekeeper reports the error
  };
  const fill = (): void => {
    if (closed) return;
    if (queue.length === 0 && underWay.size < CONCURRENCY) {
      const due = dueNotifications(store, isoInstant(clock.now()), READ_AHEAD);
      queue = due.filter((row) => !underWay.has(row.event_id));
    }
    for (const row of queue.splice(0, CONCURRENCY - underWay.size)) begin(row);
  };
  let isWoken = false;
  /** Under load many wake us in one turn of the event loop: what is due is read once for all of them. */
  const wake = (): void => {
    if (isWoken) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      try {
        fill();
      } catch {
        // As above: the rest is still due, and the timekeeper reports the error.
      }
    });
  };
  return {
    wake,
    deliverDue: async () => {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        fill();
        if (underWay.size === 0) return;
        await Promise.race(underWay.values());
      }
    },
    forget: () => {
      queue = [];
    },
    close: async () => {
      closed = true;
      await Promise.all(underWay.values());
      await pool.close();
    },
  };
}

/** Makes one attempt; returns null if the partner acknowledged it, otherwise the reason for the failure. */
async function send(pool: Pool, url: URL, secret: string, body: string): Promise<string | null> {
  const timestamp = String(Math.floor(realNow().epochMilliseconds / 1_000));
  try {
    const response = await pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        'content-type': 'application/json',
        'x-timestamp': timestamp,
        'x-signature': signNotification(secret, timestamp, body),
      },
      body,
    });
    await response.body.dump();
    const acknowledged = response.statusCode >= 200 && response.statusCode < 300;
    return acknowledged ? null : `Answered ${response.statusCode}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
