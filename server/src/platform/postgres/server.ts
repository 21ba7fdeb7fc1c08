import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { probeFreePort } from '../free-port.ts';
import { commandAs } from './account.ts';
import { installedBinaries, program, type Runner } from './binaries.ts';
import { clusterAsSeenBy, lastError } from './cluster.ts';
import type { DataFolder } from './folder.ts';
import { goneWithin, type Postmaster } from './postmaster.ts';

/** A server process that was started and is not ready yet. */
export type Launch = {
  /** Whether the process has ended. */
  ended(): boolean;
  /** Why the server ended, from its log. */
  reason(): string;
};

/**
 * First a clean shutdown, with everything written; if that takes too long, an immediate one, which loses nothing committed.
 */
const STOPS = [
  ['SIGINT', 7_000],
  ['SIGQUIT', 2_000],
] as const;

/**
 * Settings for a machine that PostgreSQL shares with the service. Logs contain no row data: `terse` leaves out the details
 * that quote rows.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
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

/** For a server whose data need not survive a crash. */
const THROWAWAY = {
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

/** Starts the server process on a free loopback port; its output goes to the log file. `others`: settings in place of ours. */
export async function launchServer(
  folder: DataFolder,
  { account, binaries }: Runner,
  durable: boolean,
  others: Readonly<Record<string, string>> = {},
): Promise<Launch> {
  const chosen = { ...SETTINGS, ...(durable ? {} : THROWAWAY), ...others };
  const { port, close } = await probeFreePort();
  await close();
  const settings = { ...chosen, port };
  const { file, args, options } = commandAs(account, program(binaries, 'postgres'), [
    ...['-D', clusterAsSeenBy(account, folder.cluster)],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const logFrom = statSync(folder.logFile).size;
  const log = openSync(folder.logFile, 'a', 0o600);
  // Detached: Ctrl-C in a terminal must reach only the service, which then stops the server itself.
  const child = spawn(file, args, {
    ...options,
    cwd: folder.cluster,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failure: string | undefined;
  child.on('error', (error) => {
    failure = error.message;
  });
  const output = () => readFileSync(folder.logFile, 'utf8').slice(logFrom);
  return {
    ended: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    reason: () => failure ?? lastError(output()) ?? `it ended with ${child.exitCode}`,
  };
}

/** Stops the server, immediately if necessary. Throws if even that does not end it. */
export async function stopServer(cluster: string, { pid }: Postmaster): Promise<void> {
  for (const [name, limitMs] of STOPS) {
    signal(pid, name);
    if (await goneWithin(cluster, limitMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

/** Stops the server immediately without waiting: it recovers at its next start. */
export function cutServer({ pid }: Postmaster): void {
  signal(pid, 'SIGQUIT');
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    // Windows has no signals; there, PostgreSQL's own tool delivers them.
    if (process.platform === 'win32')
      execFileSync(program(installedBinaries(), 'pg_ctl'), ['kill', name.slice(3), String(pid)]);
    else process.kill(pid, name);
  } catch {
    // It has already ended; the wait that follows detects that.
  }
}
