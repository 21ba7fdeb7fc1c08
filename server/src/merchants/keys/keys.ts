import { crc32 } from 'node:zlib';
import type { Scope } from '../../platform/http/calls/access.ts';
import { base62 } from '../../platform/values/ids.ts';
import { isBefore } from '../../platform/values/instants.ts';
import type { KeyLimits } from './key-limits.ts';

/** The service that a key is for. It is part of the key, and a key of one mode is invalid in the other. */
export type KeyMode = 'test' | 'live';

/** An API key as the merchant sees it; the secret itself is shown once and never stored. */
export interface ApiKey {
  keyId: string;
  name: string;
  /** The last four characters of the secret. */
  hint: string;
  /** The scopes it was granted. What it may do now also depends on its maker's role (`presentScopes`). */
  scopes: readonly Scope[];
  /** The member with whose membership it ends; null: the operator made it. */
  madeBy: string | null;
  /** The ranges of addresses that it may be used from; null: anywhere. */
  allowedIps: readonly string[] | null;
  /** What it may do on its own; null: all that its scopes allow. */
  limits: KeyLimits | null;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant | null;
  revokedAt: Temporal.Instant | null;
  lastUsedAt: Temporal.Instant | null;
  /** The last use from another address, which was refused; null: there was none. */
  refused: { at: Temporal.Instant; address: string } | null;
}

/** How many random bytes a key takes, and how many digits they are. */
export const SECRET_BYTES = 32;
export const SECRET_DIGITS = 43; // 62^43 > 2^256
export const CHECKSUM_DIGITS = 6; // 62^6 > 2^32
const KEY_FORMAT = /^rk_(test|live)_([0-9A-Za-z]{22})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;

/** Returns the checksum at the end of a key. */
export function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, CHECKSUM_DIGITS);
}

/**
 * Returns the secret of a key: `rk_test_` or `rk_live_`, the merchant, 256 random bits, and a checksum. The checksum lets
 * scanners of leaked secrets recognise a key, and lets us refuse a mistyped one without a database query.
 */
export function formatKey(mode: KeyMode, merchantId: string, random: Buffer): string {
  if (random.length !== SECRET_BYTES) throw new RangeError('a key takes 32 random bytes');
  const body = `rk_${mode}_${merchantId.slice('mer_'.length)}${base62(random, SECRET_DIGITS)}`;
  return body + checksum(body);
}

/** Returns the mode and merchant named in a secret; null if its format or checksum is wrong. */
export function parseKey(secret: string): { mode: KeyMode; merchantId: string } | null {
  const [, mode, merchant, sum] = KEY_FORMAT.exec(secret) ?? [];
  if (merchant === undefined || sum !== checksum(secret.slice(0, -CHECKSUM_DIGITS))) return null;
  return { mode: mode === 'live' ? 'live' : 'test', merchantId: `mer_${merchant}` };
}

/** Whether a key is valid at this moment. */
export function isLive(
  key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  now: Temporal.Instant,
): boolean {
  if (key.revokedAt !== null) return false;
  return key.expiresAt === null || isBefore(now, key.expiresAt);
}
