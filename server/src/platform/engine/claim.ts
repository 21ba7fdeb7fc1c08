import { byColumn } from '../db/columns.ts';
import type { Db, SqlValue, Tx } from '../db/db.ts';
import { isDatabaseFailure, isolateFailures } from '../db/isolate-failures.ts';
import type { Log } from '../log/log.ts';
import { oneOf } from '../values/one-of.ts';
import { opaque } from '../values/opaque.ts';
import { dueBy, lanesOf } from './due.ts';
import { THIS_PROCESS } from './this-process.ts';

/** What a stage claims from: a table whose `due_at` is schedule, retry time and lease at once. */
export interface Claim {
  table: string;
  /** The primary key's columns. */
  key: readonly string[];
  /** A further condition on the rows; `$3` and up are `values`. The table's alias is `t`. */
  where?: string;
  values?: readonly SqlValue[];
  /** Each value of a column has its own queue, along an index `(column, due_at)`; the queues in `full` are not read. */
  lanes?: { column: string; full: readonly string[] };
  /** Only these rows: the values of each key column, all texts. */
  among?: readonly (readonly string[])[];
  /** Further assignments, e.g. `polls = t.polls + 1`. */
  set?: string;
  /** The columns to return. */
  returning: string;
}

/**
 * Claims up to `limit` due rows: moves their `due_at` forward by the lease, in one statement that skips locked rows. The rows
 * of a crashed process are given back when its heartbeats are missed (`heartbeat.ts`), at the latest when their lease ends.
 */
export async function claim<R extends object>(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  what: Claim,
): Promise<R[]> {
  const set = what.set === undefined ? '' : `, ${what.set}`;
  const which =
    what.among === undefined
      ? firstDue(what, ['ctid'], String(Math.trunc(limit)), HELD)
      : dueAmong(what);
  return tx.rows<R>(
    `UPDATE ${what.table} t SET due_at = $1::timestamptz + $2::bigint * interval '1 millisecond',
       claimed_by = ${THIS_PROCESS}${set}
     WHERE t.${oneOf(which)}
     RETURNING ${what.returning}`,
    [
      now,
      leaseMs,
      ...(what.values ?? []),
      ...(what.among?.map((column) => [...column]) ?? fullLanes(what)),
    ],
  );
}

const HELD = 'FOR UPDATE SKIP LOCKED';

const fullLanes = ({ lanes }: Claim): SqlValue[] => (lanes === undefined ? [] : [[...lanes.full]]);

const andWhere = ({ where }: Claim): string => (where === undefined ? '' : `AND ${where}`);

/**
 * SQL for the rows that have been due longest: from the head of the queue or, with lanes, from the head of each lane with
 * room in turn.
 */
function firstDue(what: Claim, columns: readonly string[], limit: string, held: string): string {
  const { lanes, table } = what;
  const first = (which: string): string =>
    `SELECT ${columns.join(', ')} FROM ${table} t WHERE ${which} due_at <= $1 ${andWhere(what)}
     ORDER BY due_at LIMIT ${limit} ${held}`;
  if (lanes === undefined) return first('');
  const { column } = lanes;
  return `SELECT d.* FROM (${lanesOf(column, table, what.where ?? 'true')}) l
    CROSS JOIN LATERAL (${first(`${column} = l.lane AND`)}) d
    WHERE l.lane <> ALL($${(what.values?.length ?? 0) + 3}::text[]) LIMIT ${limit}`;
}

/** SQL for the rows with the given keys that are due. */
function dueAmong(what: Claim): string {
  const places = what.key.map((_, n) => `$${(what.values?.length ?? 0) + n + 3}::text[]`);
  const isKey = what.key.map((column) => `t.${column} = k.${column}`).join(' AND ');
  return `SELECT c.ctid FROM unnest(${places.join(', ')}) AS k (${what.key.join(', ')})
    CROSS JOIN LATERAL (SELECT ctid FROM ${what.table} t
      WHERE ${isKey} AND ${opaque(`due_at <= $1 ${andWhere(what)}`)} ${HELD}) c`;
}

/** A claim, and the work that begins with it in the same transaction. */
export interface Begin<R, B> extends Claim {
  begin(tx: Tx, rows: R[]): Promise<B[]>;
}

/** How long a row that cannot be started is postponed. */
const POSTPONE_MS = 3_600_000;

/**
 * Claims due rows as `claim` does, and begins their work in the same transaction. If that throws, isolates the failing rows:
 * each is logged and postponed for an hour, and the others are begun. The columns of the key are texts.
 */
export async function claimAndBegin<R extends object, B>(
  platform: { db: Db; log: Log },
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  what: Begin<R, B>,
): Promise<B[]> {
  const { db, log } = platform;
  const begin = (only: Claim): Promise<B[]> =>
    db.transaction(async (tx) => {
      const rows = await claim<R>(tx, now, leaseMs, limit, only);
      return rows.length === 0 ? [] : what.begin(tx, rows);
    });
  try {
    return await begin(what);
  } catch (cause) {
    if (isDatabaseFailure(cause)) throw cause;
    let isPutOff = false;
    const begun = await isolateFailures(
      await db.read((tx) => findDue(tx, now, limit, what)),
      (some) => begin(among(what, some)),
      async (key, err) => {
        log.report('claim.row_isolated', { ...key, table: what.table, err });
        await db.transaction((tx) => postponeRow(tx, now, what, key));
        isPutOff = true;
      },
    );
    if (begun.length === 0 && !isPutOff) throw cause;
    return begun;
  }
}

type Key = Readonly<Record<string, string>>;

/** Returns the keys of due rows, without locking them. */
async function findDue(tx: Tx, now: Temporal.Instant, limit: number, what: Claim): Promise<Key[]> {
  const rows = await tx.rows<Key>(firstDue(what, what.key, '$2::bigint', ''), [
    now,
    limit,
    ...(what.values ?? []),
    ...fullLanes(what),
  ]);
  return rows.map((row) => byColumn(row, what.key));
}

/** Returns the same claim, restricted to these rows. */
function among(what: Claim, keys: readonly Key[]): Claim {
  return { ...what, among: what.key.map((column) => keys.map((key) => key[column] ?? '')) };
}

async function postponeRow(tx: Tx, now: Temporal.Instant, what: Claim, key: Key): Promise<void> {
  const places = what.key.map((column, n) => `${column} = $${n + 3}`).join(' AND ');
  await tx.run(
    `UPDATE ${what.table} SET due_at = $1::timestamptz + $2::bigint * interval '1 millisecond'
     WHERE due_at <= $1 AND ${places}`,
    [now, POSTPONE_MS, ...what.key.map((column) => key[column] ?? null)],
  );
}

/** Defines when a stage has work: at the earliest `due_at` of the rows that satisfy `where`. */
export const earliestDue = (
  table: string,
  where = 'due_at IS NOT NULL',
): ReturnType<typeof dueBy> => dueBy({ table, moment: 'due_at', where });

/** The same for a table with lanes: the earliest of the first rows of all lanes. */
export const earliestDueInLanes = (
  lane: string,
  table: string,
  where: string,
): ReturnType<typeof dueBy> => dueBy({ table, moment: 't.due_at', where, lane });
