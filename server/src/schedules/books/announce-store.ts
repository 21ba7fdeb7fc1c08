import { columns, columnsOf } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { TERMS_COLUMNS, type TermsRow } from './store.ts';

/** How many days ahead a merchant's customers are notified of changes, and of each coming collection; null: they are not. */
export interface DaysAhead {
  changes: number | null;
  coming: number | null;
}
/** What customers are notified of. */
export type Announced = keyof DaysAhead;

/** A row for each merchant who wants it: how many days ahead, and when the stage looks next. */
export const ANNOUNCEMENTS: { readonly [What in Announced]: string } = {
  changes: 'announcements',
  coming: 'coming_announcements',
};

/** Returns how many days ahead a merchant's customers are notified. */
export async function findDaysAhead(tx: Tx, merchantId: string): Promise<DaysAhead> {
  const days = (what: Announced): string =>
    `(SELECT days_ahead FROM ${ANNOUNCEMENTS[what]} WHERE merchant_id = $1) AS ${what}`;
  const row = await tx.row<DaysAhead>(`SELECT ${days('changes')}, ${days('coming')}`, [merchantId]);
  return row ?? { changes: null, coming: null };
}

/** Sets how many days ahead a merchant's customers are notified of this; null: never. The stage looks at once. */
export async function setDaysAhead(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  what: Announced,
  days: number | null,
): Promise<void> {
  const table = ANNOUNCEMENTS[what];
  if (days === null) await tx.run(`DELETE FROM ${table} WHERE merchant_id = $1`, [merchantId]);
  else
    await tx.run(
      `INSERT INTO ${table} (merchant_id, days_ahead, due_at) VALUES ($1, $2, $3)
       ON CONFLICT (merchant_id) DO UPDATE SET days_ahead = excluded.days_ahead, due_at = excluded.due_at`,
      [merchantId, days, now],
    );
}

/** Makes the stages look at a merchant's coming collections now, if its customers are notified of any. */
export async function hastenAnnouncements(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
): Promise<void> {
  for (const table of Object.values(ANNOUNCEMENTS))
    await tx.run(`UPDATE ${table} SET due_at = $2 WHERE merchant_id = $1`, [merchantId, now]);
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

/** SQL: the active schedules `s` of the rows `d`, and the terms `t` that collections use. */
const OF_ACTIVE = `CROSS JOIN LATERAL (SELECT customer_id, live_version FROM schedules
    WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND status = 'active' OFFSET 0) s
  CROSS JOIN LATERAL (SELECT ${TERMS_COLUMNS} FROM schedule_terms
    WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND version = s.live_version OFFSET 0) t`;

/** How far a look reaches: from now, until then, and to how many collections. */
export interface Reach {
  now: Temporal.Instant;
  until: Temporal.Instant;
  limit: number;
}

/**
 * Returns coming collections that the customers of active schedules must be notified of: set and not announced, announced
 * otherwise, or announced and taken back. Customers without an email address are left out, and with `hasTexts` those without a
 * phone number too. A landline counts as one, so its customer is not looked at every day. `onlyAnnounced`: those of which they
 * have heard.
 */
export function findUnannounced(
  tx: Tx,
  merchantId: string,
  { now, until, limit }: Reach,
  { hasTexts, onlyAnnounced }: { hasTexts: boolean; onlyAnnounced: boolean },
): Promise<UnannouncedRow[]> {
  return tx.rows<UnannouncedRow>(
    `SELECT d.schedule_id, d.due_date, d.is_set, d.set_pence, d.times, ${TERMS}
     FROM (SELECT o.schedule_id, o.due_date, true AS is_set, o.amount_pence AS set_pence, coalesce(a.times, 0) AS times
           FROM occurrence_changes o
           LEFT JOIN LATERAL (SELECT is_set, amount_pence, times FROM announced_occurrences
             WHERE merchant_id = o.merchant_id AND schedule_id = o.schedule_id AND due_date = o.due_date OFFSET 0) a ON true
           WHERE o.merchant_id = $1 AND o.due_date > $2 AND o.due_date <= $3
             AND CASE WHEN a.times IS NULL THEN NOT $6::boolean
               ELSE NOT a.is_set OR a.amount_pence IS DISTINCT FROM o.amount_pence END
           UNION ALL
           SELECT a.schedule_id, a.due_date, false, NULL, a.times FROM announced_occurrences a
           LEFT JOIN LATERAL (SELECT true AS is_there FROM occurrence_changes
             WHERE merchant_id = a.merchant_id AND schedule_id = a.schedule_id AND due_date = a.due_date OFFSET 0) o ON true
           WHERE a.merchant_id = $1 AND a.due_date > $2 AND a.due_date <= $3 AND a.is_set AND o.is_there IS NULL) d
     ${OF_ACTIVE}
     CROSS JOIN LATERAL (SELECT 1 FROM customers
       WHERE merchant_id = $1 AND customer_id = s.customer_id
         AND (email IS NOT NULL OR ($5::boolean AND phone IS NOT NULL)) OFFSET 0) u
     ORDER BY d.due_date, d.schedule_id LIMIT $4`,
    [merchantId, now, until, limit, hasTexts, onlyAnnounced],
  );
}

/**
 * Returns the next collections of active schedules that have not been announced, in the order of the agenda, without those that
 * are skipped or have no amount, and of what is due weekly or less often. Whether a customer can be reached is not asked, so that
 * each collection is looked at once.
 */
export function findComing(
  tx: Tx,
  merchantId: string,
  { now, until, limit }: Reach,
): Promise<UnannouncedRow[]> {
  return tx.rows<UnannouncedRow>(
    `SELECT d.schedule_id, d.due_at AS due_date, o.schedule_id IS NOT NULL AS is_set, o.amount_pence AS set_pence, 0 AS times,
       ${TERMS}
     FROM schedule_agenda d
     LEFT JOIN LATERAL (SELECT true AS is_there FROM announced_occurrences
       WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND due_date = d.due_at OFFSET 0) a ON true
     ${OF_ACTIVE}
     LEFT JOIN LATERAL (SELECT schedule_id, amount_pence FROM occurrence_changes
       WHERE merchant_id = $1 AND schedule_id = d.schedule_id AND due_date = d.due_at OFFSET 0) o ON true
     WHERE d.merchant_id = $1 AND d.due_at > $2 AND d.due_at <= $3 AND a.is_there IS NULL
       AND (t.frequency_type <> 'daily' OR t.frequency_interval >= 7)
       AND CASE WHEN o.schedule_id IS NULL THEN t.amount_mode = 'fixed' ELSE o.amount_pence IS NOT NULL END
     ORDER BY d.due_at LIMIT $4`,
    [merchantId, now, until, limit],
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

/** Sets when to look at a merchant's coming collections again; null, of changes: when something is set. */
export async function setNextCheck(
  tx: Tx,
  merchantId: string,
  what: Announced,
  at: Temporal.Instant | null,
): Promise<void> {
  await tx.run(`UPDATE ${ANNOUNCEMENTS[what]} SET due_at = $2 WHERE merchant_id = $1`, [
    merchantId,
    at,
  ]);
}
