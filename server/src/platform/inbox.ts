import { coalesce } from './db/coalesce.ts';
import { columns } from './db/columns.ts';
import type { Tx } from './db/db.ts';
import { isolateFailures } from './db/isolate-failures.ts';
import { claim, earliestDue } from './engine/claim.ts';
import type { Stage } from './engine/stage.ts';
import type { Platform } from './platform.ts';
import { isBefore } from './values/instants.ts';

/** A notification from outside, as stored. */
export interface Notification {
  source: string;
  notificationId: string;
  body: string;
  /** Since when it waits for what it is about; null or absent: it does not. */
  waitingSince?: Temporal.Instant | null;
}

/**
 * Handles notifications of one source in the transaction that marks them done. Returns those that have to be handled alone.
 * `wait` keeps one due: it is about something that is not in the books yet.
 */
export type Handle = (
  tx: Tx,
  now: Temporal.Instant,
  batch: readonly Notification[],
  wait: (notification: Notification) => void,
) => Promise<readonly Notification[]>;

/** How long a notification waits for what it is about. By then the issuer's statements of two days were compared. */
const WAITS_FOR = Temporal.Duration.from({ hours: 48 });
/** Seconds until a waiting notification is tried again, for each try; and at most. */
const WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 900;

/** Whether a notification may still wait, as `wait` of its handler does. */
export function mayWait({ waitingSince }: Notification, now: Temporal.Instant): boolean {
  if (waitingSince === undefined || waitingSince === null) return true;
  return isBefore(now, waitingSince.add(WAITS_FOR));
}

/** Takes in a notification; resolves when it is stored and may be acknowledged. */
export type Inbox = (notification: Notification) => Promise<void>;

/** Stores notifications, each under its own id; a repeated one changes nothing. The stage handles them later. */
export async function receiveNotifications(
  tx: Tx,
  now: Temporal.Instant,
  notifications: readonly Notification[],
): Promise<void> {
  await insertFresh(tx, now, now, notifications);
}

/** Inserts notifications, due at a moment or done, in the order of their ids; returns those that were not there yet. */
async function insertFresh(
  tx: Tx,
  now: Temporal.Instant,
  dueAt: Temporal.Instant | null,
  notifications: readonly Notification[],
): Promise<Notification[]> {
  const rows = await tx.rows<{ source: string; notificationId: string }>(
    `INSERT INTO inbox (source, notification_id, body, received_at, due_at)
     SELECT source, notification_id, body, $4::timestamptz, $5::timestamptz
     FROM unnest($1::text[], $2::text[], $3::text[]) AS n (source, notification_id, body)
     ORDER BY source, notification_id
     ON CONFLICT (source, notification_id) DO NOTHING RETURNING source, notification_id`,
    [...columnsOf(notifications), notifications.map((n) => n.body), now, dueAt],
  );
  const fresh = new Set(rows.map((row) => `${row.source} ${row.notificationId}`));
  return notifications.filter((n) => fresh.has(`${n.source} ${n.notificationId}`));
}

const MAX_RECEIVED = 500;
/** Under load: whoever tells us waits for our answer, and has time. */
const GATHER_MS = 20;
/** How long acting at once may wait for a lock: the sender waits for us, and the stage can wait longer. */
const LOCK_TIMEOUT_MS = 1000;

/**
 * Makes an inbox that stores notifications and acts on them in one transaction, concurrent ones of a source together. What
 * cannot be acted on at once is stored for the stage.
 */
