import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeFreePort } from '../network/free-port.ts';
import { PostgresStartError } from './folder.ts';
import { type Embedded, run } from './programs.ts';

/** What a server records about itself in `postmaster.pid`. `ready`: it takes queries. */
export type Server = {
  readonly pid: number;
  readonly port: number;
  readonly hasSocket: boolean;
  readonly ready: boolean;
};

/** Settings of PostgreSQL, by name. */
export type Settings = Readonly<Record<string, string>>;

/** A start includes recovery after a crash, which may take long. */
const START_LIMIT_S = 120;
/** Reasons for a failed start that justify another: its port was taken, or another server is starting, stopping or crashed. */
const PASSING = /still in use|already exists|could not (bind|create any TCP)/;

/**
 * Settings for a machine that PostgreSQL shares with the service. Logs contain no row data: `terse` leaves out the details
 * that quote rows.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // In the cluster's folder, which is closed to other users.
  unix_socket_directories: process.platform === 'win32' ? '' : '.',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // A page that changes for the first time after a checkpoint is logged whole: fewer checkpoints, less log.
  checkpoint_timeout: '15min',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
};

/** Parses `postmaster.pid`; undefined until its first line is written. */
export function parsePidFile(text: string): Server | undefined {
  const lines = text.split('\n');
  const number = (line = '') => Number.parseInt(line, 10) || 0;
  const [pid, port] = [number(lines[0]), number(lines[3])];
  const ready = /^(ready|standby)/.test(lines[7] ?? '');
  return pid > 0 ? { pid, port, hasSocket: Boolean(lines[4]), ready } : undefined;
}

/**
 * Returns the server that runs on the cluster, or undefined. After a crash the file may name a process that has ended, which
 * PostgreSQL handles itself, or an unrelated one: then we remove the file.
 */
export function runningServer(cluster: string): Server | undefined {
  const file = join(cluster, 'postmaster.pid');
  try {
    const server = parsePidFile(readFileSync(file, 'utf8'));
    if (server) process.kill(server.pid, 0); // throws if it has ended, or belongs to another user
    if (!server || !isUnrelated(server.pid, cluster)) return server;
    rmSync(file);
  } catch {
    // None runs.
  }
  return undefined;
}

/** Whether a process is no server of the cluster: by its working folder, which only Linux shows, or else by its name. */
function isUnrelated(pid: number, cluster: string): boolean {
  if (process.platform === 'win32') return false;
  if (process.platform !== 'linux')
    return !execFileSync('ps', ['-p', `${pid}`, '-o', 'comm=']).includes('postgres');
  const its = statSync(`/proc/${pid}/cwd`, { throwIfNoEntry: false });
  const ours = statSync(cluster);
  return its?.ino !== ours.ino || its.dev !== ours.dev;
}

/**
 * Logs in to the server of the cluster, started on a free loopback port if none runs: tries until `logIn` succeeds. Throws
 * PostgresStartError. `settings`: in place of ours.
 */
export async function startServer<T>(
  embedded: Embedded,
  settings: Settings,
  logIn: (server: Server) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + START_LIMIT_S * 1000;
  for (; performance.now() < deadline; await sleep(100))
    try {
      if (!runningServer(embedded.cluster)) await launch(embedded, settings);
      const server = runningServer(embedded.cluster);
      if (server?.ready) return await logIn(server);
    } catch (error) {
      if (error instanceof PostgresStartError && !PASSING.test(error.message)) throw error;
    }
  throw new PostgresStartError(
    `PostgreSQL was not ready after ${START_LIMIT_S} s: see ${embedded.logFile}`,
  );
}

/** Starts the server, on a free port unless the settings name one, and waits until it is ready. */
async function launch(embedded: Embedded, settings: Settings): Promise<void> {
  const { port, close } = await probeFreePort();
  await close();
  const options = Object.entries({ ...SETTINGS, port, ...settings })
    .map(([name, value]) => `-c "${name}=${value}"`)
    .join(' ');
  await run(embedded, 'pg_ctl', ['start', '-s', '-t', `${START_LIMIT_S}`, '-o', options]);
}

/** Stops the server, immediately if necessary. Throws if even that does not end it. */
export async function stopServer(embedded: Embedded): Promise<void> {
  const args = ['stop', '-s', '-m', 'fast', '-t', '7'];
  await run(embedded, 'pg_ctl', args).catch(() => cutServer(embedded));
  if (runningServer(embedded.cluster))
    throw new Error(`PostgreSQL does not stop: see ${embedded.logFile}`);
}

/** Stops the server immediately: nothing committed is lost, and it recovers at its next start. */
export async function cutServer(embedded: Embedded): Promise<void> {
  const args = ['stop', '-s', '-m', 'immediate', '-t', '2'];
  await run(embedded, 'pg_ctl', args).catch(() => {}); // it may have ended
}
