import { createHmac } from 'node:crypto';
import { isoInstant } from '../clock.ts';
import type { Store } from '../store.ts';
import { newId } from './identifiers.ts';
import { isOn } from './modes.ts';

/** What the partner is told of. */
export type NotificationKind =
  | 'payin.received'
  | 'movement.changed'
  | 'wallet.changed'
  | 'payout.returned'
  | 'payin.recalled';

/** A notification that waits for its next attempt. */
export interface NotificationRow {
  event_id: string;
  body: string;
  attempts: number;
}

/** The first wait in seconds; each later one is twice as long, up to the longest. */
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3_600;
/** After so many failures (half a day of sandbox time) a notification is given up, yet kept. */
export const MAX_ATTEMPTS = 20;

/** Seconds to wait after the `attempts`-th attempt failed, or null when it was the last. */
export function secondsToNextAttempt(attempts: number): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (attempts - 1));
}

/** The signature of one attempt: hex HMAC-SHA256 over the time of sending (unix seconds) and the body. */
export function signNotification(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** When a notice of a movement comes again, where notices are repeated under new event ids. */
const REPEATS = [
  Temporal.Duration.from({ minutes: 1 }),
  Temporal.Duration.from({ hours: 25 }),
] as const;

/**
 * Writes a notification in the transaction of the change it tells of; due at once. Where the mode `new_event_ids` is on,
 * what tells of a movement is written again with later due times, each under an event id of its own.
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

/** Up to `limit` notifications whose attempt is due at or before `at`, the oldest first. */
export function dueNotifications(store: Store, at: string, limit: number): NotificationRow[] {
  return store.all<NotificationRow>(
    `SELECT event_id, body, attempts FROM notifications
     WHERE status = 'pending' AND next_attempt_at <= :at ORDER BY next_attempt_at, seq LIMIT :limit`,
    { at, limit },
  );
}

/** When the next attempt of any notification is due, or null. */
export function nextNotificationAt(store: Store): string | null {
  const row = store.get<{ at: string | null }>(
    `SELECT min(next_attempt_at) AS at FROM notifications WHERE status = 'pending'`,
  );
  return row?.at ?? null;
}

/** Records that the partner took a notification. */
export function markDelivered(store: Store, eventId: string): void {
  store.run(
    `UPDATE notifications SET status = 'delivered', attempts = attempts + 1, last_error = NULL
     WHERE event_id = :eventId`,
    { eventId },
  );
}

/** Records a failed attempt at `now`: the next one waits longer, the last one is given up. */
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
