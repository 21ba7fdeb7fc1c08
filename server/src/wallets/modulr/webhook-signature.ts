import { createHmac, timingSafeEqual } from 'node:crypto';
import { IssuerSignatureError } from '../issuer.ts';

/** How far a notification's date may be from ours. */
const TOLERANCE = Temporal.Duration.from({ minutes: 5 });

/** The algorithms that a webhook may be set to; SHA-1 is not accepted. */
const HASHES: Readonly<Record<string, string>> = {
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
};

export type Headers = Record<string, string | string[] | undefined>;

/**
 * Checks a notification's signature as if Modulr built it like that of our requests: over `date` and `x-mod-nonce`, with the
 * secret of the webhook. Modulr's document does not say how it is built. Throws IssuerSignatureError.
 */
export function checkWebhookSignature(
  headers: Headers,
  secrets: readonly string[],
  now: Temporal.Instant,
): void {
  const date = String(headers.date ?? '');
  const nonce = String(headers['x-mod-nonce'] ?? '');
  const fields = fieldsOf(String(headers.authorization ?? ''));
  const hash = HASHES[fields.algorithm ?? ''];
  if (hash === undefined || fields.headers !== 'date x-mod-nonce' || nonce === '')
    throw new IssuerSignatureError('the signature is missing, or of another kind');
  if (!isRecent(date, now))
    throw new IssuerSignatureError('the date is missing or more than 5 minutes away');
  const given = Buffer.from(decoded(fields.signature ?? ''), 'base64');
  const isSignedWith = (secret: string): boolean => {
    const text = `date: ${date}\nx-mod-nonce: ${nonce}`;
    const expected = createHmac(hash, secret).update(text).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!secrets.some(isSignedWith)) throw new IssuerSignatureError('the signature does not match');
}

function fieldsOf(authorization: string): Record<string, string | undefined> {
  if (!authorization.startsWith('Signature ')) return {};
  return Object.fromEntries(
    [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function isRecent(date: string, now: Temporal.Instant): boolean {
  const at = Date.parse(date);
  return Math.abs(at - now.epochMilliseconds) <= TOLERANCE.total('milliseconds');
}
