import type { Delivery, DeliveryAttempt } from '@recollect/sdk';

/** Describes the status of a delivery; `next` is the formatted time of its next attempt. */
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

/** Describes the result of one attempt. */
export function attemptWords({ number, error }: DeliveryAttempt): string {
  return error === null
    ? `Attempt ${number} was acknowledged`
    : `Attempt ${number} was not acknowledged`;
}

/** Formats a duration. */
export function durationWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Shortens an address: `example.com/webhooks`. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Formats JSON for reading; other text stays unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
