import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePlatform } from '../../server/src/app/deployment/platform.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { makeLog } from '../../server/src/platform/log/log.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { SERVICE, SUPERUSER } from '../../server/src/platform/postgres/cluster.ts';
import { loginUrl, openDataFolder, readSecret } from '../../server/src/platform/postgres/folder.ts';
import { startPostgres } from '../../server/src/platform/postgres/start.ts';
import { realClock } from '../../server/src/platform/time/clock.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { cpuSecondsOf } from './cpu.ts';
import { ourCpuSeconds, postmasterOf, walBytes } from './usage.ts';

/** A PostgreSQL of our own, started as the product does: on disk, with fsync, with its default settings. */
export interface World extends AsyncDisposable {
  url: string;
  db: Db;
  platform: Platform;
  /** Returns what PostgreSQL has used and written since its start. */
  usage(): Promise<Usage>;
  /** Writes everything out, so that no round pays for the one before it. */
  settle(): Promise<void>;
}

export interface Usage {
  /** Since the start of each process, in seconds. */
  postgresCpu: number;
  ourCpu: number;
  /** Since the beginning of the log. */
  walBytes: number;
}

const CONNECTIONS = 20;

/**
 * Opens a world on an empty data folder, migrated; it is removed with its folder at the end of the block that opened it.
 * `settings`: of PostgreSQL, in place of the product's.
 */
export async function openWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const postgresDir = join(dataDir, 'postgres');
  const postgres = await startPostgres({ dataDir: postgresDir, settings });
  const superuser = openDb(superuserUrl(postgresDir, postgres.url), 1);
  await migrate(postgres.url);
  const db = openDb(postgres.url, CONNECTIONS);
  const config = readConfig({
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
  });
  const platform = makePlatform(config, db, realClock, makeLog('error'));
  const postmaster = await postmasterOf(db);
  return {
    url: postgres.url,
    db,
    platform,
    usage: async () => ({
      postgresCpu: cpuSecondsOf(postmaster),
      ourCpu: ourCpuSeconds(),
      walBytes: await walBytes(db),
    }),
    async settle() {
      await asOwner(superuser, (tx) => tx.run('VACUUM (ANALYZE)'));
      await asOwner(superuser, (tx) => tx.run('CHECKPOINT')); // refused to the service's own role
    },
    async [Symbol.asyncDispose]() {
      await superuser.close();
      await db.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the login of the superuser, on the server that the service's login names. */
function superuserUrl(dataDir: string, url: string): string {
  const secret = readSecret(openDataFolder(dataDir));
  return loginUrl(SUPERUSER, SERVICE, Number(new URL(url).port), secret);
}
