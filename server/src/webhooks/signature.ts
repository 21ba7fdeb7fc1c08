import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The text form of a webhook secret: `whsec_` and the base64 of its 32 bytes (Standard Webhooks). */
export function secretText(bytes: Buffer): string {
  return `${PREFIX}${bytes.toString('base64')}`;
}

/**
 * Returns `X-Service-Signature`: `t=<unix seconds>,v1=<lowercase hex>`, HMAC-SHA256 of the raw body alone, keyed with the
 * secret's text as shown to the merchant. See docs/rules/webhooks.md#the-service-signature.
 */
function serviceSignature(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Returns `webhook-signature`: a list with one signature per secret, keyed with the secret's bytes (Standard Webhooks 1.0.0).
 */
function standardSignature(
  secrets: readonly string[],
  eventId: string,
  seconds: number,
  body: string,
): string {
  const signed = `${eventId}.${seconds}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    })
    .join(' ');
}

/** What is signed: an event's body at one moment of real time, because receivers check it against their own clock. */
export interface Signing {
  eventId: string;
  body: string;
  at: Temporal.Instant;
  /** The active secret. */
  secret: string;
  /** The secret that becomes active next: its signature follows the other one in the Standard Webhooks header. */
  nextSecret: string | null;
}

/** Returns the four headers that prove the origin of a webhook. */
export function signatureHeaders(signing: Signing): Record<string, string> {
  const { secret, nextSecret, eventId, body } = signing;
  const seconds = Math.floor(signing.at.epochMilliseconds / 1000);
  const secrets = nextSecret === null ? [secret] : [secret, nextSecret];
  return {
    'x-service-signature': serviceSignature(secret, seconds, body),
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standardSignature(secrets, eventId, seconds, body),
  };
}
