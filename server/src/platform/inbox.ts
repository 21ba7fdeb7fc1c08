import { claim, earliestDue } from './claim.ts';
import type { Tx } from './db.ts';
import { dueBy, type Stage } from './engine.ts';
import { mapInParallel } from './lanes.ts';
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
    ...dueBy(`SELECT min(received_at) + interval '${KEPT}' FROM inbox WHERE due_at IS NULL`),
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

/** So many are acted on at once. */
const WIDTH = 8;

/**
 * Acts on stored notifications, each in a transaction of its own that also marks it done: one that cannot be acted on holds
 * up no other, and none waits for what another one has locked while it holds locks itself. A notification that could not be
 * acted on falls due again after the lease. Throws where nothing at all could be acted on.
 */
export function inboxStage(platform: Platform, handle: Handle): Stage {
  return {
    name: 'inbox',
    batch: 500,
    ...earliestDue('inbox'),
    async run(now, limit) {
      const batch = await platform.db.transaction((tx) => take(tx, now, limit));
      const errors = await mapInParallel(batch, WIDTH, (n) => actOn(platform, handle, now, n));
      if (batch.length > 0 && errors.every((error) => error !== null)) throw errors[0];
      return batch.length;
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

/** Null: it was acted on. Else why not. */
async function actOn(
  platform: Platform,
  handle: Handle,
  now: Temporal.Instant,
  notification: Notification,
): Promise<unknown> {
  const { source, notificationId } = notification;
  try {
    await platform.db.transaction(async (tx) => {
      await handle(tx, now, [notification]);
      await tx.run('UPDATE inbox SET due_at = NULL WHERE source = $1 AND notification_id = $2', [
        source,
        notificationId,
      ]);
    });
    return null;
  } catch (error) {
    const name = { source, notification_id: notificationId, err: error };
    platform.log.error(name, 'a notification could not be acted on, it is tried again');
    return error;
  }
}
