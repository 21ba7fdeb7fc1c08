import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isUnavailable } from '../connection/unavailable.ts';
import type { Log } from '../log/log.ts';
import { errorCode, errorMessage } from '../values/thrown.ts';
import { ensureCluster, SERVICE, SUPERUSER } from './cluster.ts';
import {
  type DataFolder,
  DataFolderInUse,
  loginUrl,
  openDataFolder,
  overSocket,
  PostgresStartError,
  readSecret,
  SECRET_FILE,
} from './folder.ts';
import { type Embedded, openEmbedded } from './programs.ts';
import {
  cutServer,
  runningServer,
  type Server,
  type Settings,
  startServer,
  stopServer,
} from './server.ts';

export type PostgresOptions = {
  /** The folder of the data; created if missing. One process at a time may use it. */
  readonly dataDir: string;
  /** Receives the lines that an operator may want to know. */
  readonly log?: (line: string) => void;
  /** Receives the events of a server that ended without being stopped. */
  readonly report?: Log['report'];
  /** Settings in place of ours: of tests, and to measure their effect. */
  readonly settings?: Settings;
};

/** A running PostgreSQL. `url` logs in as the service's own role, which is no superuser. */
export type RunningPostgres = { readonly url: string; stop(): Promise<void> };

/** A server that ends again and again is started twice a second at most. */
const RESTART_PAUSE_MS = 500;
/** A killed owner's session ends soon, but not at once. */
const IN_USE_LIMIT_MS = 2_000;
const LOCK = 7_265_636_001;
const APPLICATION = 'recollect launcher';
/** The name of the session that has the lock. */
const OWNER = `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND datname = current_database()`;

/** The servers that this process keeps running, and must stop. */
const owned = new Set<Embedded>();

/** Stops the servers of this process immediately, without waiting: for a process that is forced to end. */
export function cutOwnPostgres(): void {
  for (const embedded of owned) void cutServer(embedded);
  owned.clear();
}

/**
 * Starts PostgreSQL on the data folder, or takes over the server that a killed process left running on it. A server that ends
 * before it is stopped is started again, at the same address. Throws PostgresStartError with one line that says why it could not
 * start; a server that it has started by then is stopped.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, log = () => {}, report = () => {}, settings = {} } = options;
  const embedded = openEmbedded(dataDir, log);
  await ensureCluster(embedded);
  const secret = readSecret(embedded);
  const left = runningServer(embedded.cluster)?.pid;
  let starting: Promise<unknown> = Promise.resolve();
  const begin = async (wanted: Settings): Promise<Server> => {
    const { server, session } = await startServer(embedded, wanted, async (server) => ({
      server,
      session: await own(embedded, server.port, secret),
    }));
    session.on('end', () => {
      if (owned.has(embedded)) starting = beginAgain(server);
    });
    return server;
  };
  const beginAgain = async ({ port }: Server): Promise<void> => {
    report('database.lost', { log_file: embedded.logFile });
    try {
      await sleep(RESTART_PAUSE_MS);
      if (owned.has(embedded)) await begin({ ...settings, port: `${port}` });
    } catch (error) {
      report('database.not_restarted', { err: error });
    }
  };
  const server = await begin(settings).catch(async (error: unknown) => {
    // A server that nobody owns would run on, and be in the way of the next start.
    if (left === undefined && !(error instanceof DataFolderInUse))
      await stopServer(embedded).catch(() => undefined);
    throw error;
  });
  if (server.pid === left)
    log(`PostgreSQL (process ${server.pid}) was still running and is used again`);
  owned.add(embedded);
  let stopping: Promise<void> | undefined;
  return {
    url: serviceUrl(embedded, server),
    stop: () => {
      owned.delete(embedded);
      // The lock ends with the server, so that no other process takes over a server that is stopping.
      stopping ??= starting.then(() => stopServer(embedded));
      return stopping;
    },
  };
}

/**
 * Opens the session that owns the server: while it lasts, only this process may use and stop the server. The lock belongs to the
 * session, so it ends with the process, however that ends. Throws PostgresStartError if another process has it, or if the server
 * rejects our password.
 */
async function own({ path, cluster }: Embedded, port: number, secret: string): Promise<pg.Client> {
  // Created here so that this session alone does not keep the process alive.
  const socket = new Socket();
  const session = new pg.Client({
    stream: () => socket,
    connectionString: loginUrl(SUPERUSER, 'postgres', port, secret),
    application_name: `${APPLICATION} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
    lock_timeout: IN_USE_LIMIT_MS,
  });
  session.on('error', () => {}); // only its end matters
  try {
    await session.connect();
    await session.query(`SELECT pg_advisory_lock(${LOCK})`).catch(async (error) => {
      if (errorCode(error) !== '55P03') throw error;
      const { rows } = await session.query<{ name: string }>(OWNER);
      const owner = rows[0]?.name.replace(APPLICATION, 'process') ?? 'another process';
      throw new DataFolderInUse(path, owner);
    });
    socket.unref();
    return session;
  } catch (error) {
    await session.end().catch(() => {});
    if (error instanceof PostgresStartError || isUnavailable(error)) throw error;
    throw new PostgresStartError(
      errorCode(error) === '28P01'
        ? `the database does not accept the password in ${join(cluster, SECRET_FILE)}: put back the one it was made with`
        : `the database does not let us in: ${errorMessage(error)}`,
    );
  }
}

/** Returns the URL of the PostgreSQL that another process runs on this data folder; null if none runs. */
export function runningPostgresUrl(dataDir: string): string | null {
  const folder = openDataFolder(dataDir);
  const server = runningServer(folder.cluster);
  return server?.ready ? serviceUrl(folder, server) : null;
}

/** Returns the connection string of the service's role: over the server's socket if it has one. */
function serviceUrl(folder: DataFolder, { port, hasSocket }: Server): string {
  const url = loginUrl(SERVICE, SERVICE, port, readSecret(folder));
  return hasSocket ? overSocket(url, folder.cluster) : url;
}
