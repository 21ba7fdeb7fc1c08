import type { ConsentStatus, StoredControlParameters } from '../consents/consent.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import type { ScheduleStatus } from '../schedules/schedule.ts';
import type { StopCode } from './order-decision.ts';

/** A payment claimed for sending. */
export interface SubmitRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  consent_id: string;
  wallet_id: string;
  bank_id: string;
  amount_pence: number;
  attempts: number;
  polls: number;
  manual: boolean;
  due_date: Temporal.Instant;
  stopped_by: StopCode | null;
}

/** The same, with what its orders so far have led to. */
export interface StartedAttempt extends SubmitRow {
  started_at: Temporal.Instant;
  /** Of the first order that was not taken back; null: nothing is with the bank, so that every check still counts. */
  sent_at: Temporal.Instant | null;
  /** Of the last one. */
  last_order_at: Temporal.Instant | null;
  /** The money of an earlier attempt, taken for failed, has come after all. */
  paid_before: boolean;
}

/** The same, with its schedule and its consent as they are shortly before the order, and what the bank needs. */
export interface ClaimedAttempt extends StartedAttempt {
  schedule_status: ScheduleStatus;
  consent_status: ConsentStatus;
  bank_consent_id: string;
  initiation: string;
  bank_grant: string;
  /** When a first look called the consent over; null: it is in no doubt. */
  doubted_at: Temporal.Instant | null;
  look_again_at: Temporal.Instant | null;
  /** What the customer has made of the limits at the bank; null: they are those that were asked for. */
  changed_limits: StoredControlParameters | null;
}

/** Of an attempt `a`: whether an earlier one of its payment was paid after it had been taken for failed. */
export const PAID_BEFORE = `EXISTS (SELECT 1 FROM attempts e WHERE e.merchant_id = a.merchant_id AND e.payment_id = a.payment_id
  AND e.number < a.number AND e.status = 'failed' AND e.pay_in_id IS NOT NULL)`;

/** Of an attempt `a`: when its last order was sent that was not taken back. */
export const LAST_ORDER_AT = `(SELECT max(o.sent_at) FROM payment_orders o WHERE o.merchant_id = a.merchant_id
  AND o.payment_id = a.payment_id AND o.attempt = a.number AND o.taken_back_at IS NULL)`;

/** Writes new attempts, before any bank is called. */
export async function startAttempts(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly SubmitRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
     SELECT *, 'started', $5::timestamptz FROM unnest($1::text[], $2::text[], $3::int[], $4::boolean[])`,
    [
      rows.map((r) => r.merchant_id),
      rows.map((r) => r.payment_id),
      rows.map((r) => r.attempts),
      rows.map((r) => r.manual),
      now,
    ],
  );
  await recordChanges(
    tx,
    now,
    rows.map((r) => ({
      merchantId: r.merchant_id,
      objectId: r.payment_id,
      scheduleId: r.schedule_id,
      from: 'pending',
      to: 'processing',
      reason: r.manual ? `attempt ${r.attempts}, by hand` : `attempt ${r.attempts}`,
    })),
  );
}

type Of<T> = Omit<T, keyof SubmitRow> & { payment_id: string };

/** What led to claimed attempts; a first call of a first attempt, begun now, has no past. One that is missing is left out. */
export async function findPasts(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly SubmitRow[],
): Promise<StartedAttempt[]> {
  const isFirst = (row: SubmitRow): boolean => row.attempts === 1 && row.polls === 1;
  const others = rows.filter((row) => !isFirst(row));
  const pasts = others.length === 0 ? [] : await readPasts(tx, others);
  const pastOf = new Map(pasts.map((past) => [past.payment_id, past]));
  const none = { started_at: now, sent_at: null, last_order_at: null, paid_before: false };
  return rows.flatMap((row) => {
    const past = isFirst(row) ? none : pastOf.get(row.payment_id);
    return past === undefined ? [] : [{ ...row, ...past }];
  });
}

function readPasts(tx: Tx, rows: readonly SubmitRow[]): Promise<Of<StartedAttempt>[]> {
  return tx.rows(
    `SELECT r.payment_id, a.*
     FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, attempt)
     CROSS JOIN LATERAL (SELECT started_at, sent_at, ${LAST_ORDER_AT} AS last_order_at, ${PAID_BEFORE} AS paid_before
       FROM attempts a
       WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id AND number = r.attempt OFFSET 0) a`,
    [rows.map((r) => r.merchant_id), rows.map((r) => r.payment_id), rows.map((r) => r.attempts)],
  );
}

/** Reads the schedules and consents of attempts. One that is missing is left out. */
export async function findConsents(
  tx: Tx,
  rows: readonly StartedAttempt[],
): Promise<ClaimedAttempt[]> {
  const found = await tx.rows<Omit<ClaimedAttempt, keyof StartedAttempt> & { payment_id: string }>(
    `SELECT r.payment_id, c.*, s.*
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (merchant_id, payment_id, consent_id, schedule_id)
     CROSS JOIN LATERAL (SELECT status AS schedule_status FROM schedules
       WHERE merchant_id = r.merchant_id AND schedule_id = r.schedule_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT status AS consent_status, bank_consent_id, initiation, bank_grant, doubted_at,
         look_again_at, CASE WHEN limits_changed_at IS NOT NULL THEN control_parameters END AS changed_limits FROM consents
       WHERE merchant_id = r.merchant_id AND consent_id = r.consent_id OFFSET 0) c`,
    [
      rows.map((r) => r.merchant_id),
      rows.map((r) => r.payment_id),
      rows.map((r) => r.consent_id),
      rows.map((r) => r.schedule_id),
    ],
  );
  const byPayment = new Map(found.map((one) => [one.payment_id, one]));
  return rows.flatMap((row) => {
    const consent = byPayment.get(row.payment_id);
    return consent === undefined ? [] : [{ ...row, ...consent }];
  });
}
