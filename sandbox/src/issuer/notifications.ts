import { createHmac } from 'node:crypto';
import { isoInstant } from '../clock.ts';
import type { Store } from '../store.ts';
import { newId } from './identifiers.ts';
import { isOn } from './modes.ts';

/** The events that the partner is notified of. */
export type NotificationKind =
  | 'payin.received'
  | 'movement.changed'
  | 'wallet.changed'
  | 'payout.returned'
  | 'payin.recalled';

/** A notification awaiting its next attempt. */
export interface NotificationRow {
  event_id: string;
  body: string;
  attempts: number;
}

/** The first delay in seconds; it doubles after each attempt, up to the maximum. */
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3_600;
/** After this many failures (half a day of sandbox time) a notification is no longer retried, but kept. */
export const MAX_ATTEMPTS = 20;

/** Returns the delay in seconds after the `attempts`-th failed attempt, or null if it was the last. */
export function secondsToNextAttempt(attempts: number): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (attempts - 1));
}

/** Returns the signature of one attempt: hex HMAC-SHA256 over the time of sending (unix seconds) and the body. */
export function signNotification(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** When a notice of a movement is repeated, if notices are repeated under new event ids. */
const REPEATS = [
  Temporal.Duration.from({ minutes: 1 }),
  Temporal.Duration.from({ hours: 25 }),
] as const;

/**
 * Stores a notification that is due immediately; call it in the transaction of the change. If the mode `new_event_ids` is on,
 * notices of a movement are stored again with later due times, each under its own event id.
 */
export function addNotification(
  store: Store,
  kind: NotificationKind,
  wallet: { wallet_id: string; external_reference: string },
  subject: Record<string, unknown>,
  at: string,
): void {
  const { wallet_id, external_reference } = wallet;
  const isRepeated = kind !== 'wallet.changed' && isOn(store, 'new_event_ids');
  const first = Temporal.Instant.from(at);
  const times = isRepeated ? [first, ...REPEATS.map((wait) => first.add(wait))] : [first];
  for (const dueAt of times) {
    const eventId = newId('ntf');
    const body = { event_id: eventId, kind, at, wallet_id, external_reference, ...subject };
    store.run(
      `INSERT INTO notifications (event_id, body, status, next_attempt_at)
       VALUES (:eventId, :body, 'pending', :dueAt)`,
      { eventId, body: JSON.stringify(body), dueAt: isoInstant(dueAt) },
    );
  }
}

/** Returns up to `limit` notifications due at or before `at`, oldest first. */
export function dueNotifications(store: Store, at: string, limit: number): NotificationRow[] {
  return store.all<NotificationRow>(
    `SELECT event_id, body, attempts FROM notifications
     WHERE status = 'pending' AND next_attempt_at <= :at ORDER BY next_attempt_at, seq LIMIT :limit`,
    { at, limit },
  );
}

/** Returns when the next attempt of any notification is due, or null. */
export function nextNotificationAt(store: Store): string | null {
  const row = store.get<{ at: string | null }>(
    `SELECT min(next_attempt_at) AS at FROM notifications WHERE status = 'pending'`,
  );
  return row?.at ?? null;
}

/** Records that the partner acknowledged a notification. */
export function markDelivered(store: Store, eventId: string): void {
  store.run(
    `UPDATE notifications SET status = 'delivered', attempts = attempts + 1, last_error = NULL
     WHERE event_id = :eventId`,
    { eventId },
  );
}

/** Records a failed attempt at `now`; schedules the next with backoff, or gives up after the last. */
export function markUndelivered(
  store: Store,
  row: NotificationRow,
  error: string,
  now: Temporal.Instant,
): void {
  const attempts = row.attempts + 1;
  const wait = secondsToNextAttempt(attempts);
  store.run(
    `UPDATE notifications
     SET status = :status, attempts = :attempts, next_attempt_at = :nextAt, last_error = :error
     WHERE event_id = :eventId`,
    {
      eventId: row.event_id,
      status: wait === null ? 'abandoned' : 'pending',
      attempts,
      nextAt: isoInstant(now.add({ seconds: wait ?? 0 })),
      error: error.slice(0, 500),
    },
  );
}
