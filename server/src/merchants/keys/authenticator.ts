import type { LookUp } from '../../platform/http/admission/look-ups.ts';
import type { Caller } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { hashSecret } from '../../platform/vault/vault.ts';
import { makeAddressCheck } from './key-address-check.ts';
import { type FoundKey, findKeyByHash, touchKey } from './key-store.ts';
import { type ApiKey, isLive, parseKey } from './keys.ts';

/** Finds the caller of a secret; caches what the database returned for a few seconds. */
export interface Authenticator {
  /**
   * Returns null if the secret is malformed, unknown, expired or revoked. Never throws because of the secret. A key that was
   * never valid here is looked up only if `lookUp` allows it; what `lookUp` throws is passed on. The caller of a key that may not
   * be used from `address` has `refusedFrom`.
   */
  authenticate(secret: string, lookUp?: LookUp, address?: string): Promise<Caller | null>;
  /** Makes this process read the key from the database until every transaction that ends it is over. */
  distrust(keyId: string): void;
  /** Resolves when every noted use is written. */
  idle(): Promise<void>;
}

interface Remembered {
  key: ApiKey;
  caller: Caller;
  untilMs: number;
}

const REMEMBER_MS = 5_000; // other processes notice a revocation after this
const DISTRUST_MS = 60_000;
const UNKNOWN_MS = 30_000;
const MAX_REMEMBERED = 10_000;
const UNLIMITED: LookUp = { begin: () => undefined, found: () => undefined };
const NOTE_USE_EVERY = Temporal.Duration.from({ minutes: 1 });

/**
 * Returns the caller of a key that was found; null if there is none, the key is not live, or the member who made it has left the
 * team, because the key ends with their membership.
 */
export function liveCaller(
  merchantId: string,
  found: FoundKey | null,
  now: Temporal.Instant,
): Caller | null {
  if (found === null || !isLive(found.key, now)) return null;
  const { keyId, scopes, madeBy, limits } = found.key;
  const role = found.makerRole;
  if (madeBy !== null && role === null) return null;
  const maker = madeBy === null || role === null ? null : { userId: madeBy, role };
  const isLimited = limits === null ? {} : { isLimited: true as const };
  return { merchantId, actorId: keyId, key: { scopes, maker, ...isLimited } };
}

/** Makes an authenticator. Each process needs a single one, which must be notified of revocations made here. */
export function makeAuthenticator(platform: Platform): Authenticator {
  const remembered = new Map<string, Remembered>();
  const unknown = new Map<string, number>();
  /** Keys that have been valid: a flood from the same address does not keep them out. */
  const proven = new Map<string, number>();
  const distrusted = new Map<string, number>();
  const notes = new Set<Promise<void>>();
  const mode = platform.config.mode === 'live' ? 'live' : 'test';
  const nowMs = (): number => realNow().epochMilliseconds;

  const isDistrusted = (keyId: string): boolean => {
    const until = distrusted.get(keyId);
    if (until === undefined) return false;
    if (until > nowMs()) return true;
    distrusted.delete(keyId);
    return false;
  };

  const recall = (hash: string): Remembered | null => {
    const found = remembered.get(hash);
    if (found === undefined) return null;
    if (found.untilMs > nowMs() && !isDistrusted(found.key.keyId)) return found;
    remembered.delete(hash);
    return null;
  };

  const remember = (hash: string, caller: Caller, key: ApiKey): void => {
    if (isDistrusted(key.keyId)) return;
    storeNewest(remembered, hash, { caller, key, untilMs: nowMs() + REMEMBER_MS });
  };

  const noteUse = (merchantId: string, key: ApiKey, now: Temporal.Instant): void => {
    const since = now.subtract(NOTE_USE_EVERY);
    if (key.lastUsedAt !== null && isAfter(key.lastUsedAt, since)) return;
    const note = platform.db
      .forMerchant(merchantId, (tx) => touchKey(tx, merchantId, key.keyId, now, since))
      .catch((error: unknown) => platform.log.report('api_key.use_not_stored', { err: error }))
      .finally(() => notes.delete(note));
    notes.add(note);
  };

  const fromWhere = makeAddressCheck(platform, notes);

  return {
    async authenticate(secret, lookUp = UNLIMITED, address = 'an unknown address') {
      const parsed = parseKey(secret);
      if (parsed === null || parsed.mode !== mode) return null;
      const { merchantId } = parsed;
      const now = platform.clock.now();
      const hash = hashSecret(secret);
      const name = hash.toString('base64');
      const known = recall(name);
      if (known !== null)
        return isLive(known.key, now) ? fromWhere(known.caller, known.key, address) : null;
      if ((unknown.get(name) ?? 0) > nowMs()) return null;
      if (!proven.has(name)) lookUp.begin();
      const found = await platform.db.forMerchant(merchantId, (tx) =>
        findKeyByHash(tx, merchantId, hash),
      );
      const caller = liveCaller(merchantId, found, now);
      // A key that has ended is not cached as unknown: an owner may take it over.
      if (found === null) storeNewest(unknown, name, nowMs() + UNKNOWN_MS);
      if (found === null || caller === null) {
        proven.delete(name);
        return null;
      }
      lookUp.found();
      storeNewest(proven, name, nowMs());
      remember(name, caller, found.key);
      const from = fromWhere(caller, found.key, address);
      if (from.refusedFrom === undefined) noteUse(merchantId, found.key, now);
      return from;
    },
    distrust: (keyId) => void distrusted.set(keyId, nowMs() + DISTRUST_MS),
    async idle() {
      await Promise.all(notes);
    },
  };
}

/** Stores an entry as the newest and evicts the oldest beyond the maximum. */
function storeNewest<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  const [oldest] = map.keys();
  if (map.size >= MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
  map.set(name, value);
}
