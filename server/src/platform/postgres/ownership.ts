import { Socket } from 'node:net';
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { causeOf, PostgresStartError } from './error.ts';
import { type DataFolder, loginUrl } from './folder.ts';

const LOCK = 7_265_636_001;
const APPLICATION = 'recollect launcher';
/** Whether this session has the lock now, and the name of the oldest other session that wants it. */
const TRY_TO_LOCK = `SELECT pg_try_advisory_lock(${LOCK}) AS owned,
  (SELECT application_name FROM pg_stat_activity WHERE application_name LIKE '${APPLICATION} %'
   AND pid <> pg_backend_pid() ORDER BY backend_start LIMIT 1) AS other`;

/** The session that owns the server, or the owner's name; undefined while the server accepts no session. */
export type Attempt = { readonly session: pg.Client } | { readonly takenBy: string } | undefined;

/**
 * Tries to become the owner of the running server: while the session lasts, only this process may use and stop the server.
 * The lock belongs to the session, so it ends with the process, however that ends. Throws PostgresStartError if the server
 * rejects our password.
 */
export async function tryToOwn(folder: DataFolder, port: number, secret: string): Promise<Attempt> {
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
