import { Socket } from 'node:net';
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { causeOf, PostgresStartError } from './error.ts';
import { type DataFolder, loginUrl } from './folder.ts';

/** The launcher's own session: while it lives, the server is this process's to use and to stop. */
export type Ownership = {
  /** Calls back once if the session ends before `release`: the server is gone. */
  onLoss(callback: () => void): void;
  release(): Promise<void>;
};

export type Attempt =
  | { readonly kind: 'owned'; readonly ownership: Ownership }
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'not ready' };

const LOCK = 7_265_636_001;
const APPLICATION = 'recollect launcher';

/**
 * Tries to become the owner of the running server. The lock is a session's, so it ends with the process
 * that holds it, however that dies. Throws PostgresStartError when the server refuses our password.
 */
export async function tryToOwn(folder: DataFolder, port: number, secret: string): Promise<Attempt> {
  // Made here so that this session alone does not keep the process alive.
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    connectionString: loginUrl(SUPERUSER, 'postgres', port, secret),
    application_name: `${APPLICATION} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  let lost = () => {};
  client.on('error', () => lost());
  client.on('end', () => lost());
  try {
    await client.connect();
    const owned = await lock(client);
    if (!owned) {
      const by = await holder(client);
      await client.end();
      return { kind: 'taken', by };
    }
  } catch (error) {
    await client.end().catch(() => {});
    if (causeOf(error) === '28P01')
      throw new PostgresStartError(
        `the database does not accept the password in ${folder.secretFile}: put back the one it was made with`,
      );
    return { kind: 'not ready' };
  }
  socket.unref();
  return {
    kind: 'owned',
    ownership: ownershipOf(client, (callback) => {
      lost = callback;
    }),
  };
}

function ownershipOf(client: pg.Client, whenLost: (callback: () => void) => void): Ownership {
  return {
    onLoss: (callback) => {
      let told = false;
      whenLost(() => {
        if (!told) callback();
        told = true;
      });
    },
    release: async () => {
      whenLost(() => {});
      await client.end().catch(() => {});
    },
  };
}

async function lock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ owned: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS owned',
    [LOCK],
  );
  return rows[0]?.owned === true;
}

/** Which process holds the lock, as text. */
async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
     WHERE application_name LIKE $1 AND pid <> pg_backend_pid()
     ORDER BY backend_start LIMIT 1`,
    [`${APPLICATION} %`],
  );
  return rows[0]?.name.replace(APPLICATION, 'process') ?? 'another process';
}
