import { randomFillSync } from 'node:crypto';

/** What an id stands for; the prefix of its text form (DECISIONS, "Identifiers"). */
export type IdPrefix =
  | 'mer'
  | 'cus'
  | 'sch'
  | 'con'
  | 'pay'
  | 'wal'
  | 'trf'
  | 'set'
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
  | 'inv';

/** Makes ids: `<prefix>_` and 22 base-62 digits of a UUIDv7, so that text order is time order. */
export interface Ids {
  next(prefix: IdPrefix, at: Temporal.Instant): string;
  /** `size` random bytes from the same source. */
  random(size: number): Buffer;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WIDTH = 22;

// RFC 9562: version and variant stand before the two parts of the counter, which has 26 bits.
const VERSION_7 = 0x7000;
const VARIANT = 0x8000;
const COUNTER_LOW_BITS = 14;
const COUNTER_LOW = 0x3fff;

/** Base 62 of bytes, fixed width, most significant first: equal lengths sort as their bytes do. */
export function base62(bytes: Uint8Array, width: number): string {
  let rest = 0n;
  for (const byte of bytes) rest = (rest << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < width; i++) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/**
 * An id maker over a source of random bytes (the operating system's by default; a seeded one in simulations).
 * Ids made within one millisecond still ascend: a counter stands between the time and the random part.
 */
export function makeIds(
  fill: (buffer: Buffer) => void = (buffer) => void randomFillSync(buffer),
): Ids {
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

/** Whether a text has the form of an id with this prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 1 + WIDTH &&
    text.startsWith(`${prefix}_`) &&
    /^[a-z]+_[0-9A-Za-z]+$/.test(text)
  );
}
