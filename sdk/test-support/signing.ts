import { createHmac } from 'node:crypto';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const NEXT_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

/** HMAC-SHA256 of the body alone, keyed with the secret as it was shown: docs/rules/webhooks.md#the-service-signature. */
export function serviceHeader(body: string, seconds: number, secret = SECRET): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Standard Webhooks 1.0.0: keyed with the bytes behind `whsec_`. */
export function standardSignature(
  body: string,
  seconds: number,
  id = 'evt_1',
  secret = SECRET,
): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** The headers of a webhook as the service sends them. */
export function signedHeaders(body: string, seconds: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-service-signature': serviceHeader(body, seconds),
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': standardSignature(body, seconds),
    'x-service-sequence': '3',
  };
}
