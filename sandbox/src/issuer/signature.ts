import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { IssuerError } from './errors.ts';

/** Maximum difference between the signer's clock and ours, in real seconds. */
const TOLERANCE_SECONDS = 300;

/** The signed parts of a request. */
export interface SignedRequest {
  method: string;
  /** Path with its query, as sent. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Exactly the bytes sent; empty where there is no body. */
  rawBody: Buffer;
}

/** Returns the hex HMAC-SHA256 of method, path, timestamp, nonce and the body's SHA-256, one per line. */
export function signRequest(
  secret: string,
  request: Pick<SignedRequest, 'method' | 'path' | 'rawBody'>,
  timestamp: string,
  nonce: string,
): string {
  const bodyHash = createHash('sha256').update(request.rawBody).digest('hex');
  const signed = `${request.method}\n${request.path}\n${timestamp}\n${nonce}\n${bodyHash}`;
  return createHmac('sha256', secret).update(signed).digest('hex');
}

/** Compares two secrets in constant time. */
export function secretsEqual(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Creates a check for one partner's signed requests. It remembers nonces while their timestamps are valid (in memory: every
 * order has its own idempotency key). Throws 401 with the reason as code.
 */
export function createSignatureCheck(partner: { key_id: string; secret: string }) {
  let recent = new Set<string>();
  let older = new Set<string>();
  let turnedAt = 0;
  const useNonce = (nonce: string, realSeconds: number): void => {
    if (realSeconds - turnedAt > 2 * TOLERANCE_SECONDS) {
      older = recent;
      recent = new Set();
      turnedAt = realSeconds;
    }
    if (recent.has(nonce) || older.has(nonce)) throw refused('nonce_used', 'The nonce was used');
    recent.add(nonce);
  };
  return (request: SignedRequest, realNow: Temporal.Instant): void => {
    const header = (name: string) => String(request.headers[name] ?? '');
    const timestamp = header('x-timestamp');
    const nonce = header('x-nonce');
    const realSeconds = realNow.epochMilliseconds / 1_000;
    if (!secretsEqual(header('x-key-id'), partner.key_id)) {
      throw refused('unknown_key', 'The key id is not known');
    }
    if (!/^\d{1,12}$/.test(timestamp)) throw refused('invalid_timestamp', 'No valid x-timestamp');
    if (Math.abs(realSeconds - Number(timestamp)) > TOLERANCE_SECONDS) {
      throw refused('invalid_timestamp', 'The timestamp is more than 300 seconds away');
    }
    if (nonce === '' || nonce.length > 128) throw refused('invalid_nonce', 'No valid x-nonce');
    const expected = signRequest(partner.secret, request, timestamp, nonce);
    if (!secretsEqual(header('x-signature'), expected)) {
      throw refused('invalid_signature', 'The signature does not match');
    }
    useNonce(nonce, realSeconds);
  };
}

function refused(code: string, message: string): IssuerError {
  return new IssuerError(401, code, message);
}
