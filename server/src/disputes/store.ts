import { PAYMENT_COLUMNS, type PaymentRow } from '../payments/books/read-store.ts';
import { columnsOf } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import { conditions } from '../platform/http/lists/conditions.ts';
import type { Amounts, CreatedSort, Span } from '../platform/http/lists/list-filters.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import type { DisputeReason, DisputeStatus, GivenBack, RaisedBy } from './dispute.ts';

export interface DisputeRow {
  merchantId: string;
  disputeId: string;
  paymentId: string;
  scheduleId: string;
  raisedBy: RaisedBy;
  reason: DisputeReason;
  amountPence: number;
  currency: string;
  /** What was said about it, sealed. */
  note: string | null;
  status: DisputeStatus;
  deadlineAt: Temporal.Instant;
  /** What the payment had given back before, and still has. */
  returnedBeforePence: number;
  /** The refunds in it. */
  refundsBefore: string[];
  /** The refund that pays it; while it is open, that refund waits for the merchant's money. */
  refundId: string | null;
  /** What its end counts as given back; null: it gave nothing back. */
  returnedPence: number | null;
  /** What the merchant answered, sealed. */
  answer: string | null;
  createdAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
}

const NAMES = `merchant_id, dispute_id, payment_id, schedule_id, raised_by, reason, amount_pence, currency, note, status,
  deadline_at, returned_before_pence, refunds_before, refund_id, returned_pence, answer, created_at, ended_at`;

/** Returns a dispute, without locking it. */
export const findDispute = rowBy<DisputeRow>(
  `SELECT ${NAMES} FROM disputes WHERE merchant_id = $1 AND dispute_id = $2`,
);

/** Locks and returns a dispute: always after its payment. */
export const lockDispute = rowBy<DisputeRow>(
  `SELECT ${NAMES} FROM disputes WHERE merchant_id = $1 AND dispute_id = $2 FOR UPDATE`,
);

/** Locks and returns the dispute of a payment that is open or gave money back; null: there is none. */
export const lockStanding = rowBy<DisputeRow>(
  `SELECT ${NAMES} FROM disputes WHERE merchant_id = $1 AND payment_id = $2
     AND status IN ('open', 'refunded', 'returned') FOR UPDATE`,
);

type Key = Pick<DisputeRow, 'merchantId' | 'disputeId'>;

/** Notes on an open dispute the refund that waits for the merchant's money. */
export async function setWaitingRefund(
  tx: Tx,
  { merchantId, disputeId }: Key,
  refundId: string,
): Promise<void> {
  await tx.run('UPDATE disputes SET refund_id = $3 WHERE merchant_id = $1 AND dispute_id = $2', [
    merchantId,
    disputeId,
    refundId,
  ]);
}

/** Clears the refund that an open dispute waits for: it failed. */
export async function forgetWaitingRefund(
  tx: Tx,
  { merchantId, disputeId }: Key,
  refundId: string,
): Promise<void> {
  await tx.run(
    `UPDATE disputes SET refund_id = NULL
     WHERE merchant_id = $1 AND dispute_id = $2 AND refund_id = $3`,
    [merchantId, disputeId, refundId],
  );
}

/** Subtracts a failed refund from what the payment had given back before a dispute. */
export async function subtractFailedRefund(
  tx: Tx,
  { merchantId, disputeId }: Key,
  { refundId, amountPence }: { refundId: string; amountPence: number },
): Promise<void> {
  await tx.run(
    `UPDATE disputes SET returned_before_pence = returned_before_pence - $4::bigint,
       refunds_before = array_remove(refunds_before, $3) WHERE merchant_id = $1 AND dispute_id = $2`,
    [merchantId, disputeId, refundId, amountPence],
  );
}

/** Which disputes; an absent field does not filter. The span is of when they were raised. */
export interface DisputeFilter extends Span, Amounts {
  paymentId?: string | undefined;
  status?: DisputeStatus | undefined;
  reason?: DisputeReason | undefined;
  sort?: CreatedSort;
}

/** Returns a page of disputes, newest first unless sorted otherwise. */
export async function listDisputes(
  tx: Tx,
  merchantId: string,
  filter: DisputeFilter,
  page: Page,
): Promise<List<DisputeRow>> {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(filter.paymentId, (id) => `payment_id = ${id}`);
  all.add(filter.status, (status) => `status = ${status}`);
  all.add(filter.reason, (reason) => `reason = ${reason}`);
  all.span('created_at', filter);
  all.amounts('amount_pence', filter);
  return readPage<DisputeRow>(
    tx,
    {
      columns: NAMES,
      from: `disputes WHERE ${all.where()}`,
      values: all.values,
      amount: 'amount_pence',
      order: {
        by: { created_at: 'instant', dispute_id: 'text' },
        isDescending: filter.sort !== 'created_at',
      },
    },
    page,
  );
}

/** Returns the disputes of many payments at once, oldest first. */
export function findDisputesOf(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<DisputeRow[]> {
  return tx.rows<DisputeRow>(
    `SELECT ${NAMES} FROM disputes WHERE merchant_id = $1 AND payment_id = ANY ($2::text[])
     ORDER BY created_at, dispute_id`,
    [merchantId, paymentIds],
  );
}

/**
 * Returns up to `limit` payments that their customer may dispute, collected since a moment with something left to give back, or
 * whose dispute the customer sees (`shownToCustomer`); the latest due first. `only` that one, or those that follow `after`.
 */
export function findDisputable(
  tx: Tx,
  merchantId: string,
  of: { scheduleIds: readonly string[]; since: Temporal.Instant; only?: string; after?: string },
  limit: number,
): Promise<PaymentRow[]> {
  return tx.rows<PaymentRow>(
    `SELECT ${columnsOf('p', PAYMENT_COLUMNS)} FROM payments p
     WHERE p.merchant_id = $1 AND p.schedule_id = ANY ($2::text[]) AND p.status = 'success'
       AND ($4::text IS NULL OR p.payment_id = $4)
       AND ($5::text IS NULL OR (p.due_date, p.payment_id) <
         (SELECT b.due_date, b.payment_id FROM payments b WHERE b.merchant_id = $1 AND b.payment_id = $5))
       AND (p.completed_at >= $3 AND p.amount_pence > coalesce(p.refunded_pence, 0) + coalesce(p.returned_pence, 0)
         OR EXISTS (SELECT FROM disputes d WHERE d.merchant_id = $1 AND d.payment_id = p.payment_id
           AND (d.raised_by = 'customer' OR d.status NOT IN ('rejected', 'withdrawn'))))
     ORDER BY p.due_date DESC, p.payment_id DESC LIMIT $6`,
    [merchantId, of.scheduleIds, of.since, of.only ?? null, of.after ?? null, limit],
  );
}

/** Returns a merchant's open disputes, up to `most`, the one that has to be answered first first. */
export function findOpen(tx: Tx, merchantId: string, most: number): Promise<DisputeRow[]> {
  return tx.rows<DisputeRow>(
    `SELECT ${NAMES} FROM disputes WHERE merchant_id = $1 AND status = 'open'
     ORDER BY deadline_at, dispute_id LIMIT $2`,
    [merchantId, most],
  );
}

/** Returns what these payments have given back, by payment. */
export async function findReturned(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, GivenBack>> {
  const rows = await tx.rows<GivenBack & { paymentId: string }>(
    `SELECT payment_id, amount_pence, refunded_pence, returned_pence FROM payments
     WHERE merchant_id = $1 AND payment_id = ANY ($2::text[])`,
    [merchantId, paymentIds],
  );
  return new Map(rows.map((row) => [row.paymentId, row]));
}
