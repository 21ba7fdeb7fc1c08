import type { Delivery, DeliveryAttempt } from '@recollect/sdk';

/** Where a delivery stands, in a sentence; `next` is the moment of its next try as the merchant reads it. */
export function deliveryWords(delivery: Delivery, next: string | null): string {
  const tries = `${delivery.attempt_count} ${delivery.attempt_count === 1 ? 'attempt' : 'attempts'}`;
  switch (delivery.status) {
    case 'delivered':
      return `Acknowledged with 200 after ${tries}.`;
    case 'pending':
      if (delivery.attempt_count === 0) return 'It is being sent.';
      return next === null
        ? `Not acknowledged after ${tries}; we will try again.`
        : `Not acknowledged after ${tries}; next attempt ${next}.`;
    case 'failed':
      return delivery.attempt_count === 0
        ? 'Not sent: the endpoint was deleted.'
        : `Not acknowledged after ${tries}; no more retries. Resend it when your endpoint is working again.`;
    case 'held':
      return 'On hold because the endpoint was disabled. Enable it, then replay the events from that time.';
  }
}

/** Whether one sending counted, in words. */
export function attemptWords({ number, error }: DeliveryAttempt): string {
  return error === null
    ? `Attempt ${number} was acknowledged`
    : `Attempt ${number} was not acknowledged`;
}

/** How long it took, as people read it. */
export function durationWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** An address without what all of them have: `example.com/webhooks`. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** JSON set out for reading; what is not JSON stays as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
