import type { Tx } from '../../platform/db/db.ts';
import type { Referenced } from '../../settlements/settlement.ts';
import { hasReference } from '../../settlements/store.ts';

export interface FoundPayment {
  paymentId: string;
  scheduleId: string;
  customerId: string;
  description: string;
  amountPence: number;
  currency: string;
  status: 'pending' | 'processing' | 'success' | 'failed';
  dueDate: Temporal.Instant;
}

const PAYMENT = `p.payment_id, p.schedule_id, s.customer_id, s.description, p.amount_pence, p.currency, p.status, p.due_date
  FROM payments p JOIN schedules s ON s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id`;

/** Returns payments by id. */
export function findPayments(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<FoundPayment[]> {
  return tx.rows<FoundPayment>(
    `SELECT ${PAYMENT} WHERE p.merchant_id = $1 AND p.payment_id = ANY($2::text[])
     ORDER BY p.due_date DESC, p.payment_id DESC`,
    [merchantId, paymentIds],
  );
}

/** Returns the latest payment of each of these schedules. */
export function findLatestPayments(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<FoundPayment[]> {
  return tx.rows<FoundPayment>(
    `SELECT l.* FROM unnest($2::text[]) AS w (wanted) CROSS JOIN LATERAL (
       SELECT ${PAYMENT} WHERE p.merchant_id = $1 AND p.schedule_id = w.wanted
       ORDER BY p.due_date DESC LIMIT 1) l
     ORDER BY l.due_date DESC, l.payment_id DESC`,
    [merchantId, scheduleIds],
  );
}

export interface FoundSettlement extends Referenced {
  amountPence: number;
  currency: string;
  status: 'pending' | 'processing' | 'success' | 'failed';
  settleDate: Temporal.PlainDate;
}

/** How many settlements are compared with an amount or a reference: there are one or a few a day. */
const SETTLEMENTS_COMPARED = 2500;

/** Returns settlements by id, or the newest by their amount or what stands on the bank statement. */
export function findSettlements(
  tx: Tx,
  merchantId: string,
  by: { ids: readonly string[]; pence: number | null; reference: string | null },
  limit: number,
): Promise<FoundSettlement[]> {
  const columns =
    'settlement_id, statement_reference, issuer_reference, amount_pence, currency, status, settle_date, created_at';
  return tx.rows<FoundSettlement>(
    `SELECT * FROM (
       SELECT ${columns} FROM settlements WHERE merchant_id = $1 AND settlement_id = ANY($2::text[])
       UNION
       SELECT * FROM (SELECT ${columns} FROM settlements WHERE merchant_id = $1
         ORDER BY created_at DESC, settlement_id DESC LIMIT ${SETTLEMENTS_COMPARED}) newest
       WHERE amount_pence = $3::bigint OR ${hasReference('$5::text')}) found
     ORDER BY created_at DESC, settlement_id DESC LIMIT $4`,
    [merchantId, by.ids, by.pence, limit, by.reference],
  );
}
