import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { request } from 'undici';
import { isoInstant } from '../../clock.ts';
import { inParallel } from '../../parallel.ts';
import type { Store } from '../../store.ts';
import type { Bank, BankDeps } from '../bank.ts';
import { clientOfConsent, findClient } from '../parties/third-parties.ts';

/** Security events (SETs) that notify the third party of changes; pushed until it returns 202. */

const URN = 'urn:uk:org:openbanking:events:';
type EventName = 'resource-update' | 'consent-authorization-revoked';

export interface EventSubject {
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
/** How many are pushed together: the next payments are moved once all of them are answered. */
const BATCH = 200;
/** The answer to a notification that nobody asked for. */
const NO_ADDRESS = 'no address';

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

/** Attempts every notification that is due at `at`, up to a batch. */
export async function pushDue(deps: BankDeps, at: Temporal.Instant): Promise<void> {
  const due = deps.store.all<NotificationRow>(
    'SELECT * FROM notifications WHERE due_at <= :at ORDER BY due_at, rowid LIMIT :limit',
    { at: isoInstant(at), limit: BATCH },
  );
  await inParallel(due, BATCH, (notification) => attempt(deps, notification, at));
}

async function attempt(
  deps: BankDeps,
  notification: NotificationRow,
  at: Temporal.Instant,
): Promise<void> {
  const bank = deps.banks.get(notification.bank);
  if (!bank) throw new Error(`Notification of unknown bank ${notification.bank}`);
  const client = findClient(deps, bank.brand.bankId, clientOf(deps, notification));
  // A client that registered gets its software's notifications; software without an address gets none.
  const isAwaited = client?.softwareId === deps.config.tpp.software_id;
  const token = await signEvent(bank, notification, client?.clientId ?? '');
  const answer = isAwaited ? await push(deps, notification.bank, token) : NO_ADDRESS;
  const attempts = notification.attempts + 1;
  const isOver = answer === '202' || answer === NO_ADDRESS || attempts >= MAX_ATTEMPTS;
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

/** Returns the client that a notification's consent or payment belongs to. */
function clientOf(deps: BankDeps, { resource_type, resource_id }: NotificationRow): string {
  if (resource_type === 'domestic-vrp-consent') return clientOfConsent(deps, resource_id);
  const payment = deps.store.get<{ consent_id: string }>(
    'SELECT consent_id FROM payments WHERE payment_id = :id',
    { id: resource_id },
  );
  return clientOfConsent(deps, payment?.consent_id ?? '');
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
  bank: Bank,
  notification: NotificationRow,
  clientId: string,
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
    .setAudience(clientId)
    .setSubject(link)
    .setJti(notification.jti)
    .setIssuedAt()
    .sign(bank.key.privateKey);
}

/** Returns the URL of a consent or payment on the back channel. */
export function resourceLink(bank: Bank, subject: EventSubject): string {
  return `${bank.resourceBase}/${subject.type}s/${subject.id}`;
}
