import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';

/** A file of the repository: its path from the root, with slashes, and its whole text; for an image only the path. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One violation of one rule; `line` counts from 1. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A rule of our own: it checks all files at once, and does not access the file system. */
export interface Rule {
  readonly name: string;
  check(files: readonly SourceFile[]): Violation[];
}

const FILES = '**/*.{ts,tsx,mjs,cjs,js,css,sql,md,json,yml,yaml,png,svg,example,service}';
const LEFT_OUT = /(^|\/)(node_modules|dist|coverage|\.[^/]+)(\/|$)|^package-lock\.json$/;
const ALSO = ['.ci/run', '.dependency-cruiser.mjs', 'package-lock.json'];

/** Returns the files of the repository below `root`, ordered by path. */
export async function readFiles(root: string): Promise<SourceFile[]> {
  const paths = ALSO.filter((path) => existsSync(`${root}/${path}`));
  for await (const path of glob(FILES, {
    cwd: root,
    exclude: (found) => LEFT_OUT.test(found.replaceAll('\\', '/')),
  })) {
    paths.push(path.replaceAll('\\', '/'));
  }
  const files = paths.sort().map(async (path) => ({
    path,
    text: /\.(png|svg)$/.test(path) ? '' : await readFile(`${root}/${path}`, 'utf8'),
  }));
  return Promise.all(files);
}

/** Returns the text with its comments blanked; lines keep their numbers. Code after a comment on its line is dropped. */
export function withoutComments(text: string): string {
  return text
    .split('\n')
    .map((line) => (isComment(line) ? '' : line.replace(/(^|\s)\/\/ .*$/, '$1')))
    .join('\n');
}

/** Whether the whole line is a comment, as the formatter writes them. */
export function isComment(line: string): boolean {
  return /^\s*(\/\/|\/\*|\*\/|\*( |$))/.test(line);
}

/** Returns every match of a pattern (which has the flag `g`) as a violation. */
export function findAll(
  path: string,
  text: string,
  pattern: RegExp,
  message: (found: string) => string,
): Violation[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    message: message(match[0].trim()),
  }));
}
