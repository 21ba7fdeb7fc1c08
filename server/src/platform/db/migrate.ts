import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isCluster, spreadTables } from '../cluster/spread.ts';
import { errorCode, errorMessage } from '../values/thrown.ts';
import { openToEngine } from './privileges.ts';
import { statementsOf } from './statements.ts';

/** The folder of the service's migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The migrations cannot be applied to this database; the message names the file. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * One file: `name` without its ending, `sha256` of its bytes in hexadecimal. `needs`: a version that does not know this migration
 * cannot work once this file is applied; null: every version that worked before works on. See
 * docs/guides/operators.md#upgrade. `replaces`: the migrations whose place this first one took.
 */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
  readonly needs: string | null;
  readonly replaces: Replaced | null;
}

/** Migrations whose place a first one took: the name of the last, and the digest of all (`digestOf`). */
interface Replaced {
  readonly last: string;
  readonly sha256: string;
}

type Applied = Pick<Migration, 'name' | 'sha256' | 'needs'>;

const LOCK = 7_265_636_002;
const FILE_NAME = /^(\d{4}_[a-z0-9_]+)\.sql$/;
/** The line of a migration that takes away what older versions use: what a version must know, and since which release. */
const CONTRACTS = /^-- Contracts: needs (\d{4}_[a-z0-9_]+), released in (\d+\.\d+\.\d+)\.$/m;
/** The line of a first migration that took the place of others. */
const REPLACES =
  /^-- Replaces the \d+ migrations up to (\d{4}_[a-z0-9_]+), sha256 ([0-9a-f]{64})\.$/m;

/** Returns what the line of a contracting migration says; null: it has none. */
export function contractOf(sql: string): { needs: string; release: string } | null {
  const [, needs, release] = CONTRACTS.exec(sql) ?? [];
  return needs === undefined || release === undefined ? null : { needs, release };
}

function replacedBy(sql: string): Replaced | null {
  const [, last, sha256] = REPLACES.exec(sql) ?? [];
  return last === undefined || sha256 === undefined ? null : { last, sha256 };
}

/**
 * Applies the migrations that the database does not have yet, in order, each in its own transaction, and returns their names.
 * Two runners at once are safe: the second waits and finds nothing left to do. Throws MigrationError if an applied file has
 * changed, if a new one comes before one already applied, if the database is too new for this version or has only some of the
 * migrations that the first one replaces, or if one fails; those before it stay applied. Opens new tables to the service's role,
 * and spreads them over a Citus cluster.
 */
export async function migrate(url: string, folder: string = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    // Only if it is missing: a login that owns no table can run this on a database that is up to date.
    if (!(await hasTable(client))) await client.query(TABLE);
    const pending = pendingMigrations(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    await openToEngine(client);
    await spreadTables(client);
    return pending.map(({ name }) => name);
  });
}

/**
 * Checks that this version can work on a database, and changes nothing. Throws MigrationError with one line if the database lacks
 * a migration, or is too new.
 */
