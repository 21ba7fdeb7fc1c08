import { readConditions } from '../../banks/condition-store.ts';
import { findStopped } from '../../banks/stop-store.ts';
import { findHeld } from '../../merchants/holds/hold-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type NotSent, type UnsentFacts, whyNotSent } from '../payment/not-sent.ts';
import { SUSPENDED } from './order-store.ts';

type Row = { paymentId: string } & Pick<
  UnsentFacts,
  'bankId' | 'dueAt' | 'isLeased' | 'isDoubted' | 'isSuspended'
>;

/** Returns why those of a merchant's payments that are under way and not sent are not sent yet, by payment. */
export async function findNotSent(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, NotSent>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await tx.rows<Row>(
    `SELECT w.payment_id, w.bank_id, w.due_at, coalesce(w.due_at = w.leased_until, false) AS is_leased,
       c.doubted_at IS NOT NULL AS is_doubted, ${SUSPENDED} AS is_suspended
     FROM payment_work w
     JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
     LEFT JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.number = w.attempt
     WHERE w.merchant_id = $1 AND w.payment_id = ANY ($2) AND w.stage = 'submit' AND a.sent_at IS NULL`,
    [merchantId, paymentIds],
  );
  if (rows.length === 0) return new Map();
  const [suspended, stopped, standing] = await Promise.all([
    findHeld(tx, 'suspended', [merchantId]),
    findStopped(
      tx,
      rows.map(({ bankId }) => bankId),
    ),
    readConditions(tx, now),
  ]);
  return new Map(
    rows.map(({ paymentId, ...row }) => {
      const facts = {
        ...row,
        isMerchantSuspended: suspended.has(merchantId),
        isBankStopped: stopped.has(row.bankId),
        condition: standing(row.bankId).condition,
      };
      return [paymentId, whyNotSent(facts, now)];
    }),
  );
}
