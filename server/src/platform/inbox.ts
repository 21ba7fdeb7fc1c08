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

/** Stores a notification under its own id; a repeated one changes nothing. It is acted on later, by the stage. */
export async function receiveNotification(tx: Tx, now: Temporal.Instant, n: Notification): Promise<void> {
  await tx.run(
    `INSERT INTO inbox (source, notification_id, body, received_at, due_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (source, notification_id) DO NOTHING`,
    [n.source, n.notificationId, n.body, now],
  );
}

const LEASE_MS = 60_000;

/** Acts on stored notifications: `handle` gets a batch in a transaction that also marks them done. */
export function inboxStage(
  platform: Platform,
  handle: (tx: Tx, now: Temporal.Instant, batch: Notification[]) => Promise<void>,
): Stage {
  return {
    name: 'inbox',
    batch: 500,
    nextDue: (tx) => earliestDue(tx, 'inbox'),
    async run(now, limit) {
      return platform.db.transaction(async (tx) => {
        const rows = await claim<{ source: string; notification_id: string; body: string }>(tx, now, LEASE_MS, limit, {
          table: 'inbox',
          key: ['source', 'notification_id'],
          set: 'attempts = t.attempts + 1',
          returning: 't.source, t.notification_id, t.body',
        });
        if (rows.length === 0) return 0;
        await handle(tx, now, rows.map((r) => ({ source: r.source, notificationId: r.notification_id, body: r.body })));
        await tx.run(
          `UPDATE inbox SET due_at = NULL
           FROM unnest($1::text[], $2::text[]) AS done (source, notification_id)
           WHERE inbox.source = done.source AND inbox.notification_id = done.notification_id`,
          [rows.map((r) => r.source), rows.map((r) => r.notification_id)],
        );
        return rows.length;
      });
    },
  };
}
