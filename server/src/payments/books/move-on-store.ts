import type { ConsentRow } from '../../consents/store.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { PaymentKey } from '../payment/payment.ts';
import { lockWork } from './lock-store.ts';

/** Payments that go on under another consent than they were opened under. */

/** The consent to which a payment goes. */
export interface Present {
  consentId: string;
  walletId: string;
  bankId: string;
}

/** Returns a granted consent as a payment goes there. */
export function presentOf({ consentId, walletId, bankId }: ConsentRow): Present {
  if (walletId === null || bankId === null)
    throw new Error(`the granted consent ${consentId} has no wallet or no bank`);
  return { consentId, walletId, bankId };
}

/** A payment, and the consent under which its schedule collects now. */
export interface Stranded extends PaymentKey, Present {
  amountPence: number;
  dueDate: Temporal.Instant;
  /** An order of it stands, of an attempt that has not failed. */
  isOrdered: boolean;
}

/**
 * Locks the present consents of locked payments' schedules, in primary-key order, and returns the payments that those which are
 * in force are for, oldest first. Of what may go there no order stands but those of attempts that have failed, because what a
 * bank may have belongs to the consent that it was ordered under.
 */
export async function lockPresentConsents(
  tx: Tx,
  rows: readonly PaymentKey[],
): Promise<Stranded[]> {
  const keys = columns(rows, 'merchantId', 'paymentId');
  await tx.run(
    `SELECT 1 FROM consents WHERE (merchant_id, consent_id) IN (
       SELECT s.merchant_id, s.consent_id FROM unnest($1::text[], $2::text[]) AS r (merchant_id, payment_id)
       CROSS JOIN LATERAL (SELECT merchant_id, schedule_id FROM payments
         WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id OFFSET 0) p
       CROSS JOIN LATERAL (SELECT merchant_id, consent_id FROM schedules
         WHERE merchant_id = p.merchant_id AND schedule_id = p.schedule_id OFFSET 0) s)
     ORDER BY merchant_id, consent_id FOR NO KEY UPDATE`,
    keys,
  );
  return tx.rows<Stranded>(
    `SELECT p.merchant_id, p.payment_id, p.amount_pence, p.due_date, c.consent_id, c.wallet_id, c.bank_id, o.is_ordered
     FROM unnest($1::text[], $2::text[]) AS r (merchant_id, payment_id)
     CROSS JOIN LATERAL (SELECT merchant_id, payment_id, schedule_id, consent_id, amount_pence, due_date FROM payments
       WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id OFFSET 0) p
     CROSS JOIN LATERAL (SELECT merchant_id, consent_id FROM schedules
       WHERE merchant_id = p.merchant_id AND schedule_id = p.schedule_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT consent_id, status, wallet_id, bank_id FROM consents
       WHERE merchant_id = s.merchant_id AND consent_id = s.consent_id OFFSET 0) c
     CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM payment_orders o
         JOIN attempts a ON a.merchant_id = o.merchant_id AND a.payment_id = o.payment_id AND a.number = o.attempt
         WHERE o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id AND o.taken_back_at IS NULL
           AND a.status <> 'failed') AS is_ordered) o
     WHERE c.status = 'granted' AND c.consent_id <> p.consent_id AND c.wallet_id IS NOT NULL AND c.bank_id IS NOT NULL
     ORDER BY p.due_date, p.payment_id`,
    keys,
  );
}

/**
 * Moves locked payments of which nothing is with a bank to another consent of their schedule. Attempts that were ordered keep
 * the consent that they were ordered under.
 */
export async function moveToConsent(
  tx: Tx,
  rows: readonly PaymentKey[],
  to: Present,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `UPDATE attempts a SET consent_id = p.consent_id
     FROM unnest($1::text[], $2::text[]) AS n (merchant_id, payment_id)
     JOIN payments p ON p.merchant_id = n.merchant_id AND p.payment_id = n.payment_id
     WHERE a.merchant_id = n.merchant_id AND a.payment_id = n.payment_id
       AND ${opaque('a.consent_id IS NULL AND a.sent_at IS NOT NULL')}`,
    columns(rows, 'merchantId', 'paymentId'),
  );
  await tx.run(
    `WITH moved AS (
       UPDATE payments p SET consent_id = $3, wallet_id = $4, bank_id = $5
       FROM unnest($1::text[], $2::text[]) AS n (merchant_id, payment_id)
       WHERE p.merchant_id = n.merchant_id AND p.payment_id = n.payment_id
     )
     UPDATE payment_work w SET wallet_id = $4, bank_id = $5, moves_on = false
     FROM unnest($1::text[], $2::text[]) AS n (merchant_id, payment_id)
     WHERE w.merchant_id = n.merchant_id AND w.payment_id = n.payment_id`,
    [...columns(rows, 'merchantId', 'paymentId'), to.consentId, to.walletId, to.bankId],
  );
}

/**
 * Marks what is under way under earlier consents of a locked schedule: its customer pays from another account now, so that
 * nothing new is ordered under those.
 */
export async function markToMoveOn(
  tx: Tx,
  {
    merchantId,
    scheduleId,
    consentId,
  }: Pick<ConsentRow, 'merchantId' | 'scheduleId' | 'consentId'>,
): Promise<void> {
  const rows = await tx.rows<PaymentKey>(
    `SELECT merchant_id, payment_id FROM payments WHERE merchant_id = $1 AND schedule_id = $2
       AND ${opaque("status IN ('pending', 'processing') AND consent_id <> $3")}`,
    [merchantId, scheduleId, consentId],
  );
  const underWay = await lockWork(tx, rows);
  await tx.run(
    `UPDATE payment_work SET moves_on = true
     WHERE merchant_id = $1 AND payment_id = ANY ($2) AND ${opaque("stage <> 'move'")}`,
    [merchantId, [...underWay]],
  );
}
