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

/** Carries notifications to the partner, promptly and many at once. */
export interface Deliverer {
  /** Begins what is due by the sandbox clock; returns at once. */
  wake(): void;
  /** Makes one attempt at everything due by the sandbox clock and waits for the answers. */
  deliverDue(): Promise<void>;
  /** Drops what was read ahead, since the store has been emptied. */
  forget(): void;
  /** Begins nothing more and waits for what is under way. */
  close(): Promise<void>;
}

/** Where notifications go. */
export interface Partner {
  notification_url: string;
  notification_secret: string;
}

const CONCURRENCY = 32;
/** How many are read from the store at a time. */
const READ_AHEAD = 256;
const TIMEOUT_MS = 5_000;
/** Rounds of one `deliverDue`: an end for an exchange in which each answer causes the next. */
const MAX_ROUNDS = 100_000;

/** A deliverer of the notifications in `store` over one pool of connections to the partner. */
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
      .then(fill);
    underWay.set(row.event_id, task);
    task.catch(() => undefined); // where nobody waits for it: what is left is due still, and the timekeeper tells why
  };
  const fill = (): void => {
    if (closed) return;
    if (queue.length === 0 && underWay.size < CONCURRENCY) {
      const due = dueNotifications(store, isoInstant(clock.now()), READ_AHEAD);
      queue = due.filter((row) => !underWay.has(row.event_id));
    }
    for (const row of queue.splice(0, CONCURRENCY - underWay.size)) begin(row);
  };
  return {
    wake: fill,
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

/** One attempt; answers null when the partner took it, else why it did not count. */
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
