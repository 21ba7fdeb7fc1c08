import { spawn } from 'node:child_process';
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
import { basename, join } from 'node:path';
import { type Account, commandAs } from './account.ts';
import { type Binaries, program } from './binaries.ts';
import { causeOf, PostgresStartError } from './error.ts';
import { type DataFolder, passwordOf } from './folder.ts';

/** The role and the database of the service. */
export const SERVICE = 'recollect';
/** The superuser; only the launcher logs in as it. */
export const SUPERUSER = 'postgres';

const SETTINGS_FILE = 'postgresql.conf';
const INITDB_LIMIT_MS = 120_000;

/** The drafts that this process is making. */
const drafts = new Set<string>();

/** What a cluster is made and run with. */
export type Runner = { readonly account: Account; readonly binaries: Binaries };

/**
 * How the account names the cluster when its working folder is the cluster. Another user than ours may
 * have no way through the folders above it, but always has one to where it stands.
 */
export function clusterAsSeenBy(account: Account, cluster: string): string {
  const standing = account.kind !== 'self' && process.platform === 'linux';
  return standing ? '/proc/self/cwd' : cluster;
}

/**
 * Makes the cluster where there is none: `initdb`, then roles and database before anything listens. It
 * is made beside its place and renamed, so that a crash leaves none by half and of two first starts
 * one wins. Throws PostgresStartError.
 */
export async function ensureCluster(
  folder: DataFolder,
  runner: Runner,
  secret: string,
  durable: boolean,
): Promise<void> {
  removeAbandonedDrafts(folder);
  if (existsSync(folder.cluster)) return checkExisting(folder.cluster, runner);
  const draft = `${folder.cluster}.new-${process.pid}-${randomUUID()}`;
  drafts.add(draft);
  try {
    mkdirSync(draft, { mode: 0o700 });
    giveTo(runner.account, draft);
    await initialise(draft, runner, durable);
    await createServiceRole(draft, runner, secret);
    renameSync(draft, folder.cluster);
  } catch (error) {
    const lostTheRace = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(causeOf(error));
    if (lostTheRace && existsSync(folder.cluster)) return;
    if (error instanceof PostgresStartError) throw error;
    throw new PostgresStartError(`the database cannot be made in ${draft}: ${causeOf(error)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    drafts.delete(draft);
  }
}

function checkExisting(cluster: string, { account, binaries }: Runner): void {
  const major = Number.parseInt(readVersion(cluster), 10);
  if (major !== binaries.major)
    throw new PostgresStartError(
      `the data in ${cluster} were made by PostgreSQL ${major || 'of an unknown version'} and this is ${binaries.major}: dump them with the old version and load them with the new, or choose another data folder`,
    );
  giveTo(account, cluster);
}

function readVersion(cluster: string): string {
  try {
    return readFileSync(join(cluster, 'PG_VERSION'), 'utf8');
  } catch {
    return '';
  }
}

/** Root hands the files to the user that will run the server, unless they are that user's already. */
function giveTo(account: Account, folder: string): void {
  if (account.kind !== 'user' || statSync(folder).uid === account.uid) return;
  // The folder itself comes last: a hand-over that was cut short is begun again.
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  chownSync(folder, account.uid, account.gid);
}

/** Drafts of processes that died while they made one. */
function removeAbandonedDrafts(folder: DataFolder): void {
  const prefix = `${basename(folder.cluster)}.new-`;
  for (const name of readdirSync(folder.path)) {
    const draft = join(folder.path, name);
    if (!name.startsWith(prefix) || drafts.has(draft)) continue;
    const maker = Number.parseInt(name.slice(prefix.length), 10);
    if (maker === process.pid || !isProcess(maker)) rmSync(draft, { recursive: true, force: true });
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return causeOf(error) === 'EPERM';
  }
}

async function initialise(draft: string, runner: Runner, durable: boolean): Promise<void> {
  const seen = clusterAsSeenBy(runner.account, draft);
  await run(runner, draft, 'initdb', [
    ...['-D', seen, '-U', SUPERUSER, '-E', 'UTF8', '--no-instructions'],
    // The systems without this locale have it built into PostgreSQL.
    ...(process.platform === 'linux'
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
    // Nobody gets in until the passwords are set, so none need be handed over in a file.
    '--auth=reject',
    ...(durable ? [] : ['--no-sync']),
  ]);
}

async function createServiceRole(draft: string, runner: Runner, secret: string): Promise<void> {
  const seen = clusterAsSeenBy(runner.account, draft);
  const statements = [
    `ALTER ROLE ${SUPERUSER} PASSWORD '${passwordOf(SUPERUSER, secret)}'`,
    `CREATE ROLE ${SERVICE} LOGIN CREATEDB CREATEROLE PASSWORD '${passwordOf(SERVICE, secret)}'`,
    `CREATE DATABASE ${SERVICE} OWNER ${SERVICE}`,
  ];
  const single = ['--single', '-D', seen, '-c', 'exit_on_error=on', 'postgres'];
  await run(runner, draft, 'postgres', single, `${statements.join('\n')}\n`);
  // Written over, not replaced: the file stays the account's own.
  writeFileSync(join(draft, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  writeFileSync(
    join(draft, SETTINGS_FILE),
    '# The launcher gives all settings at start; those written here add to them.\n',
  );
}

/** Runs a program of PostgreSQL to its end in `folder`. Throws PostgresStartError with its last line. */
async function run(
  runner: Runner,
  folder: string,
  name: 'initdb' | 'postgres',
  args: string[],
  input = '',
): Promise<void> {
  const command = commandAs(runner.account, program(runner.binaries, name), args);
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: folder,
    timeout: INITDB_LIMIT_MS,
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  child.on('error', reject);
  child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  const end = await promise;
  if (end !== 0)
    throw new PostgresStartError(
      `${name} failed (${end}): ${lastError(output) ?? 'it said nothing'}`,
    );
}

/** The line of PostgreSQL's output that says what was wrong; undefined when there is no output. */
export function lastError(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /(FATAL|PANIC|ERROR|error):/.test(line));
  return (telling.at(-1) ?? lines.at(-1))?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s+/, '').trim();
}
