import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A page of the documentation: its path from the root, and its text. */
export interface Document {
  path: string;
  text: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const read = (path: string): Document => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(`${ROOT}${path}`, 'utf8'),
});

/** The README and every page of `docs`, but the decisions: those say what there was when they were made. */
export const DOCUMENTS: readonly Document[] = [
  'README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }),
]
  .map(read)
  .filter(({ path }) => !path.startsWith('docs/decisions/'));

/** Returns the text of all files that a pattern finds below the root. */
export const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: ROOT })
    .map((path) => read(path).text)
    .join('\n');

/** Returns the code blocks of a page in one language, indented ones too. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^\\1\`\`\``, 'gms'))].map(
    ([, , code = '']) => code,
  );
