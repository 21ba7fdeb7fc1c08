import { columns, columnsOf } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { dueBy, lanesOf } from '../../platform/engine/due.ts';
import type { SkipReason } from '../terms/amounts.ts';
import { occurrence } from '../terms/occurrences.ts';
import { checkMoment } from '../terms/schedule.ts';
import type { ScheduleKey } from './agenda-store.ts';
import { TERMS_COLUMNS, type TermsRow, toTerms } from './store.ts';

/** A schedule whose next occurrence is due, with its live terms and consent. */
export interface DueSchedule extends TermsRow {
  merchantId: string;
  scheduleId: string;
  customerId: string;
  consentId: string;
  walletId: string;
  bankId: string;
  /** The place of its agenda's row, which stays while it is locked. */
  agenda: string;
  nextOccurrence: number;
  dueAt: Temporal.Instant;
  /** Something was set for this occurrence: an amount, or null to skip it. */
  isSet: boolean;
  setPence: number | null;
}

const TERMS = columnsOf('t', TERMS_COLUMNS);

/** The version of the terms that collections follow: the one agreed to, never the one asked for last. */
const LIVE_VERSION = 's.live_version';

/** When to open the next occurrence: when it is due, or later if it was postponed. */
export const TO_OPEN_AT = 'greatest(due_at, put_off_until)';
/** The stage has work when the earliest occurrence of all schedules is due to be opened. */
export const earliestOccurrence = dueBy({
  table: 'schedule_agenda',
  moment: TO_OPEN_AT,
  where: 'due_at IS NOT NULL',
});

/** How many occurrences may be opened at a bank now. */
export interface BankRoom {
  bankId: string;
  room: number;
}

/** Which due occurrences to open: those of one schedule, or the first of each bank. */
export type Which =
  | { only: ScheduleKey; evenIfPutOff: boolean }
  | { busy: readonly BankRoom[]; lateBefore: Temporal.Instant };

/**
 * Locks schedules whose next occurrence is due, with their agendas, skipping locked ones until the next round: a pause,
 * cancellation or update, which locks the schedule first, takes effect before or after, never beside. Of each bank come as many
 * as it has room for; a bank that is not `busy` has room for `limit`. Where there is no room, only what was due at `lateBefore`,
 * and after what comes of the others.
 */
export function lockDueSchedules(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
  which: Which,
): Promise<DueSchedule[]> {
  if ('only' in which) {
    const { only, evenIfPutOff } = which;
    const { merchantId, scheduleId } = only;
    const isIt = 'a.merchant_id = $3 AND a.schedule_id = $4';
    const sql = dueAndLocked(isIt, '$1', '$2', evenIfPutOff ? 'due_at' : TO_OPEN_AT);
    return tx.rows<DueSchedule>(sql, [now, limit, merchantId, scheduleId]);
  }
  const until = 'CASE WHEN b.room = 0 THEN $5::timestamptz ELSE $1 END';
  const most = 'CASE WHEN b.room > 0 THEN b.room ELSE $2 END';
  return tx.rows<DueSchedule>(
    `SELECT d.* FROM (
       SELECT l.lane, b.room FROM (${lanesOf('bank_id', 'schedule_agenda', 'due_at IS NOT NULL')}) l
       LEFT JOIN unnest($3::text[], $4::int[]) AS b (bank_id, room) ON b.bank_id = l.lane
       ORDER BY b.room IS NOT DISTINCT FROM 0, l.lane) b
     CROSS JOIN LATERAL (${dueAndLocked('a.bank_id = b.lane', until, most)}) d LIMIT $2`,
    [now, limit, ...columns(which.busy, 'bankId', 'room'), which.lateBefore],
  );
}

/**
 * SQL that locks the first due schedules of those that satisfy `which`. Terms and consent are looked up by key, whatever the
 * planner's statistics. The outer WHERE compares them again: if a schedule changed before it was locked, PostgreSQL rechecks its
 * new row against the terms and consent read for the old one. The same holds for what is set for the occurrence, which every
 * change of it counts in `changes`; where nothing was ever set, nothing is looked up.
 */
function dueAndLocked(which: string, until: string, most: string, at = TO_OPEN_AT): string {
  return `SELECT s.merchant_id, s.schedule_id, s.customer_id, s.consent_id, c.wallet_id, c.bank_id, a.ctid AS agenda,
      a.next_occurrence, a.due_at, coalesce(o.is_set, false) AS is_set, o.set_pence, ${TERMS}
    FROM schedule_agenda a JOIN schedules s ON s.merchant_id = a.merchant_id AND s.schedule_id = a.schedule_id
    CROSS JOIN LATERAL (SELECT a.changes AS seen, ${TERMS_COLUMNS} FROM schedule_terms
      WHERE merchant_id = s.merchant_id AND schedule_id = s.schedule_id AND version = ${LIVE_VERSION} OFFSET 0) t
    CROSS JOIN LATERAL (SELECT consent_id, wallet_id, bank_id FROM consents
      WHERE merchant_id = s.merchant_id AND consent_id = s.consent_id OFFSET 0) c
    LEFT JOIN LATERAL (SELECT true AS is_set, amount_pence AS set_pence FROM occurrence_changes
      WHERE a.changes IS NOT NULL AND merchant_id = a.merchant_id AND schedule_id = a.schedule_id
        AND due_date = a.due_at OFFSET 0) o ON true
    WHERE s.status = 'active' AND t.version = ${LIVE_VERSION} AND c.consent_id = s.consent_id
      AND t.seen IS NOT DISTINCT FROM a.changes
      AND due_at IS NOT NULL AND ${at} <= ${until} AND ${which}
    ORDER BY ${at} LIMIT ${most} FOR NO KEY UPDATE OF s, a SKIP LOCKED`;
}