export function makeInbox(
  { db, clock, log }: Pick<Platform, 'db' | 'clock' | 'log'>,
  handle: Handle,
): Inbox {
  const take = async (source: string, some: readonly Notification[]): Promise<void> => {
    const now = clock.now();
    try {
      await db.transaction((tx) => actAtOnce(tx, now, handle, some), {
        actor: source,
        lockTimeoutMs: LOCK_TIMEOUT_MS,
      });
    } catch (err) {
      // The stage finds out which of them fail, and reports those.
      log.info({ source, count: some.length, err }, 'Could not act on notifications at once');
      await db.transaction((tx) => receiveNotifications(tx, now, some));
    }
  };
  const bySource = new Map<string, Inbox>();
  return (notification) => {
    const { source } = notification;
    const inbox =
      bySource.get(source) ??
      coalesce(
        MAX_RECEIVED,
        (n: Notification) => n.notificationId,
        (some) => take(source, some),
        GATHER_MS,
      );
    bySource.set(source, inbox);
    return inbox(notification);
  };
}

async function actAtOnce(
  tx: Tx,
  now: Temporal.Instant,
  handle: Handle,
  notifications: readonly Notification[],
): Promise<void> {
  const fresh = await insertFresh(tx, now, null, notifications);
  if (fresh.length === 0) return;
  const waiting: Notification[] = [];
  const left = await handle(tx, now, fresh, (one) => waiting.push(one));
  await postpone(tx, now, waiting);
  if (left.length === 0) return;
  await tx.run(`UPDATE inbox SET due_at = $3 WHERE ${BY_IDS}`, [...columnsOf(left), now]);
}

/** Keeps notifications due, ever less often. */
async function postpone(
  tx: Tx,
  now: Temporal.Instant,
  waiting: readonly Notification[],
): Promise<void> {
  if (waiting.length === 0) return;
  await tx.run(
    `UPDATE inbox SET waiting_since = coalesce(waiting_since, $3), due_at = $3::timestamptz
       + least(${LONGEST_WAIT_SECONDS}, ${WAIT_SECONDS} * greatest(1, attempts)) * interval '1 second'
     WHERE ${BY_IDS}`,
    [...columnsOf(waiting), now],
  );
}

/** Returns the bodies of a source's notifications that wait, and contain this text. */
export async function findWaiting(
  tx: Tx,
  source: string,
  text: string,
): Promise<{ notificationId: string; body: string }[]> {
  return tx.rows(
    `SELECT notification_id AS notification_id, body FROM inbox
     WHERE source = $1 AND waiting_since IS NOT NULL AND due_at IS NOT NULL AND strpos(body, $2) > 0`,
    [source, text],
  );
}

/** Makes waiting notifications due now. */
export async function handleNow(
  tx: Tx,
  now: Temporal.Instant,
  source: string,
  notificationIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE inbox SET due_at = $3
     WHERE source = $1 AND notification_id = ANY ($2) AND waiting_since IS NOT NULL AND due_at > $3`,
    [source, notificationIds, now],
  );
}

const BY_IDS = '(source, notification_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))';

const columnsOf = (notifications: readonly Notification[]): [string[], string[]] =>
  columns(notifications, 'source', 'notificationId');

const LEASE_MS = 60_000;

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
      const batch = await platform.db.transaction((tx) => claimNotifications(tx, now, limit));
      const work = new Acting(platform, handle, now);
      for (const some of Map.groupBy(batch, (n) => n.source).values()) await work.actOn(some);
      if (batch.length > 0 && work.errors.length === batch.length) throw work.errors[0];
      return batch.length;
    },
  };
}

function claimNotifications(tx: Tx, now: Temporal.Instant, limit: number): Promise<Notification[]> {
  return claim<Notification>(tx, now, LEASE_MS, limit, {
    table: 'inbox',
    key: ['source', 'notification_id'],
    set: 'attempts = t.attempts + 1',
    returning: 't.source, t.notification_id, t.body, t.waiting_since',
  });
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
      const waiting: Notification[] = [];
      const left = new Set(await this.#handle(tx, this.#now, some, (one) => waiting.push(one)));
      await postpone(tx, this.#now, waiting);
      const open = new Set([...left, ...waiting]);
      const done = some.filter((one) => !open.has(one));
      await tx.run(`UPDATE inbox SET due_at = NULL WHERE ${BY_IDS}`, columnsOf(done));
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
