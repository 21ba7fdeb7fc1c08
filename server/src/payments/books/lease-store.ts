import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';

/** A payment that this process claimed, and until when. */
export interface Leased {
  merchantId: string;
  paymentId: string;
  until: Temporal.Instant;
}

/** Makes claimed payments due now, because their process stops. Those that have been claimed or recorded since are left alone. */
export async function releaseLeases(
  tx: Tx,
  now: Temporal.Instant,
  leased: readonly Leased[],
): Promise<void> {
  await tx.run(
    `UPDATE payment_work w SET due_at = $4
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS l (merchant_id, payment_id, until)
     WHERE w.merchant_id = l.merchant_id AND w.payment_id = l.payment_id AND ${opaque('w.due_at = l.until')}`,
    [...columns(leased, 'merchantId', 'paymentId'), leased.map(({ until }) => until), now],
  );
}

/**
 * SQL: assignments to the work `w` of a payment that make it due at `now` because of news. While a process works on it, the news
 * waits for that process: a second one that claimed it meanwhile would call the bank beside the first.
 */
export const dueNowOrAfterLease = (w: string, now: string): string => {
  const isLeased = `${w}.due_at = ${w}.leased_until`;
  return `due_at = CASE WHEN ${isLeased} THEN ${w}.due_at ELSE ${now}::timestamptz END,
    news_at = CASE WHEN ${isLeased} THEN ${now}::timestamptz END`;
};
