import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, commandAs } from './account.ts';
import { program, type Runner } from './binaries.ts';
import { causeOf, type DataFolder, PostgresStartError, passwordOf } from './folder.ts';

/** The role and the database of the service. */
export const SERVICE = 'recollect';
/** The superuser; only the launcher logs in as it. */
export const SUPERUSER = 'postgres';

const INITDB_LIMIT_MS = 120_000;

/**
 * Returns how the account names the cluster when the cluster is its working folder. Another user may have no access to the
 * folders above it, but always has access to its working folder.
 */
export function clusterAsSeenBy(account: Account, cluster: string): string {
  const isWorkingFolder = account.kind !== 'self' && process.platform === 'linux';
  return isWorkingFolder ? '/proc/self/cwd' : cluster;
}

/**
 * Makes the cluster if there is none: `initdb`, then roles and database before anything listens. It is made beside its place
 * and renamed, so that a crash leaves no half-made cluster, and one of two concurrent first starts wins. Throws
 * PostgresStartError.
 */
export async function ensureCluster(
  folder: DataFolder,
  runner: Runner,
  secret: string,
  durable: boolean,
): Promise<void> {
  const draft = `${folder.cluster}.new-${randomUUID()}`;
  try {
    if (!existsSync(folder.cluster)) await makeCluster(draft, runner, secret, durable);
    if (!existsSync(folder.cluster)) renameSync(draft, folder.cluster);
  } catch (error) {
    if (!existsSync(folder.cluster))
      throw error instanceof PostgresStartError
        ? error
        : new PostgresStartError(`the database cannot be made in ${draft}: ${causeOf(error)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  await removeDrafts(folder);
  checkVersion(folder.cluster, runner);
  giveTo(runner.account, folder.cluster);
}

async function makeCluster(
  draft: string,
  runner: Runner,
  secret: string,
  durable: boolean,
): Promise<void> {
  mkdirSync(draft, { mode: 0o700 });
  giveTo(runner.account, draft);
  const seen = clusterAsSeenBy(runner.account, draft);
  await run(runner, draft, 'initdb', [
    ...['-D', seen, '-U', SUPERUSER, '-E', 'UTF8', '--no-instructions'],
    // Built into PostgreSQL: the same order everywhere, compared byte by byte, which costs half of what the system's own takes.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // All logins are rejected until the passwords are set, so none need to be passed in a file.
    '--auth=reject',
    ...(durable ? [] : ['--no-sync']),
  ]);
  const statements = [
    `ALTER ROLE ${SUPERUSER} PASSWORD '${passwordOf(SUPERUSER, secret)}'`,
    `CREATE ROLE ${SERVICE} LOGIN CREATEDB CREATEROLE PASSWORD '${passwordOf(SERVICE, secret)}'`,
    `CREATE DATABASE ${SERVICE} OWNER ${SERVICE}`,
  ];
  const single = ['--single', '-D', seen, '-c', 'exit_on_error=on', 'postgres'];
  await run(runner, draft, 'postgres', single, `${statements.join('\n')}\n`);
  // Overwritten, not replaced: the files stay the account's own.
  writeFileSync(join(draft, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  const comment = '# The launcher gives all settings at start; those written here add to them.\n';
  writeFileSync(join(draft, 'postgresql.conf'), comment);
}

/** Removes the drafts of crashed processes, and of other first starts: the cluster exists by now. */
async function removeDrafts({ path, cluster }: DataFolder): Promise<void> {
  for (const name of readdirSync(path))
    if (name.startsWith(`${basename(cluster)}.new-`))
      await rm(join(path, name), { recursive: true, force: true }).catch(() => {}); // still being written to
}

function checkVersion(cluster: string, { binaries }: Runner): void {
  const file = join(cluster, 'PG_VERSION');
  const major = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
  if (major !== binaries.major)
    throw new PostgresStartError(
      `the data in ${cluster} were made by PostgreSQL ${major || 'of an unknown version'} and this is ${binaries.major}: dump them with the old version and load them with the new, or choose another data folder`,
    );
}

/** Gives the files from root to the user that will run the server, unless that user owns them already. */
function giveTo(account: Account, folder: string): void {
  if (account.kind !== 'user' || statSync(folder).uid === account.uid) return;
  // The folder itself comes last: an interrupted hand-over starts again.
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  chownSync(folder, account.uid, account.gid);
}

/** Runs a program of PostgreSQL to its end in `folder`. Throws PostgresStartError with the line that explains the failure. */
async function run(
  { account, binaries }: Runner,
  folder: string,
  name: 'initdb' | 'postgres',
  args: string[],
  input = '',
): Promise<void> {
  const { file, args: all, options } = commandAs(account, program(binaries, name), args);
  const running = promisify(execFile)(file, all, {
    ...options,
    cwd: folder,
    timeout: INITDB_LIMIT_MS,
  });
  running.child.stdin?.on('error', () => {}).end(input);
  await running.catch((error: Error & { stdout?: string; stderr?: string }) => {
    const reason = lastError(`${error.stdout}\n${error.stderr}`) ?? causeOf(error);
    throw new PostgresStartError(`${name} failed: ${reason}`);
  });
}

/** Returns the line of PostgreSQL's output that explains the failure; undefined if there is no output. */
export function lastError(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => /(FATAL|PANIC|ERROR|error):/.test(line));
  return (errors.at(-1) ?? lines.at(-1))?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s+/, '').trim();
}
