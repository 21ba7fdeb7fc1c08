// Slow: starts and stops whole programs.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { until } from '../../server/test-support/until.ts';
import { type Env, environment, FREE_PORTS, hasEnded, isRunning, MAIN } from './recollect.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STOP_WITHIN_MS = 25_000;
/** File descriptors that the service may open for itself meanwhile. */
const SPARE_FILES = 20;

let folder: string;
const children: ChildProcess[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-stopping-'));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const child of children.splice(0)) if (!hasEnded(child)) child.kill('SIGKILL');
  const pid = postgresPid();
  if (pid !== null) process.kill(pid, 'SIGQUIT');
  await until('PostgreSQL has ended', () => postgresPid() === null);
  await rm(folder, { recursive: true, force: true });
});

const env = (more: Env = {}): Env => ({ ...FREE_PORTS, DATA_DIR: folder, ...more });

/** Returns the process id of the embedded PostgreSQL; null if none runs. */
function postgresPid(): number | null {
  try {
    const file = join(folder, 'postgres', 'cluster', 'postmaster.pid');
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return isRunning(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Waits until a started service is ready; returns its port. */
async function start(child: ChildProcess, isItself = true): Promise<number> {
  children.push(child);
  const file = join(folder, 'sandbox.json');
  await until('the service is ready', () => existsSync(file) || (isItself && hasEnded(child)));
  const { base_url: baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as { base_url: string };
  await until('it answers', () => isUp(baseUrl));
  return Number(new URL(baseUrl).port);
}

const serve = (more: Env = {}): ChildProcess =>
  spawn(process.execPath, [MAIN, 'serve'], { env: environment(env(more)), stdio: 'ignore' });

async function isUp(baseUrl: string): Promise<boolean> {
  try {
    // If kept open, the connection would be counted among those under test.
    const { statusCode, body } = await request(`${baseUrl}/readyz`, { reset: true });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}

/** Opens connections and sends the same text on each; sends nothing else, and closes none. */
async function halfOpen(port: number, count: number, said: string): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    if (said !== '') socket.write(said);
    return socket;
  });
  sockets.push(...opened);
  await sleep(500);
  return opened;
}

const HALF_HEADERS = 'POST /api/v1/schedules HTTP/1.1\r\nHost: x\r\nContent-Type: appl';
const HALF_BODY =
  'POST /api/v1/schedules HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer rk_test_x\r\n' +
  'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"amount"';

test('a stop does not wait for requests that never end: headers, bodies, and idle connections', async () => {
  const child = serve();
  const port = await start(child);
  await halfOpen(port, 100, HALF_HEADERS);
  await halfOpen(port, 50, HALF_BODY);
  await halfOpen(port, 25, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await halfOpen(port, 25, '');
  const asked = performance.now();
  child.kill('SIGTERM');
  await until('it has ended', () => hasEnded(child), STOP_WITHIN_MS);
  assert.ok(performance.now() - asked < STOP_WITHIN_MS);
  assert.equal(child.exitCode, 0);
  assert.equal(postgresPid(), null);
});

test('a connection whose request does not arrive in time is destroyed, whatever the other side does', async () => {
  const child = serve();
  const port = await start(child);
  const open = (): number => readdirSync(`/proc/${child.pid}/fd`).length;
  const before = open() + SPARE_FILES;
  await halfOpen(port, 100, HALF_HEADERS);
  await halfOpen(port, 100, '');
  await until('more than a hundred are open', () => open() > before + 100);
  await until('late headers are given up', () => open() <= before, 20_000);
  await halfOpen(port, 100, HALF_BODY);
  assert.ok(open() > before);
  await until('late bodies are given up', () => open() <= before, 45_000);
});

test('connections are capped, and a further one is closed', async () => {
  const child = serve({ MAX_CONNECTIONS: '40' });
  const port = await start(child);
  const opened = await halfOpen(port, 60, '');
  await sleep(500);
  const closed = opened.filter((socket) => socket.readableEnded || socket.destroyed).length;
  assert.ok(closed >= 20, `${closed} of 60 were closed`);
});

test('SIGTERM to npm start stops the service, its partners and PostgreSQL', async () => {
  const child = spawn('npm', ['start'], { cwd: ROOT, env: environment(env()), stdio: 'ignore' });
  const port = await start(child);
  const postgres = postgresPid();
  assert.notEqual(postgres, null);
  child.kill('SIGTERM');
  await until('PostgreSQL has ended', () => postgresPid() === null, STOP_WITHIN_MS);
  await until('the port is free', async () => !(await isUp(`http://127.0.0.1:${port}`)));
});

test('a killed npm takes the service with it', async () => {
  const child = spawn('npm', ['start'], { cwd: ROOT, env: environment(env()), stdio: 'ignore' });
  await start(child);
  child.kill('SIGKILL');
  await until('PostgreSQL has ended', () => postgresPid() === null, STOP_WITHIN_MS);
});

test('a service that was put into the background goes on when who started it has ended', async () => {
  const command = `nohup ${process.execPath} ${MAIN} serve >/dev/null 2>&1 & echo $!`;
  const script = 'nohup node server/src/main.ts serve &';
  const vars = env({ npm_lifecycle_script: script, npm_lifecycle_event: 'daemon' });
  const shell = spawn('sh', ['-c', command], {
    env: environment(vars),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let said = '';
  shell.stdout.on('data', (data) => {
    said += data;
  });
  const port = await start(shell, false);
  const pid = Number(said);
  try {
    await sleep(2_000);
    process.kill(pid, 'SIGHUP'); // the terminal from which it was started is closed
    await sleep(1_000);
    assert.ok(isRunning(pid));
    assert.ok(await isUp(`http://127.0.0.1:${port}`));
  } finally {
    process.kill(pid, 'SIGTERM');
  }
  await until('it has ended', () => !isRunning(pid), STOP_WITHIN_MS);
  assert.equal(postgresPid(), null);
});

for (const [how, command] of [
  ['starts with a screen', 'start'],
  ['logs each request', 'serve'],
] as const)
  test(`a service that ${how} and has lost its reader goes on, and ends on SIGTERM with PostgreSQL`, async () => {
    const child = spawn(process.execPath, [MAIN, command], {
      env: environment(env()),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => {
      child.stdout.destroy();
      child.stderr.destroy();
    });
    const port = await start(child);
    for (let n = 0; n < 20; n++) assert.ok(await isUp(`http://127.0.0.1:${port}`));
    child.kill('SIGTERM');
    await until('it has ended', () => hasEnded(child), STOP_WITHIN_MS);
    assert.equal(child.exitCode, 0);
    assert.equal(postgresPid(), null);
  });
