import { claim, earliestDue } from './claim.ts';
import { coalesce } from './coalesce.ts';
import { columns } from './db/columns.ts';
import type { Tx } from './db.ts';
import { dueBy, earliest, type Stage } from './engine.ts';
import { isolateFailures } from './isolate-failures.ts';
import { oneOf } from './one-of.ts';
import type { Platform } from './platform.ts';

/** A notification from outside, as stored. */
export interface Notification {
  source: string;
  notificationId: string;
  body: string;
}

/** Stores notifications, each under its own id; a repeated one changes nothing. The stage handles them later. */
export async function receiveNotifications(
  tx: Tx,
  now: Temporal.Instant,
  notifications: readonly Notification[],
): Promise<void> {
  await tx.run(
    `INSERT INTO inbox (source, notification_id, body, received_at, due_at)
     SELECT *, $4::timestamptz, $4::timestamptz FROM unnest($1::text[], $2::text[], $3::text[])
     ON CONFLICT (source, notification_id) DO NOTHING`,
    [...columnsOf(notifications), notifications.map((n) => n.body), now],
  );
}

const MOST_RECEIVED = 500;

/** Stores concurrent notifications in one transaction; resolves when a notification may be acknowledged. */
export function makeInbox({
  db,
  clock,
}: Pick<Platform, 'db' | 'clock'>): (notification: Notification) => Promise<void> {
  return coalesce<Notification>(
    MOST_RECEIVED,
    (n) => `${n.source} ${n.notificationId}`,
    (some) => db.transaction((tx) => receiveNotifications(tx, clock.now(), some)),
  );
}

const columnsOf = (notifications: readonly Notification[]): [string[], string[]] =>
  columns(notifications, 'source', 'notificationId');

const LEASE_MS = 60_000;
/** How long handled notifications are kept: far longer than any sender repeats one. */
const KEPT = Temporal.Duration.from({ hours: 30 * 24 });

const FORGOTTEN = `SELECT ctid FROM inbox WHERE due_at IS NULL AND received_at <= $1
  ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

/** Deletes handled notifications 30 days after they arrived. */
export function forgetNotificationsStage(platform: Platform): Stage {
  return {
    name: 'inbox.forget',
    batch: 1000,
    ...dueBy(`${earliest('received_at', 'inbox', 'due_at IS NULL')} + interval '${KEPT}'`),
    run: (now, limit) =>
      platform.db.transaction((tx) =>
        tx.run(`DELETE FROM inbox WHERE ${oneOf(FORGOTTEN)}`, [now.subtract(KEPT), limit]),
      ),
  };
}

/**
 * Handles notifications of one source in the transaction that marks them done. Returns those that have to be handled alone.
 */
type Handle = (
  tx: Tx,
  now: Temporal.Instant,
  batch: readonly Notification[],
) => Promise<readonly Notification[]>;

/**
 * Handles stored notifications, those of one source together. One that fails does not block the others; it falls due again
 * after the lease. Throws if all of them fail.
 */
export function inboxStage(platform: Platform, handle: Handle): Stage {
  return {
    name: 'inbox',
    batch: 500,
    ...earliestDue('inbox'),
    async run(now, limit) {
      const batch = await platform.db.transaction((tx) => take(tx, now, limit));
      const work = new Acting(platform, handle, now);
      for (const some of Map.groupBy(batch, (n) => n.source).values()) await work.actOn(some);
      if (batch.length > 0 && work.errors.length === batch.length) throw work.errors[0];
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

/** One batch in progress. */
class Acting {
  /** One error for each notification that failed. */
  readonly errors: unknown[] = [];
  readonly #platform: Platform;
  readonly #handle: Handle;
  readonly #now: Temporal.Instant;

  constructor(platform: Platform, handle: Handle, now: Temporal.Instant) {
    this.#platform = platform;
    this.#handle = handle;
    this.#now = now;
  }

  async actOn(notifications: readonly Notification[]): Promise<void> {
    const left = await isolateFailures(
      notifications,
      (some) => this.#actTogether(some),
      (n, error) => this.#fail(n, error),
    );
    for (const one of left)
      await this.#actTogether([one]).catch((error: unknown) => this.#fail(one, error));
  }

  /** Returns the notifications that were left. */
  async #actTogether(some: readonly Notification[]): Promise<Notification[]> {
    // The bank or the issuer is the actor of the changes that follow from its notification; its source is its name.
    const options = some[0] === undefined ? {} : { actor: some[0].source };
    return this.#platform.db.transaction(async (tx) => {
      const left = new Set(await this.#handle(tx, this.#now, some));
      const done = some.filter((one) => !left.has(one));
      await tx.run(
        `UPDATE inbox SET due_at = NULL
         WHERE (source, notification_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
        columnsOf(done),
      );
      return [...left];
    }, options);
  }

  #fail({ source, notificationId }: Notification, error: unknown): void {
    this.errors.push(error);
    this.#platform.log.report('inbox.notification_failed', {
      source,
      notification_id: notificationId,
      err: error,
    });
  }
}
