import { randomFillSync } from 'node:crypto';

/** What an id identifies, and the prefix of its text: docs/rules/api.md#ids. */
export type IdPrefix =
  | 'mer'
  | 'cus'
  | 'sch'
  | 'con'
  | 'pay'
  | 'wal'
  | 'trf'
  | 'set'
  | 'dbt'
  | 'evt'
  | 'end'
  | 'del'
  | 'key'
  | 'req'
  | 'usr'
  | 'ses'
  | 'crd'
  | 'vrf'
  | 'tfa'
  | 'inv'
  | 'sac'
  | 'chk'
  | 'una'
  | 'ref'
  | 'ntc'
  | 'viw'
  | 'opr'
  | 'orq'
  | 'arc'
  | 'chg'
  | 'reg'
  | 'dsp'
  | 'act';

/** Makes ids: `<prefix>_` and 22 base-62 digits of a UUIDv7, so that text order is time order. */
export interface Ids {
  next(prefix: IdPrefix, at: Temporal.Instant): string;
  /** Returns `size` random bytes from the same source. */
  random(size: number): Buffer;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WIDTH = 22;

// RFC 9562: version and variant precede the two parts of the counter, which has 26 bits.
const VERSION_7 = 0x7000;
const VARIANT = 0x8000;
const COUNTER_LOW_BITS = 14;
const COUNTER_LOW = 0x3fff;

/** So many digits that what is left of one division, with 16 bits more behind it, is an exact number: no BigInt is needed. */
const CHUNK_DIGITS = 6;
const CHUNK = 62 ** CHUNK_DIGITS;
const LIMB = 0x1_0000;

function lastDigits(value: number, count: number): string {
  let text = '';
  for (let rest = value; text.length < count; rest = Math.floor(rest / 62))
    text = DIGITS.charAt(rest % 62) + text;
  return text;
}

/** Encodes bytes in base 62, fixed width, most significant first: texts of equal length sort as their bytes do. */
export function base62(bytes: Uint8Array, width: number): string {
  const limbs = limbsOf(bytes);
  let text = '';
  while (text.length < width)
    text = lastDigits(divideByChunk(limbs), Math.min(CHUNK_DIGITS, width - text.length)) + text;
  return text;
}

/** Returns the number of these bytes 16 bits at a time, most significant first. */
function limbsOf(bytes: Uint8Array): number[] {
  const limbs: number[] = [];
  for (let end = bytes.length; end > 0; end -= 2)
    limbs.unshift((bytes[end - 2] ?? 0) * 0x100 + (bytes[end - 1] ?? 0));
  return limbs;
}

/** Divides a number by a chunk of digits, in place; returns what is left. */
function divideByChunk(limbs: number[]): number {
  let rest = 0;
  for (const [at, limb] of limbs.entries()) {
    const value = rest * LIMB + limb;
    const whole = Math.floor(value / CHUNK);
    limbs[at] = whole;
    rest = value - whole * CHUNK;
  }
  return rest;
}

const POOL_BYTES = 4096;

/** Returns the operating system's random bytes, fetched in large pieces: for a few bytes, the call costs most. */
function pooledRandom(): (buffer: Buffer) => void {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (buffer) => {
    if (buffer.length > POOL_BYTES) return void randomFillSync(buffer);
    if (used + buffer.length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    pool.copy(buffer, 0, used, used + buffer.length);
    pool.fill(0, used, used + buffer.length); // handed out: it may be a secret
    used += buffer.length;
  };
}

/**
 * Makes ids from a source of random bytes (the operating system's by default; a seeded one in simulations). Ids made within
 * one millisecond still ascend: a counter precedes the random part.
 */
export function makeIds(fill: (buffer: Buffer) => void = pooledRandom()): Ids {
  let lastMs = 0;
  let counter = 0;
  const random = (size: number): Buffer => {
    const buffer = Buffer.alloc(size);
    fill(buffer);
    return buffer;
  };
  const next = (prefix: IdPrefix, at: Temporal.Instant): string => {
    const ms = at.epochMilliseconds;
    counter = ms === lastMs ? counter + 1 : 0;
    lastMs = ms;
    const bytes = random(16);
    bytes.writeUIntBE(ms, 0, 6);
    bytes.writeUInt16BE(VERSION_7 | ((counter >>> COUNTER_LOW_BITS) & 0xfff), 6);
    bytes.writeUInt16BE(VARIANT | (counter & COUNTER_LOW), 8);
    return `${prefix}_${base62(bytes, WIDTH)}`;
  };
  return { next, random };
}

/** Returns the number that an id's digits stand for: its UUID. */
function numberOf(id: string): bigint {
  const start = id.indexOf('_') + 1;
  const digits = [...id.slice(start, start + WIDTH)];
  return digits.reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
}

/** Returns the time of an id, to the millisecond. */
export function timeOfId(id: string): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Number(numberOf(id) >> 80n));
}

/** Returns the 16 bytes of an id's UUID. */
export function bytesOfId(id: string): Buffer {
  return Buffer.from(numberOf(id).toString(16).padStart(32, '0'), 'hex');
}

/**
 * Returns an id that can be derived again by a database that has lost it: the same `at` and `digest` always give the same id.
 * Has the form of the others: UUIDv7, with `at` as its time and the rest from `digest`, at least 10 bytes.
 */
export function derivedId(prefix: IdPrefix, at: Temporal.Instant, digest: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.epochMilliseconds, 0, 6);
  digest.copy(bytes, 6, 0, 10);
  bytes.writeUInt16BE(VERSION_7 | (bytes.readUInt16BE(6) & 0xfff), 6);
  bytes.writeUInt16BE(VARIANT | (bytes.readUInt16BE(8) & COUNTER_LOW), 8);
  return `${prefix}_${base62(bytes, WIDTH)}`;
}

/** Returns the text before all ids of this prefix that are made at `at` or later, and after all earlier ones. */
export function firstId(prefix: IdPrefix, at: Temporal.Instant): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.epochMilliseconds, 0, 6);
  return `${prefix}_${base62(bytes, WIDTH)}`;
}

/** Whether a text has the form of an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 1 + WIDTH &&
    text.startsWith(`${prefix}_`) &&
    /^[a-z]+_[0-9A-Za-z]+$/.test(text)
  );
}
