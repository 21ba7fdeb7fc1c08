import {
  CHECKSUM_DIGITS,
  checksum,
  type KeyMode,
  SECRET_BYTES,
  SECRET_DIGITS,
} from '../../../merchants/keys/keys.ts';
import { base62 } from '../../../platform/values/ids.ts';
import type { OperatorRole } from './roles.ts';

/** An operator: whoever runs the service. The audit trail records their changes under their name. */
export interface Operator {
  operatorId: string;
  name: string;
  roles: OperatorRole[];
}

/** An operator's key; the secret itself is shown once and never stored. Instants are real time. */
export interface OperatorKey {
  keyId: string;
  name: string;
  /** The last four characters of the secret. */
  hint: string;
  createdAt: Temporal.Instant;
  revokedAt: Temporal.Instant | null;
  lastUsedAt: Temporal.Instant | null;
  /** From when it is refused. */
  expiresAt: Temporal.Instant;
  /** From where alone it may be used; null: anywhere. */
  allowedIps: string[] | null;
}

/** How long a key lives at most, and without another word. */
export const LONGEST_KEY_DAYS = 90;

/** How long a first key lives that is sent to somebody by email: they make their own with it. */
export const FIRST_KEY_DAYS = 3;

const KEY_FORMAT = /^ro_(test|live)_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .'’_-]{0,69}$/u;

/** Returns the secret of a key: `ro_test_` or `ro_live_`, 256 random bits, and a checksum. */
export function formatOperatorKey(mode: KeyMode, random: Buffer): string {
  if (random.length !== SECRET_BYTES) throw new RangeError('a key takes 32 random bytes');
  const body = `ro_${mode}_${base62(random, SECRET_DIGITS)}`;
  return body + checksum(body);
}

/** Returns the mode of a secret; null if its format or checksum is wrong. */
export function modeOfOperatorKey(secret: string): KeyMode | null {
  const [, mode, sum] = KEY_FORMAT.exec(secret) ?? [];
  if (mode === undefined || sum !== checksum(secret.slice(0, -CHECKSUM_DIGITS))) return null;
  return mode === 'live' ? 'live' : 'test';
}

/** The scripts that a name may be written in: letters of two of them in one name are a disguise. */
const SCRIPTS = ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Devanagari', 'Han'] as const;

function isOfOneScript(name: string): boolean {
  const letters = name.replaceAll(/[^\p{L}]/gu, '');
  return SCRIPTS.some((script) => new RegExp(`^\\p{Script=${script}}*$`, 'u').test(letters));
}

/**
 * Whether an operator may have this name: letters of one script, digits, spaces and `. ' _ -`, which the audit
 * trail shows as they are.
 */
export function isOperatorName(name: string): boolean {
  return NAME.test(name) && isOfOneScript(name);
}
