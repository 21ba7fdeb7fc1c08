import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseRunner, type Runner } from './binaries.ts';
import { ensureCluster, SERVICE, SUPERUSER } from './cluster.ts';
import {
  causeOf,
  type DataFolder,
  loginUrl,
  openDataFolder,
  PostgresStartError,
  readSecret,
} from './folder.ts';
import { type Postmaster, runningPostmaster } from './postmaster.ts';
import { cutServer, type Launch, launchServer, stopServer } from './server.ts';

export type PostgresOptions = {
  /** The folder of the data; created if missing. One process at a time may use it. */
  readonly dataDir: string;
  /** Receives the lines that an operator may want to know. */
  readonly log?: (line: string) => void;
  /** For tests only: no fsync, faster, and a crash of the machine may destroy the data. */
  readonly throwaway?: boolean;
  /** Settings in place of ours, to measure their effect. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A running PostgreSQL. `url` logs in as the service's own role, which is no superuser. */
export type RunningPostgres = { readonly url: string; stop(): Promise<void> };

type Owned = { readonly postmaster: Postmaster; readonly session: pg.Client };

/** A start includes recovery after a crash, which may take long. */
const START_LIMIT_MS = 120_000;
/** A killed owner's session ends soon, but not at once. */
const TAKEN_LIMIT_MS = 2_000;
/** Reasons for the end of a new server process that justify another try. */
const PASSING =
  /still in use|already exists|could not (bind|create any TCP)|Is another postmaster/i;
const LAUNCH_LIMIT = 150;
const LOCK = 7_265_636_001;
const APPLICATION = 'recollect launcher';
/** Whether this session has the lock now, and the name of the oldest other session that wants it. */
const TRY_TO_LOCK = `SELECT pg_try_advisory_lock(${LOCK}) AS owned,
  (SELECT application_name FROM pg_stat_activity WHERE application_name LIKE '${APPLICATION} %'
   AND pid <> pg_backend_pid() ORDER BY backend_start LIMIT 1) AS other`;

/** The servers that this process must stop. */
const owned = new Set<Postmaster>();

/** Stops the servers of this process immediately, without waiting: for a process that is forced to end. */
export function cutOwnPostgres(): void {
  for (const postmaster of owned) cutServer(postmaster);
}

/**
 * Starts PostgreSQL on the data folder, or takes over the server that a killed process left running on it. Throws
 * PostgresStartError with one line that says why it could not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { log = () => {}, throwaway = false, settings } = options;
  const folder = openDataFolder(options.dataDir);
  const secret = readSecret(folder);
  const left = runningPostmaster(folder.cluster)?.pid;
  let runner: Runner | undefined;
  const { postmaster, session } = await own(folder, secret, async () => {
    runner ??= chooseRunner(folder, log);
    await ensureCluster(folder, runner, secret, !throwaway);
    return launchServer(folder, runner, !throwaway, settings);
  });
  if (postmaster.pid === left)
    log(`PostgreSQL (process ${left}) was still running and is used again`);
  owned.add(postmaster);
  let stopping: Promise<void> | undefined;
  session.on('end', () => {
    owned.delete(postmaster);
    if (!stopping) log(`PostgreSQL ended on its own: see ${folder.logFile}`);
  });
  const stop = async () => {
    // The lock ends with the server, so that no other process takes over a server that is stopping.
    await stopServer(folder.cluster, postmaster);
    await session.end().catch(() => {});
  };
  return {
    url: loginUrl(SERVICE, SERVICE, postmaster.port, secret),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Polls the current state and takes the next step, until this process owns a server. */
async function own(
  folder: DataFolder,
  secret: string,
  launch: () => Promise<Launch>,
): Promise<Owned> {
  const deadline = performance.now() + START_LIMIT_MS;
  let launched: Launch | undefined;
  let launches = 0;
  let takenSince: number | undefined;
  for (; performance.now() < deadline; await sleep(10)) {
    const postmaster = runningPostmaster(folder.cluster);
    if (postmaster?.ready) {
      const attempt = await tryToOwn(folder, postmaster.port, secret);
      if (attempt && 'session' in attempt) return { postmaster, session: attempt.session };
      if (!attempt) continue;
      takenSince ??= performance.now();
      if (performance.now() - takenSince > TAKEN_LIMIT_MS)
        throw new PostgresStartError(
          `the data folder ${folder.path} is in use by ${attempt.takenBy}: stop that first, or choose another folder`,
        );
      await sleep(100);
    } else if (!postmaster && launched?.ended() !== false) {
      if (launched) await waitOrRefuse(launched.reason(), launches, folder);
      launched = await launch();
      launches += 1;
    }
  }
  throw new PostgresStartError(
    `PostgreSQL was not ready after ${START_LIMIT_MS / 1000} s: see ${folder.logFile}`,
  );
}

/** The session that owns the server, or the owner's name; undefined while the server accepts no session. */
type Attempt = { readonly session: pg.Client } | { readonly takenBy: string } | undefined;

/**
 * Tries to become the owner of the running server: while the session lasts, only this process may use and stop the server.
 * The lock belongs to the session, so it ends with the process, however that ends. Throws PostgresStartError if the server
 * rejects our password.
 */
async function tryToOwn(folder: DataFolder, port: number, secret: string): Promise<Attempt> {
  // Created here so that this session alone does not keep the process alive.
  const socket = new Socket();
  const session = new pg.Client({
    stream: () => socket,
    connectionString: loginUrl(SUPERUSER, 'postgres', port, secret),
    application_name: `${APPLICATION} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  session.on('error', () => {}); // only its end matters
  try {
    await session.connect();
    const { rows } = await session.query<{ owned: boolean; other: string | null }>(TRY_TO_LOCK);
    socket.unref();
    if (rows[0]?.owned === true) return { session };
    await session.end();
    return { takenBy: rows[0]?.other?.replace(APPLICATION, 'process') ?? 'another process' };
  } catch (error) {
    await session.end().catch(() => {});
    if (causeOf(error) !== '28P01') return undefined;
    throw new PostgresStartError(
      `the database does not accept the password in ${folder.secretFile}: put back the one it was made with`,
    );
  }
}

/** Waits after a failed launch. Throws if another one would fail too. */
async function waitOrRefuse(reason: string, launches: number, folder: DataFolder): Promise<void> {
  if (!PASSING.test(reason) || launches >= LAUNCH_LIMIT)
    throw new PostgresStartError(
      `PostgreSQL does not start: ${reason} (more in ${folder.logFile})`,
    );
  await sleep(200);
}

/** Returns the URL of the PostgreSQL that another process runs on this data folder; null if none runs. */
export function runningPostgresUrl(dataDir: string): string | null {
  const folder = openDataFolder(dataDir);
  const postmaster = runningPostmaster(folder.cluster);
  if (postmaster?.ready !== true) return null;
  return loginUrl(SERVICE, SERVICE, postmaster.port, readSecret(folder));
}
