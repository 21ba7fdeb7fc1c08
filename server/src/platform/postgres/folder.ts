import { createHmac } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { causeOf } from '../values/thrown.ts';

/** The embedded PostgreSQL cannot be started; the message is one line that says why and what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}

/** Where everything of one embedded PostgreSQL is kept. */
export type DataFolder = {
  readonly path: string;
  /** PostgreSQL's own files, owned by the account that runs it. */
  readonly cluster: string;
  readonly logFile: string;
};

/** In bytes: macOS takes the fewest. */
const LONGEST_SOCKET_PATH = 103;
const LOG_LIMIT_BYTES = 10_000_000;
/** The file in the cluster with the secret that the roles' passwords are derived from; mode 0600. */
export const SECRET_FILE = 'recollect-password';

/** Makes the data folder if it is missing. Throws PostgresStartError if it cannot be written. */
export function openDataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  const logFile = join(path, 'postgres.log');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
    appendFileSync(logFile, '', { mode: 0o600 });
  } catch (error) {
    throw new PostgresStartError(`the data folder ${path} cannot be written: ${causeOf(error)}`);
  }
  return { path, cluster: join(path, 'cluster'), logFile };
}

/** Another process has this data folder. */
export class DataFolderInUse extends PostgresStartError {
  constructor(path: string, owner: string) {
    super(
      `the data folder ${path} is in use by ${owner}: stop that first, or choose another folder`,
    );
  }
}

/** Reads the secret of the cluster. Throws PostgresStartError if it was lost. */
export function readSecret({ cluster }: DataFolder): string {
  const file = join(cluster, SECRET_FILE);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new PostgresStartError(
      `the file ${file} is missing or cannot be read (${causeOf(error)}), and nobody can log in to the database without it: put it back`,
    );
  }
}

/** Returns the password of a role: one password does not reveal another. */
export function passwordOf(role: string, secret: string): string {
  return createHmac('sha256', secret).update(role).digest('hex');
}

/**
 * What the client reads from `PGSSLMODE`, `PGOPTIONS` and `PGCLIENTENCODING` where its address leaves it open. A blank is an
 * option that says nothing; an empty text would be one that is left open.
 */
const EXPLICIT = 'sslmode=disable&client_encoding=UTF8&options=%20';

/** Returns a connection string for a role of the server on that port, whatever the environment says about servers of others. */
export function loginUrl(role: string, database: string, port: number, secret: string): string {
  return `postgresql://${role}:${passwordOf(role, secret)}@127.0.0.1:${port}/${database}?${EXPLICIT}`;
}

/**
 * Returns the connection string, led over the socket in the server's folder, which takes a fifth less of both sides' time for a
 * message than loopback does. Where the path is longer than a system takes, it stays as it is.
 */
export function overSocket(url: string, folder: string): string {
  const socket = `${folder}/.s.PGSQL.${new URL(url).port}`;
  if (Buffer.byteLength(socket) > LONGEST_SOCKET_PATH) return url;
  return `${url}${url.includes('?') ? '&' : '?'}host=${encodeURIComponent(folder)}`;
}
