import { SCOPES } from '../../platform/http/calls/access.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import type { NewNotice } from '../../platform/state/notify.ts';
import { notFound, orNotFound } from '../../platform/values/errors.ts';
import { earlier } from '../../platform/values/instants.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { hashSecret } from '../../platform/vault/vault.ts';
import { DEFAULT_SCOPES } from '../scope.ts';
import type { Authenticator } from './authenticator.ts';
import {
  grantOf,
  type KeyCreator,
  type KeyGrant,
  type RequestedLimits,
  refuseUselessLimits,
} from './key-grant.ts';
import type { KeyLimits } from './key-limits.ts';
import {
  insertKey,
  lockKey,
  lockKeysOf,
  setKeyAddresses,
  setKeyEnd,
  setKeyMaker,
  setLimitsOf,
} from './key-store.ts';
import { type ApiKey, formatKey, isLive, SECRET_BYTES } from './keys.ts';
import { setLimits } from './limit-store.ts';

/** A new key. Its secret is never shown again. */
export interface NewKey {
  key: ApiKey;
  secret: string;
}

async function note(
  { tx, now, merchantId }: Asked,
  keyId: string,
  from: string | null,
  to: string,
  reason: string,
): Promise<void> {
  await recordChanges(tx, now, [
    { merchantId, objectId: keyId, scheduleId: null, from, to, reason },
  ]);
}

/** Tells the owners of a key's creation or end, once each. */
const keyNotice = (
  { merchantId }: Asked,
  { keyId, name, hint }: ApiKey,
  kind: 'api_key_created' | 'api_key_revoked',
): NewNotice => ({ merchantId, kind, causeId: keyId, facts: { name, hint } });

const OPERATORS: KeyGrant = { scopes: DEFAULT_SCOPES, madeBy: null, allowedIps: null };

/** Creates a key. `reason` goes to the audit trail: who asked for it. */
export async function createKey(
  { config, ids, notify }: Platform,
  asked: Asked,
  name: string,
  reason: string,
  { scopes, madeBy, allowedIps, limits = null }: KeyGrant = OPERATORS,
): Promise<NewKey> {
  const { tx, now, merchantId } = asked;
  refuseUselessLimits(scopes, limits);
  const mode = config.mode === 'live' ? 'live' : 'test';
  const secret = formatKey(mode, merchantId, ids.random(SECRET_BYTES));
  const keyId = ids.next('key', now);
  const key: ApiKey = {
    keyId,
    name,
    hint: secret.slice(-4),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    madeBy,
    allowedIps,
    limits: limitsFor(keyId, limits, now),
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    refused: null,
  };
  // A key in place of another shares its limits, which somebody may be changing.
  if (key.limits?.limitsId === keyId) await setLimits(tx, merchantId, key.limits);
  await insertKey(tx, merchantId, key, hashSecret(secret));
  await note(asked, key.keyId, null, 'active', reason);
  await notify(tx, now, [keyNotice(asked, key, 'api_key_created')]);
  return { key, secret };
}

/** Returns the limits of a key: those of the key that it replaces, or new ones of its own. */
function limitsFor(
  keyId: string,
  limits: RequestedLimits | KeyLimits | null,
  now: Temporal.Instant,
): KeyLimits | null {
  if (limits === null || 'limitsId' in limits) return limits;
  return { ...limits, limitsId: keyId, spentAt: now, spentPence: 0 };
}

async function lockLiveKey({ tx, now, merchantId }: Asked, keyId: string): Promise<ApiKey> {
  const key = await lockKey(tx, merchantId, keyId);
  if (key === null || !isLive(key, now)) throw notFound('API key');
  return key;
}

/**
 * Creates a replacement for a key, which keeps working for `overlap`. Throws 404 `not_found` if there is no such live key, 403
 * `forbidden` if `giver` could not create a key with the same scopes.
 */
export async function rotateKey(
  { platform, authenticator }: { platform: Platform; authenticator: Authenticator },
  asked: Asked,
  keyId: string,
  overlap: Temporal.Duration,
  giver: KeyCreator,
): Promise<NewKey> {
  const { tx, now, merchantId } = asked;
  const old = await lockLiveKey(asked, keyId);
  const grant = { ...grantOf(giver, old.scopes, old.allowedIps), limits: old.limits };
  const expiresAt = earlier(old.expiresAt, now.add(overlap));
  authenticator.distrust(keyId);
  await setKeyEnd(tx, merchantId, keyId, { expiresAt, revokedAt: null });
  await note(asked, keyId, 'active', 'expiring', `ends at ${expiresAt.toString()}`);
  return createKey(platform, asked, old.name, `in place of ${keyId}`, grant);
}

