import type { Tx } from '../../platform/db/db.ts';
import type { Referenced } from '../../settlements/settlement.ts';

export interface SettlementSums {
  settlementId: string;
  amountPence: number;
  currency: string;
  attempts: number;
  issuerMovementId: string | null;
  paymentsPence: number;
  paymentsCount: number;
  /** What refunds took: the settlement's figure, and the sum of its lines. */
  refundsPence: number;
  linesPence: number;
  /** The settlement's fees, and the sum of those of its payments. */
  feesPence: number;
  paymentFeesPence: number;
  /** What the merchant owed: the settlement's figure, and the sum of its debts. */
  carriedPence: number;
  owedPence: number;
  /** The amount set apart for its current or last attempt. */
  ledgerPence: number;
}

/** Returns a settlement's own sum, the sum of its payments, and its sum in the ledger; null: there is none. */
export function sumSettlement(
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<SettlementSums | null> {
  return tx.row<SettlementSums>(
    `SELECT s.settlement_id, s.amount_pence, s.currency, s.attempts, s.issuer_movement_id,
       p.pence AS payments_pence, p.count AS payments_count, s.refunds_pence, r.pence AS lines_pence,
       s.fees_pence, p.fees_pence AS payment_fees_pence, s.carried_pence, d.pence AS owed_pence,
       t.pence AS ledger_pence
     FROM settlements s
     CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0)::bigint AS pence, count(*) AS count,
         coalesce(sum(y.fee_pence), 0)::bigint AS fees_pence
       FROM settlement_payments x JOIN payments y ON y.merchant_id = x.merchant_id AND y.payment_id = x.payment_id
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) p
     CROSS JOIN LATERAL (SELECT coalesce(sum(z.amount_pence), 0)::bigint AS pence FROM transfers z
       WHERE z.merchant_id = s.merchant_id AND z.source_id = s.settlement_id || '-' || s.attempts
         AND z.kind = 'settle') t
     CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0)::bigint AS pence
       FROM settlement_debts x JOIN debts y ON y.merchant_id = x.merchant_id AND y.debt_id = x.debt_id
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) d
     CROSS JOIN LATERAL (SELECT (coalesce(sum(y.amount_pence), 0) - (SELECT coalesce(sum(b.amount_pence), 0)
           FROM came_back_lines b WHERE b.merchant_id = s.merchant_id
             AND (b.settlement_id = s.settlement_id OR s.settlement_id = ANY (b.carried_by))))::bigint AS pence
       FROM settlement_refund_lines x
       JOIN refund_lines y ON y.merchant_id = x.merchant_id AND y.refund_id = x.refund_id AND y.kind = x.kind
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) r
     WHERE s.merchant_id = $1 AND s.settlement_id = $2`,
    [merchantId, settlementId],
  );
}

/** A part of a settlement. What came back and was credited belongs to no payment. */
export interface SettledPayment extends Referenced {
  settleDate: Temporal.PlainDate;
  paymentId: string | null;
  scheduleId: string | null;
  customerId: string | null;
  description: string | null;
  dueDate: Temporal.Instant | null;
  completedAt: Temporal.Instant | null;
  amountPence: number;
  /** Of a payment; 0 of the other kinds. */
  feePence: number;
  currency: string;
  /**
   * A refund and a returned payment are negative; `refund_back` is a failed refund given back, `came_back` a pay-out that came
   * back and was credited by hand.
   */
  kind: 'payment' | 'returned' | 'refund' | 'refund_back' | 'came_back';
  refundId: string | null;
  /** The schedule's. */
  metadata: Record<string, unknown> | null;
}

/**
 * Returns the parts of a settlement: its payments, refunds, recalls and what came back, by due date; empty: there is no such
 * settlement.
 */
export function settledPayments(
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<SettledPayment[]> {
  return tx.rows<SettledPayment>(
    `SELECT s.settlement_id, s.settle_date, s.statement_reference, s.issuer_reference,
       p.payment_id, p.schedule_id, p.customer_id, c.description, p.due_date, p.completed_at,
       x.amount_pence, x.fee_pence, s.currency, x.kind, x.refund_id, c.metadata
     FROM settlements s
     CROSS JOIN LATERAL (
       SELECT y.payment_id, q.amount_pence, coalesce(q.fee_pence, 0) AS fee_pence, 'payment' AS kind, NULL AS refund_id
       FROM settlement_payments y
       JOIN payments q ON q.merchant_id = y.merchant_id AND q.payment_id = y.payment_id
       WHERE y.merchant_id = s.merchant_id AND y.settlement_id = s.settlement_id
       UNION ALL
       SELECT d.payment_id, -d.amount_pence, 0, 'returned', NULL FROM settlement_debts y
       JOIN debts d ON d.merchant_id = y.merchant_id AND d.debt_id = y.debt_id
       WHERE y.merchant_id = s.merchant_id AND y.settlement_id = s.settlement_id
       UNION ALL
       SELECT r.payment_id, -l.amount_pence, 0, l.kind, l.refund_id FROM settlement_refund_lines y
       JOIN refund_lines l ON l.merchant_id = y.merchant_id AND l.refund_id = y.refund_id AND l.kind = y.kind
       JOIN refunds r ON r.merchant_id = y.merchant_id AND r.refund_id = y.refund_id
       WHERE y.merchant_id = s.merchant_id AND y.settlement_id = s.settlement_id
       UNION ALL
       SELECT NULL, b.amount_pence, 0, 'came_back', NULL FROM came_back_lines b WHERE b.merchant_id = s.merchant_id
         AND (b.settlement_id = s.settlement_id OR s.settlement_id = ANY (b.carried_by))) x
     LEFT JOIN payments p ON p.merchant_id = s.merchant_id AND p.payment_id = x.payment_id
     LEFT JOIN schedules c ON c.merchant_id = p.merchant_id AND c.schedule_id = p.schedule_id
     WHERE s.merchant_id = $1 AND s.settlement_id = $2
     ORDER BY p.due_date, p.payment_id, x.kind, x.refund_id`,
    [merchantId, settlementId],
  );
}
