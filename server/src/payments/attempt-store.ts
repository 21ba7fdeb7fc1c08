import type { ConsentStatus } from '../consents/consent.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
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
    `SELECT r.payment_id, c.status AS consent_status, c.bank_consent_id, c.initiation, c.bank_grant, w.issuer_wallet_id,
            s.status AS schedule_status, a.started_at, a.sent_at, ${PAID_BEFORE} AS paid_before
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[])
       AS r (merchant_id, payment_id, attempt, consent_id, wallet_id, schedule_id)
     JOIN schedules s ON s.merchant_id = r.merchant_id AND s.schedule_id = r.schedule_id
     JOIN consents c ON c.merchant_id = r.merchant_id AND c.consent_id = r.consent_id
     JOIN wallets w ON w.merchant_id = r.merchant_id AND w.wallet_id = r.wallet_id
     JOIN attempts a ON a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = r.attempt`,
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
 * claimed. The first note stays: banks count the life of a key from there.
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
     JOIN payments p ON p.merchant_id = r.merchant_id AND p.payment_id = r.payment_id
       AND p.attempts = r.attempt AND p.stage = 'submit' AND p.polls = r.polls
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
     JOIN schedules s ON s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id
     WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id AND a.number = r.attempt
       AND a.status = 'started' AND (a.sent_at IS NOT NULL OR (
         c.status IN ('granted', 'replaced') AND (a.manual OR s.status = 'active') AND NOT ${PAID_BEFORE}))
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
