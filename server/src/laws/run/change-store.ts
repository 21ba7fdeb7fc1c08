import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';
import type { Subject } from '../findings/nouns.ts';

/** How far the audit trail has been checked, and what was written when the check began. */
export interface Mark {
  /** Every change up to this one has been checked. */
  changeId: number;
  /** This one takes its place when the check has succeeded. */
  thenChangeId: number;
  lastChangeId: number;
  lastXid: string;
}

/**
 * Reads the mark. Ids of changes are given out before they are committed: a change id becomes the mark only in a look at whose
 * beginning no transaction is open any more that was open, or unborn, when it was the last. (A transaction has an id of its own
 * before it records a change, and what is open was given it before this one's: the end of a snapshot is no such bound, because
 * what began last of all may lie beyond it. After a restore from a dump, the marked one may be of the future, and nothing of it
 * is open.)
 */
export async function readMark(tx: Tx): Promise<Mark> {
  const row = await tx.row<{ lastChangeId: number }>(
    `SELECT coalesce(last_value, 0) AS last_change_id FROM pg_sequences
     WHERE schemaname = current_schema AND sequencename = 'state_changes_change_id_seq'`,
  );
  const last = row?.lastChangeId ?? 0;
  await tx.run(
    `INSERT INTO law_marks (change_id, next_change_id, next_xid) VALUES ($1, $1, pg_current_xact_id())
     ON CONFLICT (only_one) DO NOTHING`,
    [last],
  );
  const mark = await tx.row<Mark>(
    `SELECT change_id, $1::bigint AS last_change_id, pg_current_xact_id()::text AS last_xid,
       CASE WHEN next_xid <= pg_snapshot_xmin(now) OR next_xid > pg_snapshot_xmax(now)
         THEN next_change_id ELSE change_id END AS then_change_id
     FROM law_marks, pg_current_snapshot() AS now`,
    [last],
  );
  if (mark === null) throw new Error('the mark of the audit trail has vanished');
  return mark;
}

/** Moves the mark, after everything up to the end of the trail has been read. */
export async function moveMark(tx: Tx, mark: Mark): Promise<void> {
  await tx.run(
    `UPDATE law_marks SET change_id = greatest(change_id, $1::bigint), next_change_id = $2::bigint, next_xid = $3::xid8`,
    [mark.thenChangeId, mark.lastChangeId, mark.lastXid],
  );
}

/** The place in a merchant's audit trail up to which it has been read. */
export interface TrailCursor {
  merchantId: string;
  after: number;
}

export interface Change {
  merchantId: string;
  changeId: number;
  objectId: string;
  scheduleId: string | null;
}

/** Returns the next changes of each of these merchants, at most `limit` of each, up to the change `last`. */
export function findChanges(
  tx: Tx,
  places: readonly TrailCursor[],
  last: number,
  limit: number,
): Promise<Change[]> {
  return tx.rows<Change>(
    `SELECT c.* FROM unnest($1::text[], $2::bigint[]) AS m (merchant_id, after)
     CROSS JOIN LATERAL (SELECT merchant_id, change_id, object_id, schedule_id FROM state_changes c
       WHERE c.merchant_id = m.merchant_id AND c.change_id > m.after AND c.change_id <= $3 ORDER BY c.change_id LIMIT $4) c`,
    [...columns(places, 'merchantId', 'after'), last, limit],
  );
}

/**
 * Returns the customers of payments, with the consents that they and their attempts are under, and those granted for their
 * schedules.
 */
export async function findPayers(
  tx: Tx,
  payments: readonly Subject[],
): Promise<{ merchantId: string; customerId: string; consentId: string }[]> {
  const of = `FROM unnest($1::text[], $2::text[]) AS k (merchant_id, id)
     JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id`;
  return tx.rows(
    `SELECT p.merchant_id, p.customer_id, p.consent_id ${of}
     UNION SELECT p.merchant_id, p.customer_id, a.consent_id ${of}
     JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
       AND ${opaque('a.consent_id IS NOT NULL')}
     UNION SELECT p.merchant_id, p.customer_id, c.consent_id ${of}
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.schedule_id = p.schedule_id
       AND ${opaque('c.granted_at IS NOT NULL')}`,
    columns(payments, 'merchantId', 'id'),
  );
}

/** Returns the newest events of schedules, at most as many of each as it has changes. */
export async function findNewestEvents(
  tx: Tx,
  schedules: readonly (Subject & { changes: number })[],
): Promise<Subject[]> {
  return tx.rows<Subject>(
    `SELECT v.merchant_id AS merchant_id, v.event_id AS id
     FROM unnest($1::text[], $2::text[], $3::int[]) AS k (merchant_id, id, changes)
     CROSS JOIN LATERAL (SELECT merchant_id, event_id FROM events v WHERE v.merchant_id = k.merchant_id
       AND v.schedule_id = k.id ORDER BY v.sequence DESC LIMIT k.changes) v`,
    columns(schedules, 'merchantId', 'id', 'changes'),
  );
}
