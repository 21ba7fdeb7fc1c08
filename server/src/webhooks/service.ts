import { lockMerchantRow } from '../merchants/store.ts';
import { refuseEndpoint } from '../platform/network/address.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { ApiError, invalid, notFound } from '../platform/values/errors.ts';
import { DEFAULT_EVENT_KINDS, type EndpointStatus } from './endpoint.ts';
import { holdUndelivered, MAX_HELD_PER_RUN, resumeHeld } from './held-store.ts';
import { secretText } from './signature.ts';
import {
  countEndpoints,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  moveEndpoint,
  saveEndpoint,
} from './store.ts';

/**
 * Returns the context under which a webhook secret is sealed. Both of an endpoint's secrets share it, because the next
 * becomes the active one.
 */
export function secretContext(merchantId: string, endpointId: string): string {
  return `webhook_endpoints/${merchantId}/${endpointId}/secret`;
}

/** An endpoint with its newly created secret, which is shown once. */
export interface WithSecret {
  endpoint: EndpointRow;
  secret: string;
}

async function checkUrl({ config }: Platform, url: string): Promise<void> {
  const refused = await refuseEndpoint(url, config.mode);
  if (refused !== null) throw invalid({ url: refused });
}

/** The maximum number of endpoints per merchant: every event creates a delivery for each. */
const MAX_ENDPOINTS = 20;

/** Serialises the creation of endpoints of this merchant. Throws 409 `too_many_endpoints`. */
async function refuseBeyondMaximum({ tx, merchantId }: Asked): Promise<void> {
  await lockMerchantRow(tx, merchantId);
  if ((await countEndpoints(tx, merchantId)) < MAX_ENDPOINTS) return;
  throw new ApiError(
    'too_many_endpoints',
    `You have ${MAX_ENDPOINTS} webhook endpoints, which is the most; delete one first.`,
  );
}

/**
 * Creates an enabled endpoint; without `eventKinds` it gets the six default kinds. Throws `invalid_request`,
 * `too_many_endpoints`.
 */
export async function createEndpoint(
  platform: Platform,
  asked: Asked,
  what: { url: string; description?: string; eventKinds?: readonly string[] },
): Promise<WithSecret> {
  const { tx, now, merchantId } = asked;
  await checkUrl(platform, what.url);
  await refuseBeyondMaximum(asked);
  const endpointId = platform.ids.next('end', now);
  const secret = secretText(platform.ids.random(32));
  const endpoint = await insertEndpoint(
    tx,
    {
      merchantId,
      endpointId,
      url: what.url,
      description: what.description ?? '',
      eventKinds: [...(what.eventKinds ?? DEFAULT_EVENT_KINDS)],
      secret: platform.vault.seal(secret, secretContext(merchantId, endpointId)),
    },
    now,
  );
  await record(asked, endpointId, null, 'enabled', what.url);
  return { endpoint, secret };
}

/** Writes a change of an endpoint to the audit trail. */
async function record(
  { tx, now, merchantId }: Asked,
  objectId: string,
  from: string | null,
  to: string,
  reason: string,
): Promise<void> {
  await recordChanges(tx, now, [{ merchantId, objectId, scheduleId: null, from, to, reason }]);
}

/** The fields to change; omitted ones stay. */
export interface EndpointChange {
  url?: string;
  description?: string;
  eventKinds?: readonly string[];
  status?: Exclude<EndpointStatus, 'deleted'>;
}

/**
 * Changes an endpoint. Disabling holds back waiting deliveries. Enabling again takes up those that had been tried and were
 * waiting for a retry; what occurred meanwhile the merchant replays. (Of a long backlog, deliveries not yet put aside when the
 * endpoint is enabled again are sent.)
 * Throws `invalid_request`, `not_found`.
 */
export async function updateEndpoint(
  platform: Platform,
  asked: Asked,
  endpointId: string,
  change: EndpointChange,
): Promise<EndpointRow> {
  if (change.url !== undefined) await checkUrl(platform, change.url);
  return changeEndpoint(asked, endpointId, (before) => ({
    ...before,
    url: change.url ?? before.url,
    description: change.description ?? before.description,
    eventKinds: change.eventKinds === undefined ? before.eventKinds : [...change.eventKinds],
    status: change.status ?? before.status,
  }));
}

/** Deletes an endpoint; its waiting deliveries have failed. Throws `not_found`. */
export async function deleteEndpoint(asked: Asked, endpointId: string): Promise<void> {
  await changeEndpoint(asked, endpointId, (before) => ({
    ...before,
    status: 'deleted',
    nextSecret: null,
    nextSecretAt: null,
  }));
}

/**
 * Makes a next secret, replacing an earlier one that was not activated. The active secret signs until the merchant activates
 * this one or 24 hours have passed. Throws `not_found`.
 */
export async function rotateSecret(
  platform: Platform,
  asked: Asked,
  endpointId: string,
): Promise<WithSecret> {
  const secret = secretText(platform.ids.random(32));
  const endpoint = await changeEndpoint(asked, endpointId, (before) => ({
    ...before,
    nextSecret: platform.vault.seal(secret, secretContext(asked.merchantId, endpointId)),
    nextSecretAt: asked.now,
  }));
  return { endpoint, secret };
}

/** Activates the next secret at once. Throws `not_found`, `no_pending_secret`. */
export async function activateSecret(asked: Asked, endpointId: string): Promise<EndpointRow> {
  return changeEndpoint(asked, endpointId, (before) => {
    if (before.nextSecret === null)
      throw new ApiError('no_pending_secret', 'There is no new secret to activate: rotate first.');
    return { ...before, secret: before.nextSecret, nextSecret: null, nextSecretAt: null };
  });
}

/**
 * Locks an endpoint, decides and saves. If it is no longer enabled, nothing is sent to it any more: the first waiting
 * deliveries are put aside at once, the rest by a stage, so that the lock stays short however many there are. If it is enabled
 * again, its retries are taken up in the same way.
 */
async function changeEndpoint(
  asked: Asked,
  endpointId: string,
  decide: (before: EndpointRow) => EndpointRow,
): Promise<EndpointRow> {
  const { tx, now, merchantId } = asked;
  const before = await findEndpoint(tx, merchantId, endpointId, 'FOR NO KEY UPDATE');
  if (before === null) throw notFound('webhook endpoint');
  const after = { ...decide(before), updatedAt: now };
  await saveEndpoint(tx, after);
  if (after.status === before.status) {
    await record(asked, endpointId, before.status, whatChanged(before, after), after.url);
    return after;
  }
  await moveEndpoint(tx, now, { ...after, status: before.status }, after.status);
  const moveWaiting = after.status === 'enabled' ? resumeHeld : holdUndelivered;
  await moveWaiting(tx, now, { merchantId, endpointId }, MAX_HELD_PER_RUN);
  return after;
}

/** Names a change that left the status as it was. */
function whatChanged(before: EndpointRow, after: EndpointRow): string {
  if (after.secret !== before.secret) return 'secret_activated';
  return after.nextSecret === before.nextSecret ? 'changed' : 'secret_made';
}
