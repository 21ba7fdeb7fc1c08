import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openToEngine } from './db/privileges.ts';

/** The folder of the service's migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The migrations cannot be applied to this database; the message names the file. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** One file: `name` without its ending, `sha256` of its bytes in hexadecimal. */
export type Migration = { readonly name: string; readonly sql: string; readonly sha256: string };

type Applied = { readonly name: string; readonly sha256: string };

const LOCK = 7_265_636_002;
const FILE_NAME = /^(\d{4}_[a-z0-9_]+)\.sql$/;

/**
 * Applies the migrations that the database does not have yet, in order, each in its own transaction, and returns their names.
 * Two runners at once are safe: the second waits and finds nothing left to do. Throws MigrationError if an applied file has
 * changed or is gone, if a new one comes before one already applied, or if one fails; those before it stay applied. Opens
 * new tables to the service's role.
 */
export async function migrate(url: string, folder: string = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: url });
  // A broken connection fails the statement in progress; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const pending = pendingMigrations(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    await openToEngine(client);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Creates the table of migrations only if it is missing: a login that owns none starts on a database that is up to date. */
async function readApplied(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('migrations')`);
  if (rows.length === 0)
    await client.query(
      `CREATE TABLE migrations (
         name text PRIMARY KEY,
         sha256 text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
  return (await client.query<Applied>('SELECT name, sha256 FROM migrations')).rows;
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
    migrations.push({ name, sql, sha256: createHash('sha256').update(sql).digest('hex') });
  }
  return migrations;
}

/** Returns the migrations still to be applied, given those that the database has. */
function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, sha256 } of applied) {
    const migration = known.get(name);
    if (!migration)
      throw new MigrationError(
        `the database has the migration ${name}, which this version does not know: run the version that made it, or a newer one`,
      );
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

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO migrations (name, sha256) VALUES ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      `${migration.name}.sql failed: ${reason}${lineOf(migration.sql, error)}`,
      {
        cause: error,
      },
    );
  }
}

/** Converts the character position in PostgreSQL's error to a line number. */
function lineOf(sql: string, error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || !error.position) return '';
  return ` (line ${sql.slice(0, Number(error.position)).split('\n').length})`;
}
