import type { Tx } from '../db/db.ts';
import { dueBy } from '../engine/due.ts';
import { oneOf } from '../values/one-of.ts';
import { RETENTION, type TimedTable } from './rules.ts';

/** The stage has work when the oldest row of a table is to be deleted. */
export function earliestForgotten(table: TimedTable): ReturnType<typeof dueBy> {
  const { for: kept, since: moment, of: where, clock } = RETENTION[table];
  return dueBy({ table, moment, where, after: `${kept}`, clock });
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