/** Records locked occurrences that are skipped, each with the event that said so. */
export async function insertSkipped(
  tx: Tx,
  now: Temporal.Instant,
  skipped: readonly { schedule: DueSchedule; reason: SkipReason; eventId: string }[],
): Promise<void> {
  const due = skipped.map(({ schedule }) => schedule);
  await tx.run(
    `INSERT INTO skipped_occurrences (merchant_id, schedule_id, due_date, terms_version, occurrence, reason, event_id, skipped_at)
     SELECT s.*, $8 FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::text[]) AS s`,
    [
      ...columns(due, 'merchantId', 'scheduleId', 'dueAt', 'version', 'nextOccurrence'),
      ...columns(skipped, 'reason', 'eventId'),
      now,
    ],
  );
}

/** Advances the agendas of locked schedules to their next occurrence, in the queue of their consent's bank. */
export async function moveToNextOccurrence(
  tx: Tx,
  now: Temporal.Instant,
  due: readonly DueSchedule[],
): Promise<void> {
  const next = due.map((d) => occurrence(toTerms(d).series, d.nextOccurrence + 1));
  await tx.run(
    `UPDATE schedule_agenda a SET next_occurrence = a.next_occurrence + 1, due_at = n.due_at, check_at = n.check_at,
       put_off_until = NULL, bank_id = n.bank_id
     FROM unnest($1::text[], $2::text[], $3::tid[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       AS n (merchant_id, schedule_id, agenda, bank_id, due_at, check_at)
     WHERE a.ctid = n.agenda AND a.merchant_id = n.merchant_id AND a.schedule_id = n.schedule_id`,
    [
      ...columns(due, 'merchantId', 'scheduleId', 'agenda', 'bankId'),
      next,
      next.map((dueAt) => checkMoment(dueAt, now)),
    ],
  );
}

/** Returns schedules whose next occurrence is due, without locking them. */
export function findDueSchedules(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<ScheduleKey[]> {
  return tx.rows<ScheduleKey>(
    `SELECT merchant_id, schedule_id FROM schedule_agenda
     WHERE due_at IS NOT NULL AND ${TO_OPEN_AT} <= $1 ORDER BY ${TO_OPEN_AT} LIMIT $2`,
    [now, limit],
  );
}

/** Postpones an occurrence that cannot be opened: it stays due, and is retried at `until`. */
export function postponeOccurrence(
  tx: Tx,
  { merchantId, scheduleId }: ScheduleKey,
  until: Temporal.Instant,
): Promise<number> {
  return tx.run(
    'UPDATE schedule_agenda SET put_off_until = $3 WHERE merchant_id = $1 AND schedule_id = $2',
    [merchantId, scheduleId, until],
  );
}

/** Postpones occurrences of locked schedules, which stay due. */
export async function postponeOccurrences(
  tx: Tx,
  due: readonly Pick<DueSchedule, 'merchantId' | 'scheduleId'>[],
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE schedule_agenda a SET put_off_until = $3 FROM unnest($1::text[], $2::text[]) AS k (merchant_id, schedule_id)
     WHERE a.merchant_id = k.merchant_id AND a.schedule_id = k.schedule_id`,
    [...columns(due, 'merchantId', 'scheduleId'), until],
  );
}

/** Makes a merchant's postponed occurrences due again. */
export async function resumeOccurrences(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
): Promise<void> {
  await tx.run(
    `UPDATE schedule_agenda SET put_off_until = NULL
     WHERE merchant_id = $1 AND due_at <= $2 AND put_off_until IS NOT NULL`,
    [merchantId, now],
  );
}

/**
 * Locks schedules against changes, in primary-key order: a concurrent pause or cancellation takes effect either before or after
 * everything that this transaction plans for their payments, and no occurrence is opened meanwhile.
 */
export async function lockAgainstChanges(tx: Tx, schedules: readonly ScheduleKey[]): Promise<void> {
  if (schedules.length === 0) return;
  await tx.run(
    `SELECT 1 FROM schedules WHERE (merchant_id, schedule_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, schedule_id FOR SHARE`,
    columns(schedules, 'merchantId', 'scheduleId'),
  );
}
