import { type Placement, TABLES } from '../cluster/tables.ts';
import type { Tx } from '../db/db.ts';

/** Where a stage finds its work: the rows of a table that satisfy a condition, each due from a moment of its own. */
export interface Queue {
  /** The table's alias is `t`. */
  table: string;
  /** A column, or an indexed expression. */
  moment: string;
  where: string;
  /** The work is due this long after the moment: an interval. */
  after?: string;
  /** By the machine's clock (`real`) work is either long due or not at all: the engine compares with the business clock. */
  clock?: 'business' | 'real';
  /** A column each of whose values has a queue of its own, along an index of it and the moment. */
  lane?: string;
}

/** Tells when a stage next has work. */
export interface HasWork {
  /** Returns the next moment at which there is work, or null. */
  nextDue(tx: Tx): Promise<Temporal.Instant | null>;
  /** The same as a SQL expression, if there is one: one statement queries all stages. */
  readonly dueSql?: string;
  /** Where the work is found, if it is in queues. */
  readonly queues?: readonly Queue[];
}

/** Defines when a stage has work: at the earliest moment of all of its queues. */
export function dueBy(...queues: Queue[]): Required<HasWork> {
  const each = queues.map(earliestSql);
  const dueSql = each.length === 1 ? (each[0] ?? '') : `least(${each.join(', ')})`;
  return {
    queues,
    dueSql,
    async nextDue(tx) {
      const row = await tx.row<{ due: Temporal.Instant | null }>(`SELECT (${dueSql}) AS due`);
      return row?.due ?? null;
    },
  };
}

/**
 * Returns a SQL expression for the earliest moment (a column, or an indexed expression) among the rows that satisfy `where`:
 * the first entry of an index over only those rows. See docs/decisions/0020-what-the-planner-is-not-told.md.
 */
export const earliest = (moment: string, table: string, where: string): string =>
  `(SELECT ${moment} FROM ${table} t WHERE ${where} ORDER BY ${moment} LIMIT 1)`;

/** SQL for the earliest moment of a queue, or null; with lanes the earliest of the first rows of all lanes. */
function earliestSql(queue: Queue): string {
  const { moment, table, where, after, clock, lane } = queue;
  const oldest =
    lane === undefined
      ? earliest(moment, table, where)
      : `(SELECT min(f.first) FROM (${lanesOf(lane, table, where)}) l
          CROSS JOIN LATERAL ${earliest(moment, table, `${where} AND t.${lane} = l.lane`)} AS f (first))`;
  if (clock === 'real')
    return `(SELECT 'epoch'::timestamptz WHERE ${oldest} <= clock_timestamp() - interval '${after ?? '0'}')`;
  return after === undefined ? oldest : `${oldest} + interval '${after}'`;
}

/**
 * SQL for the distinct values of a column, walking an index from one to the next: the cost does not depend on how many rows
 * each has.
 */
export function lanesOf(column: string, table: string, where: string): string {
  const next = (after: string): string =>
    `SELECT t.${column} AS lane FROM ${table} t WHERE ${where} ${after} ORDER BY t.${column} LIMIT 1`;
  return `WITH RECURSIVE lanes AS ((${next('')}) UNION ALL
    SELECT n.lane FROM lanes l CROSS JOIN LATERAL (${next(`AND t.${column} > l.lane`)}) n) SELECT lane FROM lanes`;
}

/**
 * Returns when each stage has work by its rows, if it has some until a moment (null: at any time), and the database's time.
 * Stages without any may be left out.
 */
export async function stagesDue<S extends HasWork>(
  tx: Tx,
  stages: readonly S[],
  until: Temporal.Instant | null,
): Promise<DueStages<S>> {
  if (tx.shards === undefined) return earliestOfEach(tx, stages);
  const found = await earliestOfEach(
    tx,
    stages.filter((stage) => !isByMerchant(stage)),
  );
  const byMerchant = stages.filter(isByMerchant);
  if (byMerchant.length === 0) return found;
  const rows = await tx.rows<{ stage: number; due: Temporal.Instant }>(
    `SELECT stage, min(due) AS due FROM (${dueRows(byMerchant)}) q GROUP BY stage`,
    [until],
  );
  for (const { stage: n, due } of rows) {
    const stage = byMerchant[n];
    if (stage !== undefined) found.due.set(stage, due);
  }
  return found;
}

/** When each stage has work, and the database's time. */
export interface DueStages<S> {
  due: Map<S, Temporal.Instant>;
  at: Temporal.Instant;
}

/** The statement that queries stages by SQL, and the column of each of them. */
interface DueQuery {
  sql: string;
  columns: ReadonlyMap<HasWork, string>;
}

/** Made once for an engine's stages: it is long, and asked many times a second. */
const questions = new WeakMap<readonly HasWork[], DueQuery>();

function dueQueryFor(stages: readonly HasWork[]): DueQuery {
  const bySql = stages.filter((stage) => stage.dueSql !== undefined);
  const columns = new Map(bySql.map((stage, n) => [stage, `s${n}`]));
  const parts = [...columns].map(([{ dueSql }, name]) => `(${dueSql}) AS ${name}`);
  const question = { sql: `SELECT ${['clock_timestamp() AS at', ...parts].join(', ')}`, columns };
  questions.set(stages, question);
  return question;
}

async function earliestOfEach<S extends HasWork>(
  tx: Tx,
  stages: readonly S[],
): Promise<DueStages<S>> {
  const due = new Map<S, Temporal.Instant>();
  const { sql, columns } = questions.get(stages) ?? dueQueryFor(stages);
  const row = await tx.row<Record<string, Temporal.Instant | null>>(sql);
  if (row?.at == null) throw new Error('the database did not say what time it is');
  for (const stage of stages) {
    const column = columns.get(stage);
    const moment = column === undefined ? await stage.nextDue(tx) : (row[column] ?? null);
    if (moment !== null) due.set(stage, moment);
  }
  return { due, at: row.at };
}

const isOfMerchants = ({ table }: Queue): boolean =>
  (TABLES as Readonly<Record<string, Placement>>)[table] === 'distributed';

/** Whether all that a stage works on belongs to merchants, so that it can do the work of some of them without the others'. */
export const isByMerchant = ({ queues = [] }: HasWork): boolean =>
  queues.length > 0 && queues.every(isOfMerchants);

/** Returns which merchants have work in a stage, one that `isByMerchant`. */
export async function merchantsDue(
  tx: Tx,
  stage: HasWork,
  now: Temporal.Instant,
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    `SELECT DISTINCT merchant_id FROM (${dueRows([stage])}) q`,
    [now],
  );
  return rows.map((row) => row.merchantId);
}

/**
 * SQL for the rows of all queues of these stages that are due until `$1`, or with null for all rows: one task on each shard of a
 * cluster, however many queues there are.
 */
function dueRows(stages: readonly HasWork[]): string {
  const of = ({ table, moment, where, after = '0', clock }: Queue, stage: number): string => {
    const isReal = clock === 'real';
    const due = isReal ? `least('epoch', $1::timestamptz)` : `${moment} + interval '${after}'`;
    const until = isReal ? 'clock_timestamp()' : `coalesce($1::timestamptz, 'infinity')`;
    return `SELECT ${stage} AS stage, t.merchant_id, ${due} AS due
      FROM ${table} t WHERE ${where} AND ${moment} <= ${until} - interval '${after}'`;
  };
  return stages
    .flatMap(({ queues = [] }, n) => queues.map((queue) => of(queue, n)))
    .join(' UNION ALL ');
}
