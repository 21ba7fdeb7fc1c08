import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { request } from 'undici';
import { isoInstant } from '../clock.ts';
import { inParallel } from '../parallel.ts';
import type { Store } from '../store.ts';
import type { Bank, BankDeps } from './bank.ts';

/** Security events (SETs) that notify the third party of changes; pushed until it returns 202. */

const URN = 'urn:uk:org:openbanking:events:';
type EventName = 'resource-update' | 'consent-authorization-revoked';

interface EventSubject {
  type: 'domestic-vrp-consent' | 'domestic-vrp';
  id: string;
}

interface NotificationRow {
  jti: string;
  bank: string;
  event: EventName;
  resource_type: EventSubject['type'];
  resource_id: string;
  occurred_at: string;
  attempts: number;
}

const MAX_ATTEMPTS = 16;
const LONGEST_WAIT_MINUTES = 24 * 60;
const TIME_OUT_MS = 5_000;
const BATCH = 200;
const AT_ONCE = 32;

/** Stores a notification that is due now; call it in the transaction of the change. */
export function enqueueNotification(
  store: Store,
  bank: string,
  event: EventName,
  subject: EventSubject,
  now: Temporal.Instant,
): void {
  store.run(
    `INSERT INTO notifications (jti, bank, event, resource_type, resource_id, occurred_at, due_at)
     VALUES (:jti, :bank, :event, :type, :id, :now, :now)`,
    { jti: randomUUID(), bank, event, ...subject, now: isoInstant(now) },
  );
}

/** Attempts every notification that is due at `at`, a few at a time. */
export async function pushDue(deps: BankDeps, at: Temporal.Instant): Promise<void> {
  const due = deps.store.all<NotificationRow>(
    'SELECT * FROM notifications WHERE due_at <= :at ORDER BY due_at, rowid LIMIT :limit',
    { at: isoInstant(at), limit: BATCH },
  );
  await inParallel(due, AT_ONCE, (notification) => attempt(deps, notification, at));
}

async function attempt(
  deps: BankDeps,
  notification: NotificationRow,
  at: Temporal.Instant,
): Promise<void> {
  const bank = deps.banks.get(notification.bank);
  if (!bank) throw new Error(`Notification of unknown bank ${notification.bank}`);
  const token = await signEvent(deps, bank, notification);
  const answer = await push(deps, notification.bank, token);
  const attempts = notification.attempts + 1;
  const isOver = answer === '202' || attempts >= MAX_ATTEMPTS;
  deps.store.run(
    `UPDATE notifications SET attempts = :attempts, answer = :answer, due_at = :due
     WHERE jti = :jti`,
    {
      attempts,
      answer,
      due: isOver ? null : isoInstant(at.add({ minutes: backOffMinutes(attempts) })),
      jti: notification.jti,
    },
  );
}

/** Returns the backoff: 1, 2, 4, 8 … minutes after each failure, at most a day. */
export function backOffMinutes(failures: number): number {
  return Math.min(2 ** (failures - 1), LONGEST_WAIT_MINUTES);
}

/** Returns the HTTP status as text, or why there was none. */
async function push(deps: BankDeps, bankId: string, token: string): Promise<string> {
  const url = deps.config.tpp.notification_url.replaceAll('{bank_id}', bankId);
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/jwt',
        'x-fapi-interaction-id': randomUUID(),
        'x-fapi-financial-id': deps.config.org_id,
      },
      body: token,
      headersTimeout: TIME_OUT_MS,
      bodyTimeout: TIME_OUT_MS,
    });
    await body.dump();
    return String(statusCode);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `iat` is protocol time, the real clock; `toe`, the time of the event, is the sandbox clock's. */
async function signEvent(
  deps: BankDeps,
  bank: Bank,
  notification: NotificationRow,
): Promise<string> {
  const link = resourceLink(bank, {
    type: notification.resource_type,
    id: notification.resource_id,
  });
  const subject = {
    subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
    'http://openbanking.org.uk/rid': notification.resource_id,
    'http://openbanking.org.uk/rty': notification.resource_type,
    'http://openbanking.org.uk/rlk': [{ version: 'v4.0', link }],
  };
  return new jose.SignJWT({
    txn: notification.jti,
    toe: Math.floor(Temporal.Instant.from(notification.occurred_at).epochMilliseconds / 1000),
    events: { [`${URN}${notification.event}`]: { subject } },
  })
    .setProtectedHeader({ alg: 'PS256', kid: bank.key.kid, typ: 'secevent+jwt' })
    .setIssuer(bank.issuer)
    .setAudience(deps.config.tpp.client_id)
    .setSubject(link)
    .setJti(notification.jti)
    .setIssuedAt()
    .sign(bank.key.privateKey);
}

/** Returns the URL of a consent or payment on the back channel. */
export function resourceLink(bank: Bank, subject: EventSubject): string {
  return `${bank.resourceBase}/${subject.type}s/${subject.id}`;
}
