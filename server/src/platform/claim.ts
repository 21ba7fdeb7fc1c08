import type { SqlValue, Tx } from './db.ts';

/** What a stage claims from: a table with a `due_at` that is schedule, retry time and lease at once. */
export interface Claim {
  table: string;
  /** The primary key's columns. */
  key: readonly string[];
  /** Which rows, beside being due; `$3` and up are `values`. The table's alias is `t`. */
  where?: string;
  values?: readonly SqlValue[];
  /** Further assignments, e.g. `polls = t.polls + 1`. */
  set?: string;
  /** The columns to answer. */
  returning: string;
}

/**
 * Claims up to `limit` due rows: moves their `due_at` forward by the lease, in one statement that skips what others
 * hold, so that what a dead process held falls due again by itself. The only place that depends on `SKIP LOCKED`.
 */
export async function claim<R extends object>(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  what: Claim,
): Promise<R[]> {
  const key = what.key.join(', ');
  const where = what.where === undefined ? '' : `AND ${what.where}`;
  const set = what.set === undefined ? '' : `, ${what.set}`;
  return tx.rows<R>(
    `UPDATE ${what.table} t SET due_at = $1::timestamptz + $2::bigint * interval '1 millisecond'${set}
     FROM (SELECT ${key} FROM ${what.table} t WHERE due_at <= $1 ${where}
           ORDER BY due_at LIMIT ${Math.trunc(limit)} FOR UPDATE SKIP LOCKED) c
     WHERE ${what.key.map((k) => `t.${k} = c.${k}`).join(' AND ')}
     RETURNING ${what.returning}`,
    [now, leaseMs, ...(what.values ?? [])],
  );
}

/** The earliest `due_at` of a table's rows that satisfy `where`. */
export async function earliestDue(
  tx: Tx,
  table: string,
  where = 'due_at IS NOT NULL',
): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ due_at: Temporal.Instant | null }>(
    `SELECT min(due_at) AS due_at FROM ${table} WHERE ${where}`,
  );
  return row?.due_at ?? null;
}
