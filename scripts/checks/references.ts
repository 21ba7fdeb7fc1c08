import { posix } from 'node:path';
import { sectionsOf } from '../../server/src/app/docs/markdown.ts';
import { isComment, type Rule, type SourceFile, type Violation } from './files.ts';

const LINK = /\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)/g;
const PATH_IN_BACKTICKS =
  /`((?:[\w@-][\w.@-]*\/)+[\w.@-]+[.](?:tsx?|mjs|js|md|sql|json|css|yaml)(?:#[\w-]+)?)`/g;
const PATH_IN_COMMENT =
  /(?<![\w./:@*<>-])((?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*[.](?:tsx?|md|sql)\b(?:#[\w-]+)?)/g;
/** Documents that are not in the repository; a rule has its heading in docs/rules. */
const FOREIGN_SOURCE = /\b(DECISIONS|SPEC|REFERENCE)\b/g;
const NPM_SCRIPT = /\bnpm run ([\w:-]+)(?![\w:-]| -w)/g;
/** On a path without the packages' own Node, which runs TypeScript, a script of npm or `npx -c` finds it. */
const OWN_NODE = /`node [\w./-]+\.ts\b/g;
const NPM_SHORTHAND = /\bnpm (start|test)\b/g;

interface Tree {
  readonly paths: readonly string[];
  readonly headings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly scripts: ReadonlySet<string>;
}

const anchorsOf = (text: string): Set<string> =>
  new Set(sectionsOf(text).map(({ fragment }) => fragment));

function scriptsOf(files: readonly SourceFile[]): Set<string> {
  const manifest = files.find(({ path }) => path === 'package.json')?.text ?? '{}';
  const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, string> };
  return new Set(Object.keys(scripts));
}

function treeOf(files: readonly SourceFile[]): Tree {
  const pages = files.filter(({ path }) => path.endsWith('.md'));
  return {
    paths: files.map(({ path }) => path),
    headings: new Map(pages.map(({ path, text }) => [path, anchorsOf(text)])),
    scripts: scriptsOf(files),
  };
}

function linkBroken(tree: Tree, from: string, target: string): boolean {
  if (/^([a-z]+:|\/)/.test(target)) return false;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : posix.join(posix.dirname(from), file).replace(/\/$/, '');
  const known = path === '.' || tree.paths.some((p) => p === path || p.startsWith(`${path}/`));
  if (!known) return path !== 'LICENSE';
  return anchor !== undefined && tree.headings.get(path)?.has(anchor) !== true;
}

/** Whether a mention is broken. It may omit the beginning of the path: `platform/engine/engine.ts` is found in the server. */
function mentionBroken(tree: Tree, mention: string): boolean {
  const [file = '', anchor] = mention.split('#');
  const found = tree.paths.filter((path) => path === file || path.endsWith(`/${file}`));
  if (anchor === undefined) return found.length === 0;
  return !found.some((path) => tree.headings.get(path)?.has(anchor));
}

/** Returns the comment of a line of code, or the whole line of a page. */
function proseOf({ path }: SourceFile, line: string): string {
  if (path.endsWith('.md') || isComment(line)) return line;
  return /(?:^|\s)\/\/ .*$/.exec(line)?.[0] ?? '';
}

function* brokenInLine(tree: Tree, file: SourceFile, line: string): Iterable<string> {
  const page = file.path.endsWith('.md');
  for (const [, inline, defined = ''] of page ? line.matchAll(LINK) : []) {
    const target = inline ?? defined;
    if (linkBroken(tree, file.path, target)) yield `the link ${target} leads nowhere`;
  }
  const prose = proseOf(file, line);
  for (const [, mention = ''] of prose.matchAll(page ? PATH_IN_BACKTICKS : PATH_IN_COMMENT)) {
    if (mentionBroken(tree, mention)) yield `there is no ${mention}`;
  }
  for (const [source] of prose.matchAll(FOREIGN_SOURCE))
    yield `${source} is not in the repository: link to a heading of docs/rules`;
  for (const [command] of page ? line.matchAll(OWN_NODE) : [])
    yield `${command.slice(1)}: an older Node does not run it; say the script of npm, or npx -c`;
  const scripts = [...line.matchAll(NPM_SCRIPT), ...line.matchAll(NPM_SHORTHAND)];
  for (const [words, script = ''] of scripts) {
    if (!tree.scripts.has(script)) yield `${words}: package.json has no such script`;
  }
}

function checkFile(tree: Tree, file: SourceFile): Violation[] {
  if (!/[.](md|tsx?)$|^[.]ci\//.test(file.path)) return [];
  return file.text.split('\n').flatMap((line, index) =>
    [...brokenInLine(tree, file, line)].map((message) => ({
      path: file.path,
      line: index + 1,
      message,
    })),
  );
}

/** No stale references: files, headings and npm scripts named in pages and comments exist. */
export const referencesRule: Rule = {
  name: 'references',
  check(files) {
    const tree = treeOf(files);
    return files
      .filter(({ path }) => !path.startsWith('scripts/checks/'))
      .flatMap((file) => checkFile(tree, file));
  },
};
