import type { Tx } from '../../platform/db/db.ts';
import { SUSPENDED } from './order-store.ts';

/** The payments of a bank that are due and not sent yet, and that wait for nothing but the bank. */
export interface Unsent {
  payments: number;
  merchants: number;
  pence: number;
  /** When the oldest of them was due; null: there is none. */
  oldest: Temporal.Instant | null;
}

export const NONE_UNSENT: Unsent = { payments: 0, merchants: 0, pence: 0, oldest: null };

/** The most payments of a bank that are looked at, those whose next step is nearest. */
const MAX_EXAMINED = 5_000;

/**
 * Returns what is due and not sent at each bank. A claim moves `due_at`, so the age counts from the start of the attempt. What
 * waits for its customer, or for the end of a suspension, is left out.
 */
export async function findUnsent(
  tx: Tx,
  now: Temporal.Instant,
  banks: Iterable<string>,
): Promise<Map<string, Unsent>> {
  const all = [...new Set(banks)].map(async (bank): Promise<[string, Unsent]> => {
    const row = await tx.row<Unsent>(
      `SELECT count(*)::int AS payments, count(DISTINCT w.merchant_id)::int AS merchants,
         coalesce(sum(p.amount_pence), 0)::bigint AS pence,
         min(CASE w.stage WHEN 'wait' THEN w.due_at ELSE coalesce(a.started_at, w.due_at) END) AS oldest
       FROM (SELECT merchant_id, payment_id, attempt, stage, due_at FROM payment_work
         WHERE stage IN ('wait', 'submit') AND bank_id = $1 ORDER BY due_at LIMIT ${MAX_EXAMINED}) w
       JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
       JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
       LEFT JOIN attempts a ON w.stage = 'submit' AND a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id
         AND a.number = w.attempt
       WHERE (w.stage = 'submit' OR w.due_at <= $2) AND a.sent_at IS NULL
         AND c.doubted_at IS NULL AND NOT ${SUSPENDED}
         AND NOT EXISTS (SELECT FROM merchant_holds h WHERE h.merchant_id = w.merchant_id AND h.kind = 'suspended'
           AND h.ended_at IS NULL)`,
      [bank, now],
    );
    return [bank, row ?? NONE_UNSENT];
  });
  return new Map(await Promise.all(all));
}
