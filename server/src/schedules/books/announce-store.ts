import { columns, columnsOf } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { TERMS_COLUMNS, type TermsRow } from './store.ts';

/** How many days ahead a merchant's customers are notified of changes, and of each coming collection; null: they are not. */
export interface DaysAhead {
  changes: number | null;
  coming: number | null;
}

const COLUMN: { readonly [What in keyof DaysAhead]: string } = {
  changes: 'days_ahead',
  coming: 'coming_days_ahead',
};

/** Returns how many days ahead a merchant's customers are notified. */
export async function findDaysAhead(tx: Tx, merchantId: string): Promise<DaysAhead> {
  const row = await tx.row<DaysAhead>(
    `SELECT ${COLUMN.changes} AS changes, ${COLUMN.coming} AS coming FROM announcements WHERE merchant_id = $1`,
    [merchantId],
  );
  return row ?? { changes: null, coming: null };
}

/** Sets how many days ahead a merchant's customers are notified of this; null: never. The stage looks at once. */
export async function setDaysAhead(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  what: keyof DaysAhead,
  days: number | null,
): Promise<void> {
  const column = COLUMN[what];
  await tx.run(
    `INSERT INTO announcements (merchant_id, ${column}, due_at) VALUES ($1, $2, $3)
     ON CONFLICT (merchant_id) DO UPDATE SET ${column} = excluded.${column}, due_at = excluded.due_at`,
    [merchantId, days, now],
  );
  await tx.run(
    'DELETE FROM announcements WHERE merchant_id = $1 AND num_nonnulls(days_ahead, coming_days_ahead) = 0',
    [merchantId],
  );
}

/** Makes the stage look at a merchant's coming collections now, if its customers are notified of any. */
export async function hastenAnnouncements(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
): Promise<void> {
  await tx.run('UPDATE announcements SET due_at = $2 WHERE merchant_id = $1', [merchantId, now]);
}

/** A coming collection of which the customer knows something else than what is set for it now. */
export interface UnannouncedRow extends TermsRow {
  scheduleId: string;
  dueDate: Temporal.Instant;
  isSet: boolean;
  setPence: number | null;
  /** How often the customer was notified of it. */
  times: number;
}

const TERMS = columnsOf('t', TERMS_COLUMNS);

/**
 * SQL: the customers `u` of active schedules `d.schedule_id` who can be reached, and the terms `t` that collections use.
 * Customers without an email address are left out, and where texts are sent (`$5`) those without a phone number too. A landline
 * counts as one, so its customer is not looked at every day.
 */
const TO_REACHED = `CROSS JOIN LATERAL (SELECT customer_id, live_version FROM schedules
    WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND status = 'active' OFFSET 0) s
  CROSS JOIN LATERAL (SELECT 1 FROM customers
    WHERE merchant_id = $1 AND customer_id = s.customer_id
      AND (email IS NOT NULL OR ($5::boolean AND phone IS NOT NULL)) OFFSET 0) u
  CROSS JOIN LATERAL (SELECT ${TERMS_COLUMNS} FROM schedule_terms
    WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND version = s.live_version OFFSET 0) t`;

/** How far a look reaches: from now, until then, and to how many collections. */
export interface Reach {
  now: Temporal.Instant;
  until: Temporal.Instant;
  limit: number;
  /** Whether customers are sent text messages. */
  hasTexts: boolean;
}

const parameters = (merchantId: string, { now, until, limit, hasTexts }: Reach) => [
  merchantId,
  now,
  until,
  limit,
  hasTexts,
];

/**
 * Returns coming collections that the customers of active schedules must be notified of: set and not announced, announced
 * otherwise, or announced and taken back.
 */
