import { unguessed } from '../platform/unguessed.ts';
import type { AttemptRef } from './payment.ts';

/**
 * Rows that are still at the attempt we speak of (processing, to be submitted or tracked): a repeated or late word changes
 * nothing.
 */
export const STILL_THERE = `p.merchant_id = l.merchant_id AND p.payment_id = l.payment_id
  AND ${unguessed("p.attempts = l.attempt AND p.status = 'processing' AND p.stage IN ('submit', 'track')")}`;

/** Learned outcomes by their attempts, as `refs` binds them. */
export const ATTEMPTS = 'unnest($1::text[], $2::text[], $3::int[])';

/** The first three values of a statement over learned outcomes. */
export function refs(
  learned: readonly { ref: Omit<AttemptRef, 'scheduleId'> }[],
): [string[], string[], number[]] {
  return [
    learned.map((l) => l.ref.merchantId),
    learned.map((l) => l.ref.paymentId),
    learned.map((l) => l.ref.attempt),
  ];
}
