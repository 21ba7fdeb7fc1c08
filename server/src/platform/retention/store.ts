import type { Tx } from '../db.ts';
import { earliest } from '../engine.ts';
import { oneOf } from '../one-of.ts';
import { RETENTION, type TimedTable } from './rules.ts';

/** Returns SQL for the moment at which the oldest row of a table is to be deleted; null: there is none. */
export function forgottenFrom(table: TimedTable): string {
  const { for: kept, since, of, clock } = RETENTION[table];
  const oldest = earliest(since, table, of);
  // The engine compares with the business clock: by the real one it is either long due, or not at all.
  return clock === 'business'
    ? `${oldest} + interval '${kept}'`
    : `SELECT 'epoch'::timestamptz WHERE ${oldest} <= clock_timestamp() - interval '${kept}'`;
}

/** Deletes up to `limit` rows of a table whose time began up to a moment; returns how many. */
export function forget(
  tx: Tx,
  table: TimedTable,
  upTo: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { since, of } = RETENTION[table];
  const oldest = `SELECT ctid FROM ${table} WHERE ${of} AND ${since} <= $1
    ORDER BY ${since} LIMIT $2 FOR UPDATE SKIP LOCKED`;
  return tx.run(`DELETE FROM ${table} WHERE ${oneOf(oldest)}`, [upTo, limit]);
}
