import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { causeOf, PostgresStartError } from './error.ts';

/** Where everything of one embedded PostgreSQL lies. */
export type DataFolder = {
  readonly path: string;
  /** PostgreSQL's own files, owned by the account that runs it. */
  readonly cluster: string;
  readonly logFile: string;
  /** One line that the roles' passwords are derived from; mode 0600. */
  readonly secretFile: string;
};

const LOG_LIMIT_BYTES = 10_000_000;

/** Makes the data folder where it is missing. Throws PostgresStartError when it cannot be written. */
export function openDataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  const logFile = join(path, 'postgres.log');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
    closeSync(openSync(logFile, 'a', 0o600));
  } catch (error) {
    throw new PostgresStartError(`the data folder ${path} cannot be written: ${causeOf(error)}`);
  }
  return { path, cluster: join(path, 'cluster'), logFile, secretFile: join(path, 'password') };
}

/**
 * The secret of this data folder, made at the first start. Two first starts at once end with the same
 * one: the file appears whole or not at all. Throws PostgresStartError when it was lost.
 */
export function readSecret(folder: DataFolder): string {
  if (!existsSync(folder.secretFile)) {
    if (existsSync(folder.cluster))
      throw new PostgresStartError(
        `the file ${folder.secretFile} is missing, without which nobody can log in to the database beside it: put it back`,
      );
    makeSecret(folder);
  }
  try {
    return readFileSync(folder.secretFile, 'utf8').trim();
  } catch (error) {
    throw new PostgresStartError(`${folder.secretFile} cannot be read: ${causeOf(error)}`);
  }
}

function makeSecret(folder: DataFolder): void {
  const draft = `${folder.secretFile}.new-${process.pid}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    linkSync(draft, folder.secretFile);
  } catch (error) {
    if (causeOf(error) !== 'EEXIST')
      throw new PostgresStartError(`${folder.secretFile} cannot be written: ${causeOf(error)}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The password of a role: knowing one does not help to another. */
export function passwordOf(role: string, secret: string): string {
  return createHmac('sha256', secret).update(role).digest('hex');
}

/** A connection string for a role of the server on that port. */
export function loginUrl(role: string, database: string, port: number, secret: string): string {
  return `postgresql://${role}:${passwordOf(role, secret)}@127.0.0.1:${port}/${database}`;
}
