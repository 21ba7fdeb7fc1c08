// Slow: starts whole programs.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { request } from 'undici';
import { until } from '../../server/test-support/until.ts';
import {
  type Env,
  environment,
  FREE_PORTS,
  hasEnded,
  MAIN,
  recollect,
  recollectAlone,
} from './recollect.ts';

let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-foreign-'));
});
afterEach(async () => {
  child?.kill('SIGTERM');
  await until('the service has ended', () => child === undefined || hasEnded(child));
  child = undefined;
  assert.ok(!isPostgresThere(), 'PostgreSQL does not run on');
  await rm(folder, { recursive: true, force: true });
});

const isPostgresThere = (): boolean =>
  existsSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'));

async function startWith(more: Env): Promise<string> {
  child = spawn(process.execPath, [MAIN, 'serve'], {
    env: environment({ ...FREE_PORTS, DATA_DIR: folder, ...more }),
    stdio: 'ignore',
  });
  const file = join(folder, 'sandbox.json');
  await until(
    'the service is ready',
    () => existsSync(file) || (child && hasEnded(child)) === true,
  );
  return (JSON.parse(readFileSync(file, 'utf8')) as { base_url: string }).base_url;
}

/** What people have in their shells for other servers, none of which is there. */
const FOREIGN: Env = {
  PGSSLMODE: 'require',
  PGOPTIONS: '-c default_transaction_read_only=on',
  PGHOST: '192.0.2.1',
  PGPORT: '1',
  PGUSER: 'nobody',
  PGPASSWORD: 'nothing',
  PGDATABASE: 'nowhere',
  PGCLIENTENCODING: 'LATIN1',
  PGSERVICE: 'other',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  ALL_PROXY: 'http://127.0.0.1:9',
  NODE_USE_ENV_PROXY: '1',
};

test('the service starts and works whatever the environment says about other servers', async () => {
  const baseUrl = await startWith(FOREIGN);
  await until('it is ready', async () => {
    const { statusCode, body } = await request(`${baseUrl}/readyz`);
    await body.dump();
    return statusCode === 200;
  });
  const env = { ...FREE_PORTS, DATA_DIR: folder, ...FOREIGN };
  const moved = await recollectAlone(env, 'sandbox', 'advance', 'P1D');
  assert.equal(moved.code, 0, moved.err);
});

test('a start that fails after the database is up stops the database', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await until('the port is taken', () => taken.listening);
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = { ...FREE_PORTS, DATA_DIR: folder, PORT: String(port) };
  const { code, err } = await recollect(env, 'serve');
  taken.close();
  assert.equal(code, 1);
  assert.match(err, /PORT/);
  assert.ok(!isPostgresThere());
});
