import { WebhookVerificationError } from '../errors.ts';
import type { WebhookEvent } from '../wire.ts';
import { headerOf, type WebhookHeaders } from './webhook-headers.ts';

export interface WebhookToVerify {
  /** The body exactly as received: the raw text or bytes, never a parsed and reserialised object. */
  payload: string | Uint8Array;
  headers: WebhookHeaders;
  /** The endpoint's secret, `whsec_…`. While you rotate it: the old and the new one. */
  secret: string | readonly string[];
  /** Maximum age of the timestamp. Default: 300, as specified. */
  toleranceSeconds?: number;
  /** Default: the moment of the call. */
  now?: Date;
  /**
   * Whether the Standard Webhooks headers (`webhook-id`, `webhook-timestamp`, `webhook-signature`) are required. Default: true.
   * `X-Service-Signature` is an HMAC of the body alone and does not cover the timestamp next to it, so an attacker who obtains
   * one webhook could replay it indefinitely with a fresh timestamp. The Standard Webhooks signature also covers timestamp and
   * id. If this is false and those headers are absent, only the service signature is checked, and `id` is null; if they are
   * present, they are checked anyway.
   */
  requireStandard?: boolean;
}

interface DeliveryHeaders {
  /** Counts the schedule's events from 1; null for an event of no schedule. No signature covers it: use it only for ordering. */
  sequence: number | null;
}

/** An event verified to come from the service. `id` is the same on every delivery: process each id once. */
export type VerifiedWebhook = WebhookEvent & DeliveryHeaders & { id: string };

/** The same, if the headers that carry the id may be missing. */
export type LooselyVerifiedWebhook = WebhookEvent & DeliveryHeaders & { id: string | null };

interface Signed {
  body: Uint8Array<ArrayBuffer>;
  secrets: readonly string[];
  nowSeconds: number;
  toleranceSeconds: number;
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
const encoder = new TextEncoder();

/**
 * Verifies that a webhook comes from the service, is unaltered and recent, and returns its event. Checks `X-Service-Signature`
 * and the Standard Webhooks headers in constant time. Throws WebhookVerificationError for a webhook that must not be trusted,
 * and TypeError for a call without a secret or with a payload that is not the raw body. See
 * docs/rules/webhooks.md#the-service-signature.
 */
export function verifyWebhook(
  webhook: WebhookToVerify & { requireStandard?: true },
): Promise<VerifiedWebhook>;
export function verifyWebhook(webhook: WebhookToVerify): Promise<LooselyVerifiedWebhook>;
export async function verifyWebhook(webhook: WebhookToVerify): Promise<LooselyVerifiedWebhook> {
  const { headers, requireStandard = true } = webhook;
  const signed: Signed = {
    body: bytesOf(webhook.payload),
    secrets: secretsOf(webhook.secret),
    nowSeconds: finite('now', Math.floor((webhook.now ?? new Date()).getTime() / 1000)),
    toleranceSeconds: finite('toleranceSeconds', webhook.toleranceSeconds ?? TOLERANCE_SECONDS),
  };
  await checkService(signed, headers);
  const id = await checkStandard(signed, headers, requireStandard);
  const sequence = headerOf(headers, 'x-service-sequence');
  return {
    ...readEvent(signed.body),
    id,
    sequence: sequence !== null && /^\d{1,15}$/.test(sequence) ? Number(sequence) : null,
  };
}

function bytesOf(payload: unknown): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return encoder.encode(payload);
  if (payload instanceof Uint8Array) return Uint8Array.from(payload);
  throw new TypeError('payload must be the raw body: a string or bytes, not a parsed object');
}

/** Rejects NaN: every comparison with it is false, so every timestamp would pass. */
function finite(name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new TypeError(`${name} is not a number`);
}

function secretsOf(secret: unknown): readonly string[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  const isSecret = (one: unknown): one is string =>
    typeof one === 'string' &&
    one.startsWith(PREFIX) &&
    fromBase64(one.slice(PREFIX.length)) !== null;
  if (secrets.length > 0 && secrets.every(isSecret)) return secrets;
  throw new TypeError('secret must be the secret of a webhook endpoint: whsec_…');
}

/** Checks `X-Service-Signature`, which is keyed with the secret as displayed. */
async function checkService(signed: Signed, headers: WebhookHeaders): Promise<void> {
  const header = headerOf(headers, 'x-service-signature');
  if (header === null) throw missing('X-Service-Signature');
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === undefined || hex === undefined) throw malformed('X-Service-Signature');
  refuseOtherTime(signed, Number(time));
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  for (const secret of signed.secrets)
    if (await isSignedWith(encoder.encode(secret), signature, signed.body)) return;
  throw mismatch('X-Service-Signature');
}

/**
 * Checks the Standard Webhooks 1.0.0 signature, keyed with the secret's bytes. Returns the id; null if the headers are absent
 * and not required.
 */
async function checkStandard(
  signed: Signed,
  headers: WebhookHeaders,
  isRequired: boolean,
): Promise<string | null> {
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  const list = headerOf(headers, 'webhook-signature');
  if (!isRequired && id === null && time === null && list === null) return null;
  if (id === null) throw missing('webhook-id');
  if (time === null) throw missing('webhook-timestamp');
  if (list === null) throw missing('webhook-signature');
  if (!/^\d{1,12}$/.test(time)) throw malformed('webhook-timestamp');
  refuseOtherTime(signed, Number(time));
  const content = join(encoder.encode(`${id}.${time}.`), signed.body);
  const keys = signed.secrets.map((secret) => fromBase64(secret.slice(PREFIX.length)));
  for (const signature of signaturesOf(list))
    for (const key of keys)
      if (key !== null && (await isSignedWith(key, signature, content))) return id;
  throw mismatch('webhook-signature');
}

/** Returns the `v1` signatures of a list such as `v1,<base64> v1,<base64> v2,…`. */
function signaturesOf(list: string): Uint8Array<ArrayBuffer>[] {
  return list
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => fromBase64(entry.slice('v1,'.length)))
    .filter((signature) => signature !== null);
}

/** WebCrypto compares in constant time. */
async function isSignedWith(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, signature, content);
}

function refuseOtherTime({ nowSeconds, toleranceSeconds }: Signed, seconds: number): void {
  if (nowSeconds - seconds > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The timestamp is older than ${toleranceSeconds} seconds`,
    );
  if (seconds > nowSeconds + toleranceSeconds)
    throw new WebhookVerificationError('timestamp_in_future', 'The timestamp is in the future');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(
  one: Uint8Array<ArrayBuffer>,
  other: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function readEvent(body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isEvent(event)) return { event: event.event, data: event.data } as WebhookEvent;
  } catch {
    // reported below
  }
  throw new WebhookVerificationError('invalid_payload', 'The body is not an event');
}

function isEvent(value: unknown): value is { event: string; data: object } {
  if (typeof value !== 'object' || value === null) return false;
  const { event, data } = value as { event?: unknown; data?: unknown };
  return typeof event === 'string' && typeof data === 'object' && data !== null;
}

function missing(name: string): WebhookVerificationError {
  return new WebhookVerificationError('missing_header', `The header ${name} is missing`);
}

function malformed(name: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${name} is malformed`);
}

function mismatch(name: string): WebhookVerificationError {
  return new WebhookVerificationError('signature_mismatch', `The ${name} does not fit the body`);
}
