import type { ConsentStatus } from '../consents/consent.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { unguessed } from '../platform/unguessed.ts';
import type { ScheduleStatus } from '../schedules/schedule.ts';

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
}

/** The same, with what the bank needs. */
export interface ClaimedAttempt extends SubmitRow {
  consent_status: ConsentStatus;
  bank_consent_id: string;
  initiation: string;
  bank_grant: string;
  issuer_wallet_id: string | null;
  schedule_status: ScheduleStatus;
  started_at: Temporal.Instant;
  /** Null: nothing was sent yet, so that every check still counts. */
  sent_at: Temporal.Instant | null;
  /** The money of an earlier attempt, taken for failed, has come after all. */
  paid_before: boolean;
}

/** Of an attempt `a`: whether an earlier one of its payment was paid after it had been taken for failed. */
const PAID_BEFORE = `EXISTS (SELECT 1 FROM attempts e WHERE e.merchant_id = a.merchant_id AND e.payment_id = a.payment_id
  AND e.number < a.number AND e.status = 'failed' AND e.pay_in_id IS NOT NULL)`;

/** Of an attempt `a`: whether it has not been answered. */
const IS_STARTED = unguessed("a.status = 'started'");

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

/** The consents, wallets and starting times of claimed attempts, in one statement. */
export async function findAttemptDetails(
  tx: Tx,
  rows: readonly SubmitRow[],
): Promise<ClaimedAttempt[]> {
  const details = await tx.rows<Omit<ClaimedAttempt, keyof SubmitRow> & { payment_id: string }>(
    `SELECT r.payment_id, c.*, w.*, s.*, a.*
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[])
       AS r (merchant_id, payment_id, attempt, consent_id, wallet_id, schedule_id)
     CROSS JOIN LATERAL (SELECT status AS schedule_status FROM schedules
       WHERE merchant_id = r.merchant_id AND schedule_id = r.schedule_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT status AS consent_status, bank_consent_id, initiation, bank_grant FROM consents
       WHERE merchant_id = r.merchant_id AND consent_id = r.consent_id OFFSET 0) c
     CROSS JOIN LATERAL (SELECT issuer_wallet_id FROM wallets
       WHERE merchant_id = r.merchant_id AND wallet_id = r.wallet_id OFFSET 0) w
     CROSS JOIN LATERAL (SELECT started_at, sent_at, ${PAID_BEFORE} AS paid_before FROM attempts a
       WHERE merchant_id = r.merchant_id AND payment_id = r.payment_id AND number = r.attempt OFFSET 0) a`,
    [
      rows.map((r) => r.merchant_id),
      rows.map((r) => r.payment_id),
      rows.map((r) => r.attempts),
      rows.map((r) => r.consent_id),
      rows.map((r) => r.wallet_id),
      rows.map((r) => r.schedule_id),
    ],
  );
  const byPayment = new Map(details.map((d) => [d.payment_id, d]));
  return rows.flatMap((row) => {
    const found = byPayment.get(row.payment_id);
    return found === undefined ? [] : [{ ...row, ...found }];
  });
}

/**
 * Notes, before the bank is called, that these attempts may be with it from now on; answers the payments of which that
 * may be. The others were taken up by another process, or were stopped, paid or left without consent, since they were
 * claimed. The first note stays: banks count the life of a key from there. The consents are held, so that one that is
 * being ended is either seen to be over or ends later than this.
 */
export async function markSent(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly SubmitRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const marked = await tx.rows<{ payment_id: string }>(
    `UPDATE attempts a SET sent_at = coalesce(a.sent_at, $4)
     FROM unnest($1::text[], $2::text[], $3::int[], $5::int[]) AS r (merchant_id, payment_id, attempt, polls)
     CROSS JOIN LATERAL (
       SELECT p.stage, p.attempts, p.polls, c.status AS consent_status, s.status AS schedule_status FROM payments p
       JOIN consents c ON c.merchant_id = r.merchant_id AND c.consent_id = p.consent_id
       JOIN schedules s ON s.merchant_id = r.merchant_id AND s.schedule_id = p.schedule_id
       WHERE p.merchant_id = r.merchant_id AND p.payment_id = r.payment_id OFFSET 0 FOR KEY SHARE OF c) now
     WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = r.attempt
       AND now.stage = 'submit' AND now.attempts = r.attempt AND now.polls = r.polls
       AND ${IS_STARTED} AND (a.sent_at IS NOT NULL OR (
         now.consent_status IN ('granted', 'replaced') AND (a.manual OR now.schedule_status = 'active')
         AND NOT ${PAID_BEFORE}))
     RETURNING a.payment_id`,
    [
      rows.map((r) => r.merchant_id),
      rows.map((r) => r.payment_id),
      rows.map((r) => r.attempts),
      now,
      rows.map((r) => r.polls),
    ],
  );
  return new Set(marked.map((row) => row.payment_id));
}
