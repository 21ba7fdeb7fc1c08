import { isWithin } from '../../merchants/keys/address-range.ts';
import type { Authenticate } from '../../platform/http/calls/auth.ts';
import type { Caller } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { hashSecret } from '../../platform/vault/vault.ts';
import { modeOfOperatorKey, type Operator } from './books/operator-key.ts';
import { findSession } from './books/session-store.ts';
import { type FoundOperatorKey, findOperatorByKey, touchOperatorKey } from './books/store.ts';

const NOTE_USE_EVERY = Temporal.Duration.from({ minutes: 1 });
const SESSION = 'os_';

/** The mode of the keys of this service. */
export const keyModeOf = ({ config }: Pick<Platform, 'config'>): 'live' | 'test' =>
  config.mode === 'live' ? 'live' : 'test';

/** Returns what stands in for a key in a request of a console's session. */
export const sessionToken = (secret: string): string => SESSION + secret;

/**
 * Makes what finds the operator of a key, or of a session of the console: the caller's `merchantId` is the
 * operator's id, its `actorId` the name. A key that was revoked or has expired is refused from the next request
 * on, in every process; so is a session that has ended, or whose key or link has.
 */
export function operatorAuthenticator(platform: Platform): Authenticate {
  return async (secret, lookUp, address) => {
    if (secret.startsWith(SESSION)) return ofSession(platform, secret, address);
    if (modeOfOperatorKey(secret) !== keyModeOf(platform)) return null;
    lookUp?.begin();
    const found = await findKey(platform, secret);
    if (found === null) return null;
    lookUp?.found();
    await noteUse(platform, found);
    return callerOf(found.operator, found.allowedIps, address);
  };
}

/** Returns the operator with a valid key of this secret, and the key; null: there is none. */
export function findKey(
  { db }: Pick<Platform, 'db'>,
  secret: string,
): Promise<FoundOperatorKey | null> {
  return db.read((tx) => findOperatorByKey(tx, hashSecret(secret), realNow()));
}

async function noteUse({ db }: Platform, found: FoundOperatorKey): Promise<void> {
  const { operator, keyId, lastUsedAt } = found;
  const now = realNow();
  if (lastUsedAt !== null && isAfter(lastUsedAt.add(NOTE_USE_EVERY), now)) return;
  await db.transaction((tx) => touchOperatorKey(tx, operator.operatorId, keyId, now));
}

function callerOf(
  { operatorId, name, roles }: Operator,
  allowedIps: readonly string[] | null,
  address = 'an unknown address',
): Caller {
  const caller = { merchantId: operatorId, actorId: name, roles };
  const mayCall = allowedIps === null || isWithin(address, allowedIps);
  return mayCall ? caller : { ...caller, refusedFrom: address };
}

async function ofSession(
  { db, config }: Platform,
  token: string,
  address: string | undefined,
): Promise<Caller | null> {
  const { sso, byKey } = config.consoleSignIn;
  const ways = { byKey, issuer: sso?.issuer ?? null };
  const hash = hashSecret(token.slice(SESSION.length));
  const found = await db.read((tx) => findSession(tx, hash, realNow(), ways));
  return found === null ? null : callerOf(found, found.allowedIps, address);
}
