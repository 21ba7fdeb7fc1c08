import type { Tx } from '../../platform/db/db.ts';
import { LOOKED_AT } from '../../schedules/books/history-store.ts';

/** An active schedule whose latest collection failed for good. */
export interface FailingRow {
  paymentId: string;
  scheduleId: string;
  description: string;
  customerId: string;
  amountPence: number;
  currency: string;
  errorCode: string;
  failedAt: Temporal.Instant;
  /** The customer has agreed to another consent since it failed. */
  isAgreed: boolean;
  /** They are asked for another account. */
  isAsked: boolean;
}

/** Returns those of these banks at which a merchant has granted consents, by id. */
export async function findBanksOfConsents(
  tx: Tx,
  merchantId: string,
  bankIds: readonly string[],
): Promise<string[]> {
  if (bankIds.length === 0) return [];
  const rows = await tx.rows<{ bankId: string }>(
    `SELECT b.bank_id FROM unnest($2::text[]) AS b (bank_id) WHERE EXISTS (SELECT FROM consents c
       WHERE c.merchant_id = $1 AND c.bank_id = b.bank_id AND c.status = 'granted') ORDER BY b.bank_id`,
    [merchantId, bankIds],
  );
  return rows.map(({ bankId }) => bankId);
}

/**
 * Returns the active schedules whose latest ended collection failed, newest failure first. Of each schedule's payments one is
 * read by key: the next one that ended.
 */
export function findFailing(tx: Tx, merchantId: string): Promise<FailingRow[]> {
  return tx.rows<FailingRow>(
    `SELECT f.payment_id, f.schedule_id, s.description, s.customer_id, f.amount_pence, f.currency, f.error_code, f.failed_at,
       coalesce((SELECT granted_at > f.failed_at FROM consents
         WHERE merchant_id = $1 AND consent_id = s.consent_id), false) AS is_agreed,
       EXISTS (SELECT FROM consents WHERE merchant_id = $1 AND schedule_id = f.schedule_id AND another_account
         AND status IN ('pending', 'authorising')) AS is_asked
     FROM (SELECT payment_id, schedule_id, amount_pence, currency, due_date, failed_at,
                  coalesce(error_code, 'unknown') AS error_code
           FROM payments WHERE merchant_id = $1 AND failed_at IS NOT NULL
           ORDER BY due_date DESC, payment_id DESC LIMIT ${LOOKED_AT}) f
     CROSS JOIN LATERAL (SELECT description, customer_id, consent_id, status FROM schedules
       WHERE merchant_id = $1 AND schedule_id = f.schedule_id OFFSET 0) s
     WHERE s.status = 'active' AND NOT EXISTS (
       SELECT FROM payments n WHERE n.merchant_id = $1 AND n.schedule_id = f.schedule_id AND n.due_date > f.due_date
         AND n.status IN ('success', 'failed'))
     ORDER BY f.failed_at DESC, f.payment_id DESC`,
    [merchantId],
  );
}

export interface WaitingRow {
  scheduleId: string;
  description: string;
  customerId: string;
  since: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

/** Consents whose link works now, and was made by `sentBy` or ends by `endsBy`. */
export interface Unanswered {
  now: Temporal.Instant;
  sentBy: Temporal.Instant;
  endsBy: Temporal.Instant;
}

const UNANSWERED = `merchant_id = $1 AND status IN ('pending', 'authorising') AND link_expires_at > $2
       AND (created_at <= $3 OR link_expires_at <= $4)`;

/** Returns up to `most` schedules whose consent has waited long for the customer, longest waiting first. */
export function findWaitingConsents(
  tx: Tx,
  merchantId: string,
  { now, sentBy, endsBy }: Unanswered,
  most: number,
): Promise<WaitingRow[]> {
  return tx.rows<WaitingRow>(
    `SELECT s.schedule_id, s.description, s.customer_id, c.created_at AS since, c.link_expires_at AS expires_at
     FROM (SELECT merchant_id, consent_id, schedule_id, created_at, link_expires_at FROM consents
           WHERE ${UNANSWERED} ORDER BY created_at, consent_id LIMIT $5) c
     JOIN schedules s ON s.merchant_id = c.merchant_id AND s.schedule_id = c.schedule_id
     ORDER BY c.created_at, c.consent_id`,
    [merchantId, now, sentBy, endsBy, most],
  );
}

/** Counts the consents that have waited long for a customer. */
export async function countWaitingConsents(
  tx: Tx,
  merchantId: string,
  { now, sentBy, endsBy }: Unanswered,
): Promise<number> {
  const row = await tx.row<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM consents WHERE ${UNANSWERED}`,
    [merchantId, now, sentBy, endsBy],
  );
  return row?.waiting ?? 0;
}

/** Returns up to `most` schedules whose consent the bank wants to be confirmed again, longest waiting first. */
export function findToConfirm(
  tx: Tx,
  merchantId: string,
  most: number,
): Promise<Omit<WaitingRow, 'expiresAt'>[]> {
  return tx.rows(
    `SELECT s.schedule_id, s.description, s.customer_id, c.suspended_at AS since
     FROM consents c JOIN schedules s ON s.merchant_id = c.merchant_id AND s.consent_id = c.consent_id
     WHERE c.merchant_id = $1 AND c.suspended_at IS NOT NULL AND c.status = 'granted' AND s.status <> 'cancelled'
     ORDER BY c.suspended_at, s.schedule_id LIMIT $2`,
    [merchantId, most],
  );
}

export interface FailedSettlementRow {
  settlementId: string;
  settleDate: Temporal.PlainDate;
  amountPence: number;
  currency: string;
  errorMessage: string | null;
}

/** Returns the newest settlements that failed and whose money has not gone out since. */
export function findFailedSettlements(
  tx: Tx,
  merchantId: string,
  most: number,
): Promise<FailedSettlementRow[]> {
  return tx.rows<FailedSettlementRow>(
    `SELECT settlement_id, settle_date, amount_pence, currency, error_message FROM settlements
     WHERE merchant_id = $1 AND status = 'failed' AND stage = 'carry'
     ORDER BY settle_date DESC, settlement_id DESC LIMIT $2`,
    [merchantId, most],
  );
}
