import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PostgresStartError, passwordOf, SECRET_FILE } from './folder.ts';
import { type Embedded, run } from './programs.ts';

/** The role and the database of the service. */
export const SERVICE = 'recollect';
/** The superuser; only the launcher logs in as it. */
export const SUPERUSER = 'postgres';
const LOGINS_FILE = 'pg_hba.conf';
const SOCKET_LOGINS = 'local all all scram-sha-256\n';

/** Makes the cluster if there is none. Throws PostgresStartError, also if our version of PostgreSQL cannot read it. */
export async function ensureCluster(embedded: Embedded): Promise<void> {
  const { cluster, binaries } = embedded;
  if (!existsSync(cluster)) await makeCluster(embedded);
  moveOldPassword(embedded);
  allowSocket(embedded);
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const ours = `${Number.parseInt(binaries.version, 10)}`;
  if (made !== ours)
    throw new PostgresStartError(
      `the data in ${cluster} were made by PostgreSQL ${made} and this is ${ours}: dump them with the old version and load them with the new, or choose another data folder`,
    );
  if (statSync(cluster).uid === 0) changeOwner(embedded);
}

/** Moves the password of an older data folder, which lies beside its cluster, into it. */
function moveOldPassword({ path, cluster }: Embedded): void {
  const beside = join(path, 'password');
  const file = join(cluster, SECRET_FILE);
  if (existsSync(file) || !existsSync(beside)) return;
  const { uid, gid } = statSync(cluster);
  renameSync(beside, file);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Lets those log in over the socket whom the folder of an older release lets in over loopback alone. */
function allowSocket({ cluster }: Embedded): void {
  const file = join(cluster, LOGINS_FILE);
  if (!/^local /m.test(readFileSync(file, 'utf8'))) appendFileSync(file, SOCKET_LOGINS);
}

/**
 * Makes the cluster beside its place and renames it, so that a crash leaves no half-made one, and one of two concurrent first
 * starts wins.
 */
async function makeCluster(embedded: Embedded): Promise<void> {
  const { path, cluster } = embedded;
  const drafts = `${basename(cluster)}.new-`;
  const draft = mkdtempSync(join(path, drafts));
  try {
    await fillCluster({ ...embedded, cluster: draft });
    renameSync(draft, cluster);
  } catch (error) {
    if (!existsSync(cluster)) throw error;
  } finally {
    // Those of crashed processes too, and of other first starts, which may still be written to.
    for (const name of readdirSync(path).filter((one) => one.startsWith(drafts)))
      await rm(join(path, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Runs `initdb`, then makes roles and database before anything listens. */
async function fillCluster(draft: Embedded): Promise<void> {
  changeOwner(draft);
  await run(draft, 'initdb', [
    ...['-U', SUPERUSER, '-E', 'UTF8', '--no-instructions'],
    // Built into PostgreSQL: the same order everywhere, compared byte by byte, which costs half of what the system's own takes.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // All logins are rejected until the passwords are set, so none need to be passed in a file.
    '--auth=reject',
  ]);
  const secret = randomBytes(32).toString('hex');
  const statements = [
    `ALTER ROLE ${SUPERUSER} PASSWORD '${passwordOf(SUPERUSER, secret)}'`,
    `CREATE ROLE ${SERVICE} LOGIN CREATEDB CREATEROLE PASSWORD '${passwordOf(SERVICE, secret)}'`,
    `CREATE DATABASE ${SERVICE} OWNER ${SERVICE}`,
  ];
  // A statement that fails is not logged: it has a password.
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  await run(draft, 'postgres', ['--single', ...settings, 'postgres'], statements.join('\n'));
  const files = {
    [SECRET_FILE]: secret,
    [LOGINS_FILE]: `host all all 127.0.0.1/32 scram-sha-256\n${SOCKET_LOGINS}`,
    'postgresql.conf':
      '# The launcher gives all settings at start; those written here add to them.',
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(draft.cluster, name), `${text}\n`, { mode: 0o600 });
  changeOwner(draft);
}

/** Gives root's files to another user that runs the server. The folder itself comes last: if interrupted, it starts again. */
function changeOwner({ account, cluster }: Embedded): void {
  if (account.kind !== 'user') return;
  for (const entry of readdirSync(cluster, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  chownSync(cluster, account.uid, account.gid);
}
