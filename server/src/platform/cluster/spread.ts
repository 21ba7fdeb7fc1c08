import type pg from 'pg';
import { type Placement, TABLES } from './tables.ts';

/** The tables that leave the coordinator. */
const SPREAD = Object.entries<Placement>(TABLES).filter(([, place]) => place !== 'local');
const NAMES = SPREAD.map(([name]) => name);
const LOCK = 7_265_636_004;
/** The distributed table whose colocation group all others join. */
const COLOCATION_TABLE = SPREAD.find(([, place]) => place === 'distributed')?.[0];

/** Whether this database is a coordinator of a Citus cluster. */
export async function isCluster(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rowCount === 1;
}

/**
 * Spreads the tables over the nodes as `TABLES` says, in one transaction, if the database is the coordinator of a Citus cluster;
 * those that are spread already stay as they are. Throws if this login may not.
 */
export async function spreadTables(client: pg.Client): Promise<void> {
  if (await isCluster(client)) await spreadLeft(client);
}

async function spreadLeft(client: pg.Client): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    // Over one connection to each node, because tables and the keys between them cannot be made over several.
    await client.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    for (const { statement } of (await client.query<{ statement: string }>(LOGINS)).rows)
      await client.query(statement);
    for (const { drop } of (await client.query<{ drop: string }>(OUT_OF_REACH)).rows)
      await client.query(drop);
    const { rows } = await client.query<{ name: string }>(NOT_DISTRIBUTED, [NAMES]);
    const left = rows.map(({ name }) => name);
    const keys = await revokeForeignKeys(client, left);
    if (left.includes('events')) await client.query(NO_POSITIONS);
    for (const [name, place] of SPREAD)
      if (left.includes(name)) await client.query(distributionSql(name, place));
    for (const { add } of keys) await client.query(add);
    for (const { statement } of (await client.query<{ statement: string }>(FUNCTIONS, [REDACTING]))
      .rows)
      await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The service's roles that cannot log in yet: the coordinator works on the workers under their names. */
const LOGINS = `
  SELECT format('ALTER ROLE %I LOGIN', rolname) AS statement FROM pg_roles
  WHERE rolname IN ('recollect_api', 'recollect_engine') AND NOT rolcanlogin ORDER BY rolname`;

/** What changes rows that the service's roles may only write once. It runs where they lie, in the transaction of its caller. */
const REDACTING = ['redact_events', 'redact_refund_reasons'];
const FUNCTIONS = `
  SELECT format('SELECT create_distributed_function(%L, %L, colocate_with => %L, force_delegation => true)',
    p.oid::regprocedure, 'of_merchant', '${COLOCATION_TABLE}') AS statement
  FROM pg_proc p WHERE p.proname = ANY ($1) AND p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_dist_object o
      WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid AND o.distribution_argument_index IS NOT NULL)`;

/**
 * The keys by which what the API's role writes names people, whom it may not read: whoever writes the one would have to lock the
 * other. What deletes a user deletes what names them.
 */
const OUT_OF_REACH = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace
    AND has_table_privilege('recollect_api', conrelid, 'INSERT, UPDATE, DELETE')
    AND NOT has_table_privilege('recollect_api', confrelid, 'SELECT, UPDATE, DELETE')`;

/** Events of a cluster have no position: sequences and transaction ids are each node's own (docs/rules/webhooks.md#the-feed). */
const NO_POSITIONS = 'ALTER TABLE events ALTER COLUMN position DROP DEFAULT';

/** The tables that exist and are not spread yet. */
const NOT_DISTRIBUTED = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
    AND NOT EXISTS (SELECT FROM citus_tables t
      WHERE t.table_name = c.oid AND t.citus_table_type IN ('reference', 'distributed'))`;

interface Key {
  drop: string;
  add: string;
}

/**
 * Removes what Citus does not spread: foreign keys, which are added again when both tables lie where they belong, and the
 * triggers against TRUNCATE, in place of which nobody but the owner has that right.
 */
async function revokeForeignKeys(client: pg.Client, names: readonly string[]): Promise<Key[]> {
  const keys = await client.query<Key>(KEYS, [names]);
  const triggers = await client.query<{ drop: string }>(TRIGGERS, [names]);
  for (const { drop } of [...keys.rows, ...triggers.rows]) await client.query(drop);
  return keys.rows;
}

const KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
  FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND (conrelid::regclass::text = ANY ($1) OR confrelid::regclass::text = ANY ($1))
  ORDER BY conrelid::regclass::text, conname`;

const TRIGGERS = `
  SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS drop
  FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY ($1)`;

function distributionSql(name: string, place: Placement): string {
  if (place === 'reference') return `SELECT create_reference_table('${name}')`;
  const group = name === COLOCATION_TABLE ? 'none' : COLOCATION_TABLE;
  return `SELECT create_distributed_table('${name}', 'merchant_id', colocate_with => '${group}')`;
}
