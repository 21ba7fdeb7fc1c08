import { byShard } from '../../platform/cluster/shards.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Noun, Subject } from '../findings/nouns.ts';

/** A violation, and the row it is about. */
export interface Breach extends Subject {
  what: string;
}

/** A part of a law that can be checked for some rows without reading the others. */
export interface Part {
  noun: Noun;
  /** `now`: for a law about time; null where nothing is to be judged by it. */
  broken(tx: Tx, subjects: readonly Subject[], now: Temporal.Instant | null): Promise<Breach[]>;
}

/** A law of money, and how to find violations. */
export interface Law {
  name: string;
  sentence: string;
  /** Checked by the audit for every row there is. */
  parts: readonly Part[];
  /** Checked every hour for what changed and for a share of the rest; absent: the same parts. */
  hourly?: readonly Part[];
}

/** Not by a plan that a connection has kept since the tables were empty, and in the order in which the joins are written. */
const FRESH_PLANS =
  "SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('join_collapse_limit', '1', true)";

/**
 * Returns the violations of a part among these rows. Its joins are made in the order in which they are written, from the rows
 * to what hangs on each by key: before a table's first statistics PostgreSQL believes that a merchant has few rows in it, and
 * may pair all of them.
 */
export async function breachesAmong(
  db: Db,
  { broken }: Part,
  subjects: readonly Subject[],
  now: Temporal.Instant | null = null,
): Promise<Breach[]> {
  const found: Breach[] = [];
  const parts = await db.read((tx) => byShard(tx, subjects, ({ merchantId }) => merchantId));
  for (const some of parts) {
    const breaches = await db.transaction(async (tx) => {
      await tx.run(FRESH_PLANS);
      return broken(tx, some, now);
    });
    found.push(...breaches);
  }
  return found;
}

/**
 * SQL: the audit trail of one schedule. As a range in the order of its index: in a table that looked empty the primary key costs
 * the same, and reads every change of the merchant (docs/decisions/0020-what-the-planner-is-not-told.md).
 */
export const changesOf = (merchantId: string, scheduleId: string): string =>
  `LATERAL (SELECT * FROM state_changes WHERE merchant_id = ${merchantId} AND schedule_id >= ${scheduleId}
     AND schedule_id <= ${scheduleId} ORDER BY schedule_id)`;

/** The maximum number of lines reported of one law; more would not help. */
export const MAX = 20;
/** The maximum number of violations that one statement returns. */
const MAX_PER_PAGE = 1_000;

/**
 * A part whose violations are found by one statement: `sql` returns `merchant_id`, `id` and `what` for the rows named in the
 * table `scope (merchant_id, id)`. `tables`: further common table expressions. A statement reads each row of `scope` by its
 * key, and joins nothing that has no index: it costs the same per row however many rows there are.
 */
export const bySql = (noun: Noun, sql: string, tables = ''): Part => ({
  noun,
  broken: (tx, subjects) =>
    tx.rows<Breach>(
      `WITH scope AS (SELECT * FROM unnest($1::text[], $2::text[]) AS k (merchant_id, id))${tables === '' ? '' : `, ${tables}`}
       SELECT merchant_id AS merchant_id, id, what FROM (${sql}) found LIMIT ${MAX_PER_PAGE}`,
      columns(subjects, 'merchantId', 'id'),
    ),
});
