import type { Tx } from '../../platform/db/db.ts';
import type { EventRow } from '../event-store.ts';
import type { Look } from './horizon.ts';

/** An event with its place in the feed. */
export type FeedRow = EventRow & { position: number };

/** Looks at the last position, and at the transactions under way. */
export async function look(tx: Tx): Promise<Look> {
  const row = await tx.row<{ server: string; position: number; oldest: string }>(
    `SELECT pg_postmaster_start_time()::text AS server,
       coalesce(pg_sequence_last_value('event_positions'), 0) AS position,
       pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`,
  );
  if (row === null) throw new Error('a look at the feed has shown nothing');
  const { server, position, oldest } = row;
  return { server, position, oldestTransaction: BigInt(oldest) };
}

/**
 * Returns the id of a transaction of its own, greater than that of every transaction that has one. Its commit writes the log to
 * the disk, because it logs something: no crash of the server gives out an earlier position or id again.
 */
export async function newTransactionId(tx: Tx): Promise<bigint> {
  const row = await tx.row<{ id: string }>(
    `SELECT pg_current_xact_id()::text AS id, pg_logical_emit_message(true, 'recollect.feed', '')`,
  );
  if (row === null) throw new Error('a transaction has no id');
  return BigInt(row.id);
}

/** Whether this event of the merchant has this position, and the sequence has given it out: a copy may have left that behind. */
export async function isAt(
  tx: Tx,
  merchantId: string,
  eventId: string,
  position: number,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM events WHERE merchant_id = $1 AND event_id = $2 AND position = $3::bigint
       AND position <= pg_sequence_last_value('event_positions')`,
    [merchantId, eventId, position],
  );
  return row !== null;
}

/** Returns the merchant's events behind a position, up to another one, in the order of the feed. */
export function eventsBehind(
  tx: Tx,
  merchantId: string,
  behind: number,
  upTo: number,
  limit: number,
): Promise<FeedRow[]> {
  return tx.rows<FeedRow>(
    `SELECT event_id, kind, schedule_id, sequence, subject_id, body, created_at, position FROM events
     WHERE merchant_id = $1 AND position > $2::bigint AND position <= $3::bigint ORDER BY position LIMIT ${limit}`,
    [merchantId, behind, upTo],
  );
}
