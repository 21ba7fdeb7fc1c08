import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PostgresStartError } from '../src/platform/postgres/folder.ts';
import { startPostgres } from '../src/platform/postgres/start.ts';
import { KEEPER_CHANNEL, keeperFile } from './shared-server.ts';

// A process of its own that keeps the test server: started by the first test that needs one, and ended when no client has been
// connected for a while. So test files can run alone, in parallel, or under `npm test`, and a killed run leaves nothing behind
// for long.

const IDLE_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 1_000;
/** For data that need not survive a crash, and many test processes. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  max_connections: '300',
  // Statistics that come at arbitrary moments would change the plans of a test.
  autovacuum: 'off',
};

async function keep(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir, log: console.log, settings: SETTINGS });
  const client = new pg.Client({ connectionString: postgres.url });
  let lost = false;
  let asked = false;
  client.on('end', () => {
    lost = true;
  });
  client.on('error', () => {
    lost = true;
  });
  client.on('notification', () => {
    asked = true;
  });
  await client.connect();
  await client.query(`LISTEN ${KEEPER_CHANNEL}`);
  await dropForgotten(client);
  announce(dataDir, postgres.url);

  let usedAt = performance.now();
  while (!lost) {
    await sleep(asked ? 50 : LOOK_EVERY_MS);
    if (await inUse(client)) {
      usedAt = performance.now();
      asked = false;
    } else if (asked || performance.now() - usedAt > IDLE_LIMIT_MS) {
      // New clients can no longer find the server; a client that found it just before is seen now.
      rmSync(keeperFile(dataDir), { force: true });
      await sleep(100);
      if (!(await inUse(client))) break;
      announce(dataDir, postgres.url);
    }
  }
  await client.end().catch(() => {});
  await postgres.stop();
  discard(dataDir);
}

/** Moves the data away first: a keeper that starts now finds all of it or none. */
function discard(dataDir: string): void {
  const gone = join(dataDir, `gone-${process.pid}`);
  renameSync(join(dataDir, 'cluster'), gone);
  rmSync(gone, { recursive: true, force: true });
}

function announce(dataDir: string, url: string): void {
  const draft = `${keeperFile(dataDir)}.new`;
  writeFileSync(draft, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 });
  renameSync(draft, keeperFile(dataDir));
}

async function inUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client
    .query<{ used: boolean }>(
      `SELECT count(*) > 0 AS used FROM pg_stat_activity
       WHERE usename = current_user AND pid <> pg_backend_pid()`,
    )
    .catch(() => ({ rows: [] }));
  return rows[0]?.used === true;
}

/** Drops databases of killed test processes. One still in use refuses, and stays. */
async function dropForgotten(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^(test|template|building)_'`,
  );
  for (const { name } of rows) await client.query(`DROP DATABASE "${name}"`).catch(() => {});
}

const dataDir = process.argv[2];
try {
  if (dataDir) await keep(dataDir);
} catch (error) {
  // Most likely another keeper was quicker.
  if (!(error instanceof PostgresStartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
