import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { commandAs } from './account.ts';
import { installedBinaries, program } from './binaries.ts';
import { clusterAsSeenBy, lastError, type Runner } from './cluster.ts';
import type { DataFolder } from './folder.ts';
import { goneWithin, type Postmaster } from './postmaster.ts';

/** A server process that was begun; it is not ready yet. */
export type Launch = {
  readonly pid: number | undefined;
  /** Whether the process has ended. */
  ended(): boolean;
  /** What the server's log says was wrong, after it ended. */
  reason(): string;
};

const FAST_LIMIT_MS = 7_000;
const IMMEDIATE_LIMIT_MS = 2_000;

/**
 * Settings for one machine that PostgreSQL shares with the service. Logs hold no row's contents:
 * `terse` leaves out the details that quote them.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
};

/** For a server whose data nobody will miss after a crash. */
const THROWAWAY: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  max_connections: '300',
};

/** Starts the server process on a free loopback port, its output going to the log file. */
export async function launchServer(
  folder: DataFolder,
  runner: Runner,
  durable: boolean,
): Promise<Launch> {
  const port = await freePort();
  const settings = { ...SETTINGS, ...(durable ? {} : THROWAWAY), port: String(port) };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const seen = clusterAsSeenBy(runner.account, folder.cluster);
  const command = commandAs(runner.account, program(runner.binaries, 'postgres'), [
    ...['-D', seen],
    ...args,
  ]);
  const logFrom = statSync(folder.logFile).size;
  const log = openSync(folder.logFile, 'a', 0o600);
  // Detached: Ctrl-C in a terminal must reach the service only, which then stops the server itself.
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: folder.cluster,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return describe(child, () => readFileSync(folder.logFile, 'utf8').slice(logFrom));
}

function describe(child: ChildProcess, output: () => string): Launch {
  let failure: string | undefined;
  child.on('error', (error) => {
    failure = error.message;
  });
  return {
    pid: child.pid,
    ended: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    reason: () => failure ?? lastError(output()) ?? `it ended with ${child.exitCode}`,
  };
}

/** A free port of the loopback address, never PostgreSQL's usual one. */
async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.on('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  const port = await promise;
  return port === 5432 ? freePort() : port;
}

/**
 * Stops the server in order: sessions are cut, everything is written. If that takes more than 7 s it is
 * stopped at once, which loses nothing that was committed. Throws when even that does not end it.
 */
export async function stopServer(cluster: string, postmaster: Postmaster): Promise<void> {
  signal(postmaster.pid, 'SIGINT');
  if (await goneWithin(cluster, FAST_LIMIT_MS)) return;
  signal(postmaster.pid, 'SIGQUIT');
  if (await goneWithin(cluster, IMMEDIATE_LIMIT_MS)) return;
  throw new Error(`PostgreSQL (process ${postmaster.pid}) does not stop`);
}

/** Stops the server at once and does not wait for it: it recovers at its next start. */
export function cutServer({ pid }: Postmaster): void {
  signal(pid, 'SIGQUIT');
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    // Windows has no signals; PostgreSQL there takes them through its own tool.
    if (process.platform === 'win32')
      execFileSync(program(installedBinaries(), 'pg_ctl'), ['kill', name.slice(3), String(pid)]);
    else process.kill(pid, name);
  } catch {
    // It has ended meanwhile; the wait that follows sees that.
  }
}
