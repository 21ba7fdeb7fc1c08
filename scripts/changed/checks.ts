import type { SourceFile } from '../checks/files.ts';
import { distancesTo, importsOf } from './imports.ts';

/** Above this many files, a tool reads the whole tree: the command line would grow too long for some systems. */
const MAX_NAMED = 200;

/** Which changes each check of `npm run check -- --changed` looks at. The others need the whole tree, and too long. */
const CONCERNS: Readonly<Record<string, (path: string) => boolean>> = {
  types: (path) => /[.](ts|json)$/.test(path) && !path.startsWith('dashboard/src/'),
  pages: (path) => /^dashboard\/.*[.](tsx?|json)$/.test(path),
  style: (path) => !path.endsWith('.md'),
  // References can break in files that did not change, so they are read in full: it takes a second.
  rules: () => true,
  budget: (path) => /[.](tsx?|css)$|budget[.]json$/.test(path),
  packages: (path) => path === 'package-lock.json',
};

/** Returns the names of the checks that these changes can break, quick ones only. The pages import types of the server. */
export function checksOf(changed: readonly string[], files: readonly SourceFile[]): string[] {
  const reached = [...distancesTo(changed, importsOf(files, true)).keys()];
  return Object.entries(CONCERNS)
    .filter(([name, concerns]) => (name === 'pages' ? reached : changed).some(concerns))
    .map(([name]) => name);
}

/** Returns what the style check reads: the changed files that are still there, or everything if its own settings changed. */
export function styledPaths(
  changed: readonly string[],
  exists: (path: string) => boolean,
): readonly string[] {
  const there = changed.filter((path) => CONCERNS.style?.(path) && exists(path));
  const isSettings = changed.some((path) => /^biome[.](quick[.])?json$/.test(path));
  return isSettings || there.length > MAX_NAMED ? ['.'] : there;
}
