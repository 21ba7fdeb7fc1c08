import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;

/**
 * Returns the code that an authenticator app shows for a key (RFC 6238): the current one, or the one `later` half minutes from
 * now. A code that is half a minute early is accepted too.
 */
export function appCode(key: Buffer, later = 0): string {
  const now = Temporal.Now.instant().epochMilliseconds;
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS) + later));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes a key as typed into an app, in base 32. */
export function appKey(typed: string): Buffer {
  const bits = [...typed].map((c) => BASE32.indexOf(c).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
