import { VERSION } from '../platform/config/config.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import type { Outgoing } from './sender.ts';
import { signatureHeaders } from './signature.ts';

/** The parts of a webhook request: the opened secrets, and both clocks. */
export interface Parts {
  delivery: Pick<ClaimedDelivery, 'eventId' | 'body' | 'sequence' | 'url'>;
  secret: string;
  nextSecret: string | null;
  /** The machine's time: receivers check the signature against their own clock. */
  realNow: Temporal.Instant;
  /** In sandbox mode, the sandbox's time; null: live. */
  sandboxNow: Temporal.Instant | null;
}

/** Returns the webhook request, signed now: docs/rules/webhooks.md#signed-at-every-attempt. */
export function webhookRequest(parts: Parts): Outgoing {
  const { delivery, secret, nextSecret, realNow, sandboxNow } = parts;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': `Recollect/${VERSION}`,
    ...signatureHeaders({
      eventId: delivery.eventId,
      body: delivery.body,
      at: realNow,
      secret,
      nextSecret,
    }),
  };
  if (delivery.sequence !== null) headers['x-service-sequence'] = String(delivery.sequence);
  if (sandboxNow !== null) headers['x-sandbox-time'] = formatInstant(sandboxNow);
  return { url: delivery.url, headers, body: delivery.body };
}
