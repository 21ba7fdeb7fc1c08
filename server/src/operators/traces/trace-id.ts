import { bytesOfId } from '../../platform/values/ids.ts';

const PAYMENT_ID = /pay_[0-9A-Za-z]{22}/g;

/**
 * Returns the trace of a payment: the UUID that its id stands for, as 32 hexadecimal digits. Any process at any time derives the
 * same one, so a trace goes on over restarts and days, and nothing of it is stored.
 */
export function traceIdOf(paymentId: string): string {
  return bytesOfId(paymentId).toString('hex');
}

/** Returns the ids of the payments that a value names anywhere, each once. */
export function paymentIdsIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : textOf(value);
  return [...new Set(text.match(PAYMENT_ID) ?? [])];
}

/** Maps are what some ports return; JSON knows none. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      inner instanceof Map ? [...inner] : typeof inner === 'bigint' ? String(inner) : inner,
    ) ?? ''
  );
}
