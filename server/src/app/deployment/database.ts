import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import { poolsTransactions } from '../../platform/connection/pooling.ts';
import { openDb } from '../../platform/db/db.ts';
import type { Log } from '../../platform/log/log.ts';
import { startPostgres } from '../../platform/postgres/start.ts';
import { errorCode, errorMessage } from '../../platform/values/thrown.ts';

const OLDEST_POSTGRES = 150_000;

/** Opens the database: the configured one, or the embedded one in the data folder. It is not migrated yet. */
export async function openDatabase(
  config: Config,
  log: Log,
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (config.databaseUrl !== null) {
    await tryDatabase(config.databaseUrl, settingOf(config));
    return { url: config.databaseUrl, stop: async () => undefined };
  }
  const postgres = await startPostgres({
    dataDir: `${config.dataDir}/postgres`,
    log: (line) => log.info(line),
    report: (event, fields) => log.report(event, fields),
  });
  return { url: postgres.url, stop: () => postgres.stop() };
}

/** The setting that an address of the database comes from. */
export const settingOf = ({ databaseUrl, migrateUrl }: Config): string =>
  migrateUrl !== null && databaseUrl === migrateUrl ? 'MIGRATE_DATABASE_URL' : 'DATABASE_URL';

/** Throws ConfigError with the reason if the configured database does not respond or is too old. */
async function tryDatabase(url: string, setting: string): Promise<void> {
  const db = openDb(url, 1);
  try {
    const row = await db.read((tx) =>
      tx.row<{ serverVersionNum: string }>('SHOW server_version_num'),
    );
    if (Number(row?.serverVersionNum ?? 0) < OLDEST_POSTGRES)
      throw new Error('PostgreSQL 15 or newer is needed');
  } catch (error) {
    const reason = errorMessage(error) || errorCode(error) || (error as Error).name;
    throw new ConfigError(`${setting} cannot be used: ${reason}`);
  } finally {
    await db.close();
  }
}

/** Throws ConfigError if a pooler stands before the configured database that gives each transaction another connection. */
export async function refusePooledTransactions({
  databaseUrl,
}: Pick<Config, 'databaseUrl'>): Promise<void> {
  if (databaseUrl !== null && (await poolsTransactions(databaseUrl)))
    throw new ConfigError(
      'DATABASE_URL leads through a pooler that gives each transaction another connection, which loses locks, notifications, ' +
        'roles and time limits: let it pool by session (pool_mode = session in PgBouncer), or leave it out. See docs/scale.md',
    );
}

/** Creates the data folder if it is missing. Throws ConfigError if it cannot be written. */
export function prepareDataDir(config: Config): void {
  try {
    makeFolder(resolve(config.dataDir));
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${config.dataDir} cannot be written: ${errorMessage(error)}`);
  }
}

/** Creates one folder after the other: the recursive form never returns on a file system that allows no folders. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
