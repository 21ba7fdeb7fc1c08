import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_OF_A_LETTER = 5;
const BITS_OF_A_BYTE = 8;

/** Returns the code that an authenticator shows for a secret at a moment (RFC 6238: SHA-1, six digits, half a minute). */
export function codeAt(secret: string, at: Temporal.Instant): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.epochMilliseconds / STEP_MS)));
  const mac = createHmac('sha1', Buffer.from(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** Returns a secret as it is typed into an authenticator app: in base 32. */
export function typedKey(secret: string): string {
  const bits = [...Buffer.from(secret)]
    .map((byte) => byte.toString(2).padStart(BITS_OF_A_BYTE, '0'))
    .join('');
  const letters = bits.match(new RegExp(`.{1,${BITS_OF_A_LETTER}}`, 'g')) ?? [];
  return letters
    .map((five) => BASE32[Number.parseInt(five.padEnd(BITS_OF_A_LETTER, '0'), 2)])
    .join('');
}