export async function checkMigrated(url: string, folder: string = MIGRATIONS): Promise<void> {
  const migrations = await readMigrations(folder);
  await withClient(url, async (client) => {
    const applied = (await hasTable(client)) ? await readApplied(client) : [];
    const pending = pendingMigrations(migrations, applied);
    const [first] = pending;
    if (first === undefined) return;
    const lacks = pending.length === 1 ? first.name : `${pending.length}, from ${first.name} on`;
    throw new MigrationError(
      applied.length === 0
        ? 'the database has no tables yet: run recollect migrate first'
        : `the database lacks migrations of this version (${lacks}): run recollect migrate first`,
    );
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A broken connection fails the statement in progress; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const TABLE = `CREATE TABLE migrations (
  name text PRIMARY KEY,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  needs text
)`;

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('migrations')`);
  return rows.length > 0;
}

/** Reads what is applied, also in a database from before the column `needs`, which is to be refused in plain words. */
async function readApplied(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT name, sha256, to_jsonb(m)->>'needs' AS needs FROM migrations m ORDER BY name`,
  );
  return rows;
}

/** Reads the migrations in a folder, in order. Throws MigrationError if a file is misnamed or repeated. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const file of files) {
    const name = FILE_NAME.exec(file)?.[1];
    if (!name) throw new MigrationError(`${file} is not named like 0001_what_it_adds.sql`);
    if (migrations.at(-1)?.name.slice(0, 4) === name.slice(0, 4))
      throw new MigrationError(`${file} has the number of another migration`);
    const sql = await readFile(join(folder, file), 'utf8');
    const sha256 = sha256Of(sql);
    const needs = contractOf(sql)?.needs ?? null;
    migrations.push({ name, sql, sha256, needs, replaces: replacedBy(sql) });
  }
  return migrations;
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns one digest of migrations, in their order. */
export const digestOf = (migrations: readonly Pick<Migration, 'name' | 'sha256'>[]): string =>
  sha256Of(migrations.map(({ name, sha256 }) => `${name} ${sha256}\n`).join(''));

/**
 * Returns what a database has, with the first migration in place of those that it replaced. Throws MigrationError if the database
 * has only some of them, or others: this version does not know the way from there.
 */
function withFirst(first: Migration | undefined, applied: readonly Applied[]): readonly Applied[] {
  if (!first?.replaces) return applied;
  const { last, sha256 } = first.replaces;
  const old = applied.filter(({ name }) => name <= last && name !== first.name);
  if (old.length === 0) return applied;
  if (digestOf(old) !== sha256)
    throw new MigrationError(
      `the database stands at ${old.at(-1)?.name}, without all migrations that ${first.name} replaces: bring it to ${last} as docs/guides/operators.md#upgrade says, or begin with an empty database; nothing was changed`,
    );
  return [first, ...applied.filter((one) => !old.includes(one))];
}

/** Returns the migrations still to be applied, given those that the database has. */
function pendingMigrations(
  migrations: readonly Migration[],
  found: readonly Applied[],
): Migration[] {
  const applied = withFirst(migrations[0], found);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, sha256, needs } of applied) {
    const migration = known.get(name);
    if (migration === undefined) {
      // A newer version has added to the database: this one works on beside it, until what it uses is taken away.
      if (needs === null || known.has(needs)) continue;
      throw new MigrationError(
        `the database has the migration ${name}, on which this version cannot work: run the version that made it, or a newer one`,
      );
    }
    if (migration.sha256 !== sha256)
      throw new MigrationError(
        `${name}.sql was changed after it was applied: put it back and write a new migration instead`,
      );
  }
  const names = new Set(applied.map(({ name }) => name));
  const last = [...names].sort().at(-1) ?? '';
  const pending = migrations.filter(({ name }) => !names.has(name));
  const late = pending.find(({ name }) => name < last);
  if (late)
    throw new MigrationError(
      `${late.name}.sql comes before ${last}, which is applied: renumber it`,
    );
  return pending;
}

/** Whoever waits for a table's lock makes everybody behind them wait, so a migration waits briefly and tries again. */
const LOCK_TIMEOUT = '1s';
const LOCK_PAUSE_MS = 500;
const MAX_TRIES = 60;
const NO_LOCK = '55P03';

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await applyOnce(client, migration);
    } catch (error) {
      if (tries >= MAX_TRIES || errorCode(Object(error).cause) !== NO_LOCK) throw error;
      await sleep(LOCK_PAUSE_MS);
    }
}

const ONE_BY_ONE = `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`;

async function applyOnce(client: pg.Client, migration: Migration): Promise<void> {
  // Citus passes the whole text of what it is told on to the workers, as one statement, and changes one table after the other.
  const onCluster = await isCluster(client);
  const parts = onCluster ? statementsOf(migration.sql) : [migration.sql];
  let done = '';
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    if (onCluster) await client.query(ONE_BY_ONE);
    for (const part of parts) {
      await client.query(part);
      done += part;
    }
    const { name, sha256, needs } = migration;
    const insert = 'INSERT INTO migrations (name, sha256, needs) VALUES ($1, $2, $3)';
    await client.query(insert, [name, sha256, needs]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = errorMessage(error);
    throw new MigrationError(
      `${migration.name}.sql failed: ${reason}${lineOf(migration.sql, done, error)}`,
      { cause: error },
    );
  }
}

/** Converts the character position in PostgreSQL's error, after what was done before, to a line number. */
function lineOf(sql: string, done: string, error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || !error.position) return '';
  const before = sql.slice(0, done.length + Number(error.position));
  return ` (line ${before.split('\n').length})`;
}
