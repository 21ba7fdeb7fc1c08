import {
  CHECKSUM_DIGITS,
  checksum,
  type KeyMode,
  SECRET_BYTES,
  SECRET_DIGITS,
} from '../../merchants/keys.ts';
import { base62 } from '../../platform/ids.ts';

/** An operator: whoever runs the service. The audit trail records their changes under their name. */
export interface Operator {
  operatorId: string;
  name: string;
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
}

const FORM = /^ro_(test|live)_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .'’_-]{0,69}$/u;

/** Returns the secret of a key: `ro_test_` or `ro_live_`, 256 random bits, and a checksum. */
export function formatOperatorKey(mode: KeyMode, random: Buffer): string {
  if (random.length !== SECRET_BYTES) throw new RangeError('a key takes 32 random bytes');
  const body = `ro_${mode}_${base62(random, SECRET_DIGITS)}`;
  return body + checksum(body);
}

/** Returns the mode of a secret; null if its format or checksum is wrong. */
export function modeOfOperatorKey(secret: string): KeyMode | null {
  const [, mode, sum] = FORM.exec(secret) ?? [];
  if (mode === undefined || sum !== checksum(secret.slice(0, -CHECKSUM_DIGITS))) return null;
  return mode === 'live' ? 'live' : 'test';
}

/** Whether an operator may have this name: letters, digits, spaces and `. ' _ -`, which the audit trail shows as they are. */
export function isOperatorName(name: string): boolean {
  return NAME.test(name);
}
