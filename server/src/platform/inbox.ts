import { claim, earliestDue } from './claim.ts';
import type { Tx } from './db.ts';
import type { Stage } from './engine.ts';
import type { Platform } from './platform.ts';

/** A notification from outside, as it was stored. */
export interface Notification {
  source: string;
  notificationId: string;
  body: string;
}

/** Stores a notification under its own id; a repeated one changes nothing. The stage acts on it later. */
export async function receiveNotification(
  tx: Tx,
  now: Temporal.Instant,
  n: Notification,
): Promise<void> {
  await tx.run(
    `INSERT INTO inbox (source, notification_id, body, received_at, due_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (source, notification_id) DO NOTHING`,
    [n.source, n.notificationId, n.body, now],
  );
}

const LEASE_MS = 60_000;
/** How long what was acted on is kept: far longer than anybody repeats a notification. */
const KEPT = Temporal.Duration.from({ hours: 30 * 24 });

/** Forgets notifications that were acted on, 30 days after they came. */
export function forgetNotificationsStage(platform: Platform): Stage {
  return {
    name: 'inbox.forget',
    batch: 1000,
    async nextDue(tx) {
      const row = await tx.row<{ oldest: Temporal.Instant | null }>(
        'SELECT min(received_at) AS oldest FROM inbox WHERE due_at IS NULL',
      );
      return row?.oldest?.add(KEPT) ?? null;
    },
    run: (now, limit) =>
      platform.db.transaction((tx) =>
        tx.run(
          `DELETE FROM inbox WHERE (source, notification_id) IN
             (SELECT source, notification_id FROM inbox WHERE due_at IS NULL AND received_at <= $1
              ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
          [now.subtract(KEPT), limit],
        ),
      ),
  };
}

type Handle = (tx: Tx, now: Temporal.Instant, batch: Notification[]) => Promise<void>;

/**
 * Acts on stored notifications: `handle` gets a batch in a transaction that also marks them done. Where a
 * batch fails, each is acted on alone, so that one that cannot be holds up no other; it falls due again after
 * the lease.
 */
export function inboxStage(platform: Platform, handle: Handle): Stage {
  return {
    name: 'inbox',
    batch: 500,
    nextDue: (tx) => earliestDue(tx, 'inbox'),
    async run(now, limit) {
      try {
        return await platform.db.transaction(async (tx) => {
          const batch = await take(tx, now, limit);
          await act(tx, now, batch, handle);
          return batch.length;
        });
      } catch (error) {
        return await actOneByOne(platform, handle, now, limit, error);
      }
    },
  };
}

async function take(tx: Tx, now: Temporal.Instant, limit: number): Promise<Notification[]> {
  const rows = await claim<{ source: string; notification_id: string; body: string }>(
    tx,
    now,
    LEASE_MS,
    limit,
    {
      table: 'inbox',
      key: ['source', 'notification_id'],
      set: 'attempts = t.attempts + 1',
      returning: 't.source, t.notification_id, t.body',
    },
  );
  return rows.map((row) => ({
    source: row.source,
    notificationId: row.notification_id,
    body: row.body,
  }));
}

async function act(
  tx: Tx,
  now: Temporal.Instant,
  batch: Notification[],
  handle: Handle,
): Promise<void> {
  if (batch.length === 0) return;
  await handle(tx, now, batch);
  await tx.run(
    `UPDATE inbox SET due_at = NULL
     FROM unnest($1::text[], $2::text[]) AS done (source, notification_id)
     WHERE inbox.source = done.source AND inbox.notification_id = done.notification_id`,
    [batch.map((n) => n.source), batch.map((n) => n.notificationId)],
  );
}

/** Throws where nothing at all could be acted on: then it is not a notification that is wrong. */
async function actOneByOne(
  platform: Platform,
  handle: Handle,
  now: Temporal.Instant,
  limit: number,
  cause: unknown,
): Promise<number> {
  const batch = await platform.db.transaction((tx) => take(tx, now, limit));
  let done = 0;
  for (const notification of batch)
    try {
      await platform.db.transaction((tx) => act(tx, now, [notification], handle));
      done++;
    } catch (error) {
      const { source, notificationId } = notification;
      const name = { source, notification_id: notificationId, err: error };
      platform.log.error(name, 'a notification could not be acted on, it is tried again');
    }
  if (done === 0) throw cause;
  return batch.length;
}