/**
 * Changes the addresses that a key may be used from; null: anywhere. Other processes follow within five seconds. Throws 404
 * `not_found` if there is no such live key.
 */
export async function changeKeyAddresses(
  authenticator: Pick<Authenticator, 'distrust'>,
  asked: Asked,
  keyId: string,
  allowedIps: readonly string[] | null,
): Promise<ApiKey> {
  const key = await lockLiveKey(asked, keyId);
  authenticator.distrust(keyId);
  await setKeyAddresses(asked.tx, asked.merchantId, keyId, allowedIps);
  const where = allowedIps === null ? 'anywhere' : allowedIps.join(', ');
  await note(asked, keyId, 'active', 'addresses_changed', `may be used from ${where}`);
  return { ...key, allowedIps };
}

const pounds = (pence: number): string => `£${toDecimal(pence)}`;

/**
 * Changes what a key may do on its own; null: all that its scopes allow. It counts for the keys that share its limits, and what
 * was used today stays used. Throws 404 `not_found` if there is no such live key, 400 for a key with the scope `keys`.
 */
export async function changeKeyLimits(
  authenticator: Pick<Authenticator, 'distrust'>,
  asked: Asked,
  keyId: string,
  wanted: RequestedLimits | null,
): Promise<ApiKey> {
  const { tx, now, merchantId } = asked;
  const key = await lockLiveKey(asked, keyId);
  refuseUselessLimits(key.scopes, wanted);
  authenticator.distrust(keyId);
  const limits =
    wanted && key.limits ? { ...key.limits, ...wanted } : limitsFor(keyId, wanted, now);
  if (limits !== null) await setLimits(tx, merchantId, limits);
  await setLimitsOf(tx, merchantId, keyId, limits?.limitsId ?? null);
  const sentence =
    wanted === null
      ? 'no limits'
      : `${pounds(wanted.perActPence)} an act, ${pounds(wanted.perDayPence)} a day`;
  await note(asked, keyId, 'active', 'limits_changed', sentence);
  return { ...key, limits };
}

/** Revokes a key at once; a key that has already ended stays unchanged. Throws 404 `not_found`. */
export async function revokeKey(
  {
    platform,
    authenticator,
  }: { platform: Platform; authenticator: Pick<Authenticator, 'distrust'> },
  asked: Asked,
  keyId: string,
  reason: string,
): Promise<ApiKey> {
  const { tx, now, merchantId } = asked;
  const key = orNotFound(await lockKey(tx, merchantId, keyId), 'API key');
  if (key.revokedAt !== null) return key;
  authenticator.distrust(keyId);
  await setKeyEnd(tx, merchantId, keyId, { expiresAt: key.expiresAt, revokedAt: now });
  await note(asked, keyId, 'active', 'revoked', reason);
  await platform.notify(tx, now, [keyNotice(asked, key, 'api_key_revoked')]);
  return { ...key, revokedAt: now };
}

/**
 * Handles a member's keys when they leave the team: the keys end, unless an owner (`keeper`) takes them over; then they end with
 * the owner's membership.
 */
export async function leaveKeys(
  {
    platform,
    authenticator,
  }: { platform: Platform; authenticator: Pick<Authenticator, 'distrust'> },
  asked: Asked,
  userId: string,
  keeper: string | null,
): Promise<void> {
  const { tx, now, merchantId } = asked;
  for (const key of await lockKeysOf(tx, merchantId, userId)) {
    const { keyId, expiresAt } = key;
    authenticator.distrust(keyId);
    if (keeper === null) {
      await setKeyEnd(tx, merchantId, keyId, { expiresAt, revokedAt: now });
      await note(asked, keyId, 'active', 'revoked', `${userId} left the team`);
      await platform.notify(tx, now, [keyNotice(asked, key, 'api_key_revoked')]);
    } else {
      await setKeyMaker(tx, merchantId, keyId, keeper);
      await note(asked, keyId, 'active', 'active', `kept by ${keeper}`);
    }
  }
}

/** Clears this process's cache of a member's keys: their power changed with the member's role. */
export async function distrustKeysOf(
  authenticator: Pick<Authenticator, 'distrust'>,
  { tx, merchantId }: Asked,
  userId: string,
): Promise<void> {
  for (const { keyId } of await lockKeysOf(tx, merchantId, userId)) authenticator.distrust(keyId);
}
