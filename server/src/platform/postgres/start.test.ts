// Slow: starts and kills PostgreSQL itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../test-support/until.ts';
import { migrate } from '../db/migrate.ts';
import { PostgresStartError } from './folder.ts';
import { type RunningPostgres, startPostgres } from './start.ts';

const START = new URL('./start.ts', import.meta.url).href;

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** Returns the same login without the socket. */
function overLoopback(url: URL): URL {
  const other = new URL(url);
  other.searchParams.delete('host');
  return other;
}

/** A process that starts PostgreSQL, reports it, and stays until it is killed. */
async function launcherProcess(dataDir: string) {
  const script = `const { startPostgres } = await import(${JSON.stringify(START)});
    const { url } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const { promise, resolve } = Promise.withResolvers<string>();
  child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  const url = await promise;
  const exited = new Promise((done) => child.once('exit', done));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url, kill };
}

describe('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'recollect-postgres-'));
  const dataDir = join(home, 'data');
  let running: RunningPostgres | undefined;
  const start = async (log?: (line: string) => void) => {
    running = await startPostgres({ dataDir, ...(log ? { log } : {}) });
    return running;
  };
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };

  // The server outlives its launcher, which is right for the service and wrong for an aborted test.
  const abandon = async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
    process.exit(1);
  };

  before(async () => {
    process.once('SIGINT', abandon).once('SIGTERM', abandon);
    await start();
  });
  after(async () => {
    process.off('SIGINT', abandon).off('SIGTERM', abandon);
    await stop();
    rmSync(home, { recursive: true, force: true });
  });

  test('gives the service a role that is no superuser and may make roles and databases', async () => {
    const [role] = await ask(
      running?.url ?? '',
      `SELECT current_user::text AS name, current_database()::text AS database, rolsuper, rolcreaterole,
         rolcreatedb, current_setting('server_encoding') AS encoding
       FROM pg_roles WHERE rolname = current_user`,
    );
    assert.deepEqual(role, {
      name: 'recollect',
      database: 'recollect',
      rolsuper: false,
      rolcreaterole: true,
      rolcreatedb: true,
      encoding: 'UTF8',
    });
  });

  test('lets nobody in without the password, and listens on the loopback address only', async () => {
    const url = new URL(running?.url ?? '');
    assert.equal(url.hostname, '127.0.0.1');
    assert.notEqual(url.port, '5432');
    url.password = 'guess';
    for (const way of [url, overLoopback(url)])
      for (const role of ['recollect', 'postgres']) {
        way.username = role;
        await assert.rejects(ask(way.href, 'SELECT 1'), { code: '28P01' });
      }
  });

  test('leads the service over a socket that other users cannot reach, and lets tools in over loopback', async () => {
    const addressOf = async (url: URL) =>
      (await ask(url.href, 'SELECT host(inet_client_addr()) AS address'))[0];
    const url = new URL(running?.url ?? '');
    assert.deepEqual(await addressOf(url), { address: null });
    assert.deepEqual(await addressOf(overLoopback(url)), { address: '127.0.0.1' });
    assert.equal(statSync(url.searchParams.get('host') ?? '').mode & 0o077, 0);
  });

  test('opens its socket to the logins of a data folder that knew loopback alone', async () => {
    await stop();
    writeFileSync(
      join(dataDir, 'cluster/pg_hba.conf'),
      'host all all 127.0.0.1/32 scram-sha-256\n',
    );
    for (const _start of [1, 2]) {
      const { url } = await start();
      assert.deepEqual(await ask(url, 'SELECT inet_client_addr() AS address'), [{ address: null }]);
      await stop();
    }
    const logins = readFileSync(join(dataDir, 'cluster/pg_hba.conf'), 'utf8');
    assert.equal(logins.match(/^local /gm)?.length, 1);
    await start();
  });

  test('leaves nothing in its folder but the data and the log; the password is among the data, and only we can read', () => {
    const copies = /^recollect-postgres-/;
    const names = readdirSync(dataDir).filter((name) => !copies.test(name));
    assert.deepEqual(names.sort(), ['cluster', 'postgres.log']);
    if (process.platform !== 'win32')
      assert.equal(statSync(join(dataDir, 'cluster/recollect-password')).mode & 0o777, 0o600);
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    assert.equal(log.includes(new URL(running?.url ?? '').password), false);
  });

  test('lets the migrations, on a server that has never seen them, work as the role of the API', async () => {
    await migrate(running?.url ?? '');
    await ask(running?.url ?? '', 'SET ROLE recollect_api');
  });

  test('refuses a folder that is in use, and says by whom', async () => {
    await assert.rejects(startPostgres({ dataDir }), {
      name: 'PostgresStartError',
      message: new RegExp(`in use by process ${process.pid}`),
    });
    await ask(running?.url ?? '', 'SELECT 1');
  });

  test('keeps what was committed from one start to the next', async () => {
    await ask(running?.url ?? '', 'CREATE TABLE kept AS SELECT 7 AS n');
    await stop();
    const { url } = await start();
    assert.deepEqual(await ask(url, 'SELECT n FROM kept'), [{ n: 7 }]);
  });

  test('uses the server again that a killed process left running', async () => {
    await stop();
    const killed = await launcherProcess(dataDir);
    await killed.kill();
    const lines: string[] = [];
    const { url } = await start((line) => lines.push(line));
    assert.equal(url, killed.url);
    assert.match(lines.join('\n'), /still running and is used again/);
  });

  const killServer = (): void => {
    const pidFile = readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
  };

  test('is started again, at the same address, when it was killed', async () => {
    await stop();
    const reported: string[] = [];
    running = await startPostgres({ dataDir, report: (event) => void reported.push(event) });
    const { url } = running;
    for (const times of [1, 2]) {
      killServer();
      await until('the end is reported', () => reported.length === times);
      const isBack = () =>
        ask(url, `SELECT FROM kept JOIN pg_locks ON locktype = 'advisory' AND granted`).then(
          (rows) => rows.length === 1,
          () => false,
        );
      await until('the server is back, owned, and has what was committed', isBack);
    }
    assert.deepEqual(reported, ['database.lost', 'database.lost']);
  });

  test('is not started again when it was stopped, even right after it was killed', async () => {
    const killed = running?.url ?? '';
    killServer();
    await stop();
    await assert.rejects(ask(killed, 'SELECT 1'), { code: /ECONNREFUSED|ENOENT/ });
    const { url } = await start();
    assert.deepEqual(await ask(url, 'SELECT n FROM kept'), [{ n: 7 }]);
  });

  test('is not kept from starting by the number of a process that is now something else', async () => {
    await stop();
    for (const pid of [process.pid, 2 ** 22 - 1]) {
      const lines = [pid, dataDir, 1, 1, '', '127.0.0.1', '', 'ready', ''];
      writeFileSync(join(dataDir, 'cluster/postmaster.pid'), lines.join('\n'));
      await start();
      await stop();
    }
  });

  test('refuses data of another version of PostgreSQL', async () => {
    await stop();
    const file = join(dataDir, 'cluster/PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, '17\n');
    await assert.rejects(start(), { message: /made by PostgreSQL 17 and this is \d+/ });
    writeFileSync(file, version);
  });

  test('says that the password is missing rather than make another', async () => {
    const file = join(dataDir, 'cluster/recollect-password');
    const password = readFileSync(file, 'utf8');
    rmSync(file);
    await assert.rejects(start(), { message: /password is missing/ });
    writeFileSync(file, password, { mode: 0o600 });
  });

  test('says at once that the password is another one, and starts when it is put back', async () => {
    const file = join(dataDir, 'cluster/recollect-password');
    const password = readFileSync(file, 'utf8');
    writeFileSync(file, 'another\n');
    await assert.rejects(start(), { message: /does not accept the password in/ });
    assert.ok(!existsSync(join(dataDir, 'cluster/postmaster.pid')), 'it does not run on');
    writeFileSync(file, password);
    await ask((await start()).url, 'SELECT 1');
    await stop();
  });

  test('takes over a folder whose password lies beside the cluster', async () => {
    const beside = join(dataDir, 'password');
    renameSync(join(dataDir, 'cluster/recollect-password'), beside);
    await ask((await start()).url, 'SELECT 1');
    assert.equal(existsSync(beside), false);
    await stop();
  });
});

test('of several first starts at once on one folder, one gets it and the others are told', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'recollect-postgres-'));
  const starts = [1, 2, 3].map(() => startPostgres({ dataDir }));
  const ends = await Promise.allSettled(starts);
  const started = ends.filter((end) => end.status === 'fulfilled');
  try {
    assert.equal(started.length, 1);
    for (const end of ends)
      if (end.status === 'rejected') assert.match(String(end.reason), /is in use by process/);
  } finally {
    for (const end of started) await end.value.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a data folder that cannot be written is one clear line', async () => {
  const home = mkdtempSync(join(tmpdir(), 'recollect-postgres-'));
  writeFileSync(join(home, 'file'), '');
  await assert.rejects(startPostgres({ dataDir: join(home, 'file/data') }), (error) => {
    assert.ok(error instanceof PostgresStartError);
    assert.match(error.message, /^the data folder .* cannot be written: ENOTDIR$/);
    return true;
  });
  rmSync(home, { recursive: true });
});
