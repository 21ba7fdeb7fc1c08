import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Entry } from './archive.ts';
import { isLoaded } from './contents.ts';
import type { Documents } from './documents.ts';
import type { Tracked } from './git.ts';
import type { Carried } from './packages.ts';

/** Where the artefacts are made from: the tracked files with the release's edits, beside the packages that are installed. */
export interface Stage {
  /** The checkout, with its packages. */
  root: string;
  /** The copy that is built in. */
  folder: string;
  files: readonly Tracked[];
}

/** Fills a folder with the tracked files, the edits in their place, and builds the dashboard and the SDK there. */
export function fillStage({ root, folder, files }: Stage, edits: ReadonlyMap<string, string>) {
  for (const { path, isExecutable } of files) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    const edited = edits.get(path);
    if (edited === undefined) copyFileSync(join(root, path), to);
    else writeFileSync(to, edited);
    chmodSync(to, isExecutable ? 0o755 : 0o644);
  }
  linkPackages(root, folder);
  for (const script of ['scripts/build-dashboard.ts', 'sdk/scripts/build.ts'])
    execFileSync(process.execPath, [join(folder, script)], { cwd: folder, stdio: 'pipe' });
}

/** Returns the documents of the API, from a service that is started in the stage. */
export function stagedDocuments({ folder }: Stage): Documents {
  const args = [join(folder, 'scripts/release/documents.ts')];
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync(process.execPath, args, options)) as Documents;
}

/** Links the installed packages into the stage. Our own workspaces are those of the stage. */
function linkPackages(root: string, folder: string): void {
  const from = join(root, 'node_modules');
  const to = join(folder, 'node_modules');
  mkdirSync(to);
  for (const name of readdirSync(from).filter((one) => one !== '.cache' && one !== '@recollect'))
    symlinkSync(join(from, name), join(to, name));
  mkdirSync(join(to, '@recollect'));
  for (const name of ['sdk', 'server', 'dashboard', 'sandbox']) {
    symlinkSync(`../../${name}`, join(to, '@recollect', name));
    const own = join(root, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, name, 'node_modules'));
  }
}

/** Returns the tracked files of the stage that belong to an artefact. */
export function stagedEntries(
  { folder, files }: Stage,
  belongs: (path: string) => boolean,
): Entry[] {
  return files
    .filter(({ path }) => belongs(path))
    .map(({ path, isExecutable }) => ({
      path,
      isExecutable,
      content: readFileSync(join(folder, path)),
    }));
}

/** Returns every file below a folder of the stage, under another name in the artefact. */
export function builtEntries({ folder }: Stage, from: string, to: string): Entry[] {
  return filesBelow(join(folder, from)).map((path) => ({
    path: to === '' ? path : `${to}/${path}`,
    content: readFileSync(join(folder, from, path)),
  }));
}

/** Returns the files of installed packages that Node loads. Throws if one is not installed as the lock file has it. */
export function packageEntries({ root }: Stage, packages: readonly Carried[]): Entry[] {
  return packages
    .filter(({ path }) => path.includes('node_modules/'))
    .flatMap(({ path, version }) => {
      refuseOther(join(root, path), version);
      return filesBelow(join(root, path))
        .filter((file) => !file.startsWith('node_modules/') && isLoaded(file))
        .map((file) => ({
          path: `${path}/${file}`,
          content: readFileSync(join(root, path, file)),
        }));
    });
}

function refuseOther(folder: string, version: string): void {
  const file = join(folder, 'package.json');
  const installed = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    : 'not there';
  if (installed !== version)
    throw new Error(`${folder} is ${installed}, and package-lock.json has ${version}: run npm ci`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