export function findUnannounced(
  tx: Tx,
  merchantId: string,
  reach: Reach,
): Promise<UnannouncedRow[]> {
  return tx.rows<UnannouncedRow>(
    `SELECT d.schedule_id, d.due_date, d.is_set, d.set_pence, d.times, ${TERMS}
     FROM (SELECT o.schedule_id, o.due_date, true AS is_set, o.amount_pence AS set_pence, coalesce(a.times, 0) AS times
           FROM occurrence_changes o
           LEFT JOIN LATERAL (SELECT is_set, amount_pence, times FROM announced_occurrences
             WHERE merchant_id = o.merchant_id AND schedule_id = o.schedule_id AND due_date = o.due_date OFFSET 0) a ON true
           WHERE o.merchant_id = $1 AND o.due_date > $2 AND o.due_date <= $3
             AND (a.times IS NULL OR NOT a.is_set OR a.amount_pence IS DISTINCT FROM o.amount_pence)
           UNION ALL
           SELECT a.schedule_id, a.due_date, false, NULL, a.times FROM announced_occurrences a
           LEFT JOIN LATERAL (SELECT true AS is_there FROM occurrence_changes
             WHERE merchant_id = a.merchant_id AND schedule_id = a.schedule_id AND due_date = a.due_date OFFSET 0) o ON true
           WHERE a.merchant_id = $1 AND a.due_date > $2 AND a.due_date <= $3 AND a.is_set AND o.is_there IS NULL) d
     ${TO_REACHED} ORDER BY d.due_date, d.schedule_id LIMIT $4`,
    parameters(merchantId, reach),
  );
}

/**
 * Returns the next collections of active schedules that their customers have not been notified of, without those that are skipped
 * or have no amount. One that is due more often than weekly is not announced.
 */
export function findComing(tx: Tx, merchantId: string, reach: Reach): Promise<UnannouncedRow[]> {
  return tx.rows<UnannouncedRow>(
    `SELECT d.schedule_id, d.due_at AS due_date, o.schedule_id IS NOT NULL AS is_set, o.amount_pence AS set_pence, 0 AS times,
       ${TERMS}
     FROM (SELECT g.schedule_id, g.due_at FROM schedule_agenda g
           LEFT JOIN LATERAL (SELECT true AS is_there FROM announced_occurrences
             WHERE merchant_id = g.merchant_id AND schedule_id = g.schedule_id AND due_date = g.due_at OFFSET 0) a ON true
           WHERE g.merchant_id = $1 AND g.due_at > $2 AND g.due_at <= $3 AND a.is_there IS NULL OFFSET 0) d
     ${TO_REACHED}
     LEFT JOIN LATERAL (SELECT schedule_id, amount_pence FROM occurrence_changes
       WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND due_date = d.due_at OFFSET 0) o ON true
     WHERE (t.frequency_type <> 'daily' OR t.frequency_interval >= 7)
       AND CASE WHEN o.schedule_id IS NULL THEN t.amount_mode = 'fixed' ELSE o.amount_pence IS NOT NULL END
     ORDER BY d.due_at, d.schedule_id LIMIT $4`,
    parameters(merchantId, reach),
  );
}

/** Records what the notices about coming collections said. */
export async function recordAnnounced(
  tx: Tx,
  merchantId: string,
  rows: readonly UnannouncedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `INSERT INTO announced_occurrences (merchant_id, schedule_id, due_date, is_set, amount_pence, times)
     SELECT $1, n.*, 1 FROM unnest($2::text[], $3::timestamptz[], $4::boolean[], $5::bigint[]) AS n
     ON CONFLICT (merchant_id, schedule_id, due_date) DO UPDATE SET is_set = excluded.is_set,
       amount_pence = excluded.amount_pence, times = announced_occurrences.times + 1`,
    [merchantId, ...columns(rows, 'scheduleId', 'dueDate', 'isSet', 'setPence')],
  );
}

/** Returns the merchant's next change whose notice is not due yet; null: there is none. */
export async function nextChangeAfter(
  tx: Tx,
  merchantId: string,
  after: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ dueDate: Temporal.Instant }>(
    `SELECT due_date FROM occurrence_changes WHERE merchant_id = $1 AND due_date > $2 ORDER BY due_date LIMIT 1`,
    [merchantId, after],
  );
  return row?.dueDate ?? null;
}

/** Returns when the merchant's next collection is due after a moment; null: none is. */
export async function nextDueAfter(
  tx: Tx,
  merchantId: string,
  after: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ dueAt: Temporal.Instant }>(
    `SELECT due_at FROM schedule_agenda WHERE merchant_id = $1 AND due_at > $2 ORDER BY due_at LIMIT 1`,
    [merchantId, after],
  );
  return row?.dueAt ?? null;
}

/** Sets when to look at a merchant's coming collections again; null: when something is set. */
export async function setNextCheck(
  tx: Tx,
  merchantId: string,
  at: Temporal.Instant | null,
): Promise<void> {
  await tx.run('UPDATE announcements SET due_at = $2 WHERE merchant_id = $1', [merchantId, at]);
}
