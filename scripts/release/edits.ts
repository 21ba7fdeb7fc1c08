import { chartFiles } from '../checks/deployments/chart.ts';
import { cutChangelog, notesOf } from './changelog.ts';

/** Returns the text of a file of the project. */
export type Read = (path: string) => string;

export interface Release {
  version: string;
  /** `2026-12-01`. */
  date: string;
}

const CHANGELOG = 'CHANGELOG.md';
const LOCK = 'package-lock.json';
const VERSION = String.raw`\d+\.\d+\.\d+`;

/** Where files name the version besides the packages and the chart: what stands before it, which holds in every one of them. */
const NAMED: readonly (readonly [path: string, before: string])[] = [
  ['sdk/src/version.ts', "VERSION = '"],
  ['clients/python/src/recollect/api.py', 'VERSION = "'],
  ['clients/php/src/Api.php', "VERSION = '"],
  ['sdk/README.md', 'recollect-sdk-'],
  ['README.md', 'Recollect (?=\\d+\\.\\d+\\.\\d+ is ready)'],
  ['deploy/Dockerfile', 'ARG VERSION='],
  ['deploy/compose.yaml', 'image: recollect:'],
  ['deploy/kubernetes/kustomization.yaml', 'newTag: '],
  ['deploy/kubernetes/migrate.yaml', 'image: registry.example.com/recollect:'],
  ['docs/guides/install-in-production.md', '(?:recollect(?:-image)?[-:]|release -- )'],
  ['docs/guides/sandbox-for-initiators.md', 'recollect-sandbox-'],
];

/** Replaces the version wherever it stands behind a text. Throws if it stands nowhere. */
function renamed(read: Read, path: string, before: string, version: string): string {
  const pattern = new RegExp(`(${before})${VERSION}`, 'gm');
  const text = read(path);
  if (!pattern.test(text)) throw new Error(`${path} does not name the version`);
  return text.replace(pattern, `$1${version}`);
}

/** Returns a package.json with the version. */
const packaged = (read: Read, path: string, version: string): string =>
  renamed(read, path, '^ {2}"version": "', version);

/** Returns the lock file with the version of the project and of each workspace; every other byte stays as it is. */
function locked(text: string, workspaces: readonly string[], version: string): string {
  const entries = ['', ...workspaces].map((folder) => `    ${JSON.stringify(folder)}: {`);
  let inside = true;
  return text
    .split('\n')
    .map((line) => {
      if (/^ {4}"/.test(line)) inside = entries.includes(line);
      if (!inside || !/^( {2}| {6})"version": /.test(line)) return line;
      inside = false;
      return line.replace(new RegExp(VERSION), version);
    })
    .join('\n');
}

/** Returns the folders of the workspaces. */
const workspacesOf = (read: Read): readonly string[] =>
  (JSON.parse(read('package.json')) as { workspaces: string[] }).workspaces;

/**
 * Returns the files that a release changes, with their new text: the changelog is cut, and everything that names the version
 * names the new one. A version that the changelog has already is built as it stands: nothing is changed then.
 */
export function releaseEdits(read: Read, { version, date }: Release): Map<string, string> {
  if (notesOf(read(CHANGELOG), version) !== null) return new Map();
  const edits = new Map<string, string>();
  const workspaces = workspacesOf(read);
  edits.set(CHANGELOG, cutChangelog(read(CHANGELOG), version, date));
  edits.set(LOCK, locked(read(LOCK), workspaces, version));
  for (const folder of ['.', ...workspaces]) {
    const path = folder === '.' ? 'package.json' : `${folder}/package.json`;
    edits.set(path, packaged(read, path, version));
  }
  for (const [path, before] of NAMED) edits.set(path, renamed(read, path, before, version));
  const edited: Read = (path) => edits.get(path) ?? read(path);
  for (const [path, text] of chartFiles(edited, version)) edits.set(path, text);
  return new Map([...edits].filter(([path, text]) => text !== read(path)));
}

/** Throws an error that names the argument if it is no version that can follow `before`, which was released or is the first. */
export function refuseVersion(version: string, before: string, isBuiltAgain: boolean): void {
  if (!new RegExp(`^${VERSION}$`).test(version))
    throw new Error(`version: ${version} is not three numbers such as 1.2.3`);
  const order = compare(version, before);
  if (order < 0 || (order === 0 && !isBuiltAgain))
    throw new Error(`version: ${version} does not come after ${before}`);
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => one.split('.').map(Number));
  const differences = left?.map((number, i) => number - (right?.[i] ?? 0));
  return differences?.find((difference) => difference !== 0) ?? 0;
}
