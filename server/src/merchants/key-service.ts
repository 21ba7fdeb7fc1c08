import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { notFound } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { hashSecret } from '../platform/vault.ts';
import type { Authenticator } from './authenticator.ts';
import { insertKey, lockKey, setKeyEnd } from './key-store.ts';
import { type ApiKey, formatKey, isLive } from './keys.ts';

/** A key just made: the only time that its secret is seen. */
export interface NewKey {
  key: ApiKey;
  secret: string;
}

const SECRET_BYTES = 32;

async function note(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  keyId: string,
  from: string | null,
  to: string,
  reason: string,
): Promise<void> {
  await recordChanges(tx, now, [
    { merchantId, objectId: keyId, scheduleId: null, from, to, reason },
  ]);
}

/** Makes a key. `reason` goes to the audit trail: who asked for it. */
export async function createKey(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  name: string,
  reason: string,
): Promise<NewKey> {
  const mode = platform.config.mode === 'live' ? 'live' : 'test';
  const secret = formatKey(mode, merchantId, platform.ids.random(SECRET_BYTES));
  const key: ApiKey = {
    keyId: platform.ids.next('key', now),
    name,
    hint: secret.slice(-4),
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  await insertKey(tx, merchantId, key, hashSecret(secret));
  await note(tx, now, merchantId, key.keyId, null, 'active', reason);
  return { key, secret };
}

async function lockLiveKey(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  keyId: string,
): Promise<ApiKey> {
  const key = await lockKey(tx, merchantId, keyId);
  if (key === null || !isLive(key, now)) throw notFound('API key');
  return key;
}

function earlier(a: Temporal.Instant | null, b: Temporal.Instant): Temporal.Instant {
  return a !== null && Temporal.Instant.compare(a, b) < 0 ? a : b;
}

/**
 * Makes a key in place of another, which goes on working for `overlap`. Throws 404 `not_found` where there is no such
 * key that still works.
 */
export async function rotateKey(
  platform: Platform,
  authenticator: Authenticator,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  keyId: string,
  overlap: Temporal.Duration,
): Promise<NewKey> {
  const old = await lockLiveKey(tx, now, merchantId, keyId);
  const expiresAt = earlier(old.expiresAt, now.add(overlap));
  authenticator.distrust(keyId);
  await setKeyEnd(tx, merchantId, keyId, { expiresAt, revokedAt: null });
  await note(tx, now, merchantId, keyId, 'active', 'expiring', `ends at ${expiresAt.toString()}`);
  return createKey(platform, tx, now, merchantId, old.name, `in place of ${keyId}`);
}

/** Ends a key at once; one that has ended already stays as it was. Throws 404 `not_found`. */
export async function revokeKey(
  authenticator: Authenticator,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  keyId: string,
  reason: string,
): Promise<ApiKey> {
  const key = await lockKey(tx, merchantId, keyId);
  if (key === null) throw notFound('API key');
  if (key.revokedAt !== null) return key;
  authenticator.distrust(keyId);
  await setKeyEnd(tx, merchantId, keyId, { expiresAt: key.expiresAt, revokedAt: now });
  await note(tx, now, merchantId, keyId, 'active', 'revoked', reason);
  return { ...key, revokedAt: now };
}
