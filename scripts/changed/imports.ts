import { posix } from 'node:path';
import type { SourceFile } from '../checks/files.ts';

/** For each file, the files that it needs to run. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Types alone are left to the compiler: no test runs differently because of them. */
const OF_TYPES = /^(?:import|export) type [^;'"]*from ['"][^'"]*['"];/gm;
/** A path to another file: an import, or the address of a program, a page, a fixture. */
const PATH = /\b(?:from|import|import\(|new URL\()\s*['"`](\.{1,2}\/[^'"`\n$]+[.]\w+)['"`]/g;
const WORKSPACE = /from ['"](@recollect\/\w+)['"]/g;

const WORKSPACES: Readonly<Record<string, string>> = { '@recollect/sdk': 'sdk/src/index.ts' };

/** What runs without being imported: a browser opens the pages that were built. */
const OPENED: Readonly<Record<string, readonly string[]>> = {
  'test/browser/dashboard.ts': ['dashboard/src/main.tsx'],
  'test/browser/console-page.ts': ['dashboard/src/console/main.tsx'],
};

/** What is read as a folder, and by whom. */
const READ: ReadonlyArray<readonly [reader: string, read: RegExp]> = [
  ['server/test-support/documents.ts', /^(README|docs\/.*)[.]md$/],
  ['server/src/platform/db/migrate.ts', /^server\/migrations\//],
];

/**
 * Returns what each TypeScript file of the tree imports or names by its path. Read from the text, where every import has its
 * extension: a second instead of the half minute of a parser. `withTypes` counts what is imported for its types alone too.
 */
export function importsOf(files: readonly SourceFile[], withTypes = false): Imports {
  const known = new Set(files.map(({ path }) => path));
  const needsOf = ({ path, text }: SourceFile): Set<string> => {
    const code = withTypes ? text : text.replaceAll(OF_TYPES, '');
    const paths = [...code.matchAll(PATH)].map(([, to = '']) =>
      posix.join(posix.dirname(path), to),
    );
    const workspaces = [...code.matchAll(WORKSPACE)].map(([, name = '']) => WORKSPACES[name] ?? '');
    const folders = READ.filter(([reader]) => reader === path).flatMap(([, read]) =>
      files.map((file) => file.path).filter((to) => read.test(to)),
    );
    const all = [...paths, ...workspaces, ...folders, ...(OPENED[path] ?? [])];
    return new Set(all.filter((to) => known.has(to)));
  };
  const code = files.filter(({ path }) => /[.]tsx?$/.test(path));
  return new Map(code.map((file) => [file.path, needsOf(file)]));
}

/** Returns how many imports lie between each file and the nearest of some changed ones; files that need none are missing. */
export function distancesTo(changed: readonly string[], imports: Imports): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [from, needs] of imports)
    for (const to of needs) importers.set(to, [...(importers.get(to) ?? []), from]);
  const distances = new Map(changed.map((path) => [path, 0]));
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}
