import type { WebhookEvent } from '../wire.ts';

export interface WebhookToSign {
  event: WebhookEvent['event'];
  data: object;
  /** The secret that your receiver knows: `whsec_…`. */
  secret: string;
  /** `webhook-id`, which the receiver remembers. Default: a random one. */
  id?: string;
  /** Counts the schedule's events from 1. Default: none. */
  sequence?: number;
  /** Default: the moment of the call. */
  now?: Date;
}

/** A webhook as the service would send it. */
export interface SignedWebhook {
  payload: string;
  headers: Record<string, string>;
}

const encoder = new TextEncoder();

/**
 * Signs a webhook of your own, to test your receiver with: it passes `verifyWebhook`. Throws TypeError for what is no secret of
 * an endpoint. See docs/rules/webhooks.md#the-service-signature.
 */
export async function signWebhook(webhook: WebhookToSign): Promise<SignedWebhook> {
  const { event, data, secret, sequence, id = `evt_${crypto.randomUUID()}` } = webhook;
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret))
    throw new TypeError('secret must be the secret of a webhook endpoint: whsec_…');
  const payload = JSON.stringify({ event, data });
  const seconds = Math.floor((webhook.now ?? new Date()).getTime() / 1000);
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0));
  const service = await hmac(encoder.encode(secret), payload);
  const standard = await hmac(bytes, `${id}.${seconds}.${payload}`);
  const hex = Array.from(service, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': `t=${seconds},v1=${hex}`,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    ...(sequence === undefined ? {} : { 'x-service-sequence': String(sequence) }),
  };
  return { payload, headers };
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
}
