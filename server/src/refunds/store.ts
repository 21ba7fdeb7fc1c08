import { ATTEMPT_CONSENT } from '../payments/books/evidence-store.ts';
import { columnsOf } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import { conditions } from '../platform/http/lists/conditions.ts';
import type { Amounts, CreatedSort, Span } from '../platform/http/lists/list-filters.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import type { RefundStatus } from './refund.ts';

export interface RefundRow {
  merchantId: string;
  refundId: string;
  paymentId: string;
  scheduleId: string;
  amountPence: number;
  currency: string;
  reason: string | null;
  status: RefundStatus;
  stage: 'wait' | 'pay' | 'track' | null;
  polls: number;
  destination: string | null;
  issuerMovementId: string | null;
  returnMovementId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Temporal.Instant;
  completedAt: Temporal.Instant | null;
  failedAt: Temporal.Instant | null;
}

const NAMES = `merchant_id, refund_id, payment_id, schedule_id, amount_pence, currency, reason, status, stage, polls,
  destination, issuer_movement_id, return_movement_id, error_code, error_message, created_at, completed_at, failed_at`;

/** The columns of a claimed row. */
export const CLAIMED_COLUMNS = columnsOf('t', NAMES);

/** Returns a refund, without locking it. */
export const findRefund = rowBy<RefundRow>(
  `SELECT ${NAMES} FROM refunds WHERE merchant_id = $1 AND refund_id = $2`,
);

/** Which refunds; an absent field does not filter. The span is of when they were created. */
export interface RefundFilter extends Span, Amounts {
  paymentId?: string;
  status?: RefundStatus | undefined;
  sort?: CreatedSort;
}

/** Returns a page of refunds, newest first unless sorted otherwise. */
export async function listRefunds(
  tx: Tx,
  merchantId: string,
  filter: RefundFilter,
  page: Page,
): Promise<List<RefundRow>> {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(filter.paymentId, (id) => `payment_id = ${id}`);
  all.add(filter.status, (status) => `status = ${status}`);
  all.span('created_at', filter);
  all.amounts('amount_pence', filter);
  return readPage<RefundRow>(
    tx,
    {
      columns: NAMES,
      from: `refunds WHERE ${all.where()}`,
      values: all.values,
      amount: 'amount_pence',
      order: {
        by: { created_at: 'instant', refund_id: 'text' },
        isDescending: filter.sort !== 'created_at',
      },
    },
    page,
  );
}

/** Returns the refunds of many payments at once, oldest first. */
export function findRefundsOf(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<RefundRow[]> {
  return tx.rows<RefundRow>(
    `SELECT ${NAMES} FROM refunds WHERE merchant_id = $1 AND payment_id = ANY ($2::text[])
     ORDER BY created_at, refund_id`,
    [merchantId, paymentIds],
  );
}

/** Returns how many refunds a payment has had, failed ones included. */
export async function countRefunds(tx: Tx, merchantId: string, paymentId: string): Promise<number> {
  const row = await tx.row<{ total: number }>(
    'SELECT count(*) AS total FROM refunds WHERE merchant_id = $1 AND payment_id = $2',
    [merchantId, paymentId],
  );
  return row?.total ?? 0;
}

/** Locks and returns a refund. */
export const lockRefund = rowBy<RefundRow>(
  `SELECT ${NAMES} FROM refunds WHERE merchant_id = $1 AND refund_id = $2 FOR UPDATE`,
);

/** Locks and returns the refund paid out by this movement of the issuer; null: there is none. */
export const lockRefundOf = rowBy<RefundRow>(
  `SELECT ${NAMES} FROM refunds WHERE merchant_id = $1 AND issuer_movement_id = $2 FOR UPDATE`,
);

/** Locks and returns the refunds of a payment for which nothing was ordered yet. */
export function lockUnordered(tx: Tx, merchantId: string, paymentId: string): Promise<RefundRow[]> {
  return tx.rows<RefundRow>(
    `SELECT ${NAMES} FROM refunds WHERE merchant_id = $1 AND payment_id = $2 AND status = 'pending'
     ORDER BY refund_id FOR UPDATE`,
    [merchantId, paymentId],
  );
}

/** Postpones a refund that was claimed. */
export async function postpone(tx: Tx, row: RefundRow, until: Temporal.Instant): Promise<void> {
  await tx.run(
    `UPDATE refunds SET due_at = $3 WHERE merchant_id = $1 AND refund_id = $2 AND stage IS NOT NULL AND polls = $4`,
    [row.merchantId, row.refundId, until, row.polls],
  );
}

/** Erases the account to which a refund went, if the refund has ended. */
export async function eraseDestination(
  tx: Tx,
  { merchantId, refundId }: Pick<RefundRow, 'merchantId' | 'refundId'>,
): Promise<void> {
  await tx.run(
    'UPDATE refunds SET destination = NULL WHERE merchant_id = $1 AND refund_id = $2 AND stage IS NULL',
    [merchantId, refundId],
  );
}

/** Makes a pay-out due for polling now, because the issuer has news of it. */
export async function pollNow(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  movementId: string,
): Promise<void> {
  await tx.run(
    `UPDATE refunds SET due_at = $1 WHERE merchant_id = $2 AND issuer_movement_id = $3 AND stage = 'track' AND due_at > $1`,
    [now, merchantId, movementId],
  );
}

/** Where the money of a payment came from, as far as we know it. */
export interface PayerFacts {
  /** The issuer's id of the movement that paid. */
  payInId: string | null;
  consentId: string;
  /** The account that pays under the consent, sealed. */
  payingAccount: string | null;
}

/** Whether this pay-in, or none, is what paid a payment under this consent. */
export async function isPaidBy(
  tx: Tx,
  { merchantId, paymentId }: RefundRow,
  { payInId, consentId }: PayerFacts,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT 1 FROM attempts a JOIN payments p ON p.merchant_id = a.merchant_id AND p.payment_id = a.payment_id
     WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.status = 'success' AND a.pay_in_id IS NOT DISTINCT FROM $3
       AND ${ATTEMPT_CONSENT} = $4`,
    [merchantId, paymentId, payInId, consentId],
  );
  return row !== null;
}

export function findPayer(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<PayerFacts | null> {
  return tx.row<PayerFacts>(
    `SELECT a.pay_in_id, c.consent_id, c.paying_account FROM payments p
     JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.status = 'success'
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = ${ATTEMPT_CONSENT}
     WHERE p.merchant_id = $1 AND p.payment_id = $2 LIMIT 1`,
    [merchantId, paymentId],
  );
}
