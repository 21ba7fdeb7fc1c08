import { posix } from 'node:path';
import { importsOf } from '../changed/imports.ts';
import { type SourceFile, type Violation, withoutComments } from './files.ts';
import { isProductCode, SLICES } from './layout.ts';
import { hasStatement } from './sql.ts';

/** The committed numbers. */
export const BUDGET_FILE = 'scripts/checks/budget.json';

/** How large something may be at most. A number that was raised names the decision that says why. */
type Most = number | { readonly most: number; readonly decision: string };

/** The most of each kind, by what is measured: a folder, or a count of the whole server. */
export type Budget = Readonly<Record<string, Readonly<Record<string, Most>>>>;

/** A number that is kept from growing. */
interface Kind {
  readonly name: string;
  /** What is counted, in the plural. */
  readonly noun: string;
  /** Numbers are kept in steps, so that not every line counts. */
  readonly step: number;
  /** Up to this, nothing is listed; null: everything is. */
  readonly free: number | null;
  /** What to do instead of raising it. */
  readonly instead: string;
  measure(files: readonly SourceFile[]): ReadonlyMap<string, number>;
}

const STATUS_WRITE = /\bUPDATE\s+\w+[^`;]*?\bSET\b[^`]*?\b(status|stage)\s*=/;

/** Workspaces without slices count as one. */
const PLACES: readonly string[] = [
  ...SLICES.map((slice) => `server/src/${slice}`),
  'dashboard/src',
  'sandbox/src',
  'sdk/src',
];

const placeOf = (path: string): string | undefined =>
  isProductCode(path) ? PLACES.find((place) => path.startsWith(`${place}/`)) : undefined;

function linesOfPlaces(files: readonly SourceFile[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { path, text } of files) {
    const place = placeOf(path);
    if (place === undefined) continue;
    counted.set(place, (counted.get(place) ?? 0) + text.split('\n').length);
  }
  return counted;
}

/** Counts the files of each folder below a `src`. Tests lie beside what they test, and are not counted. */
function filesOfFolders(files: readonly SourceFile[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { path } of files) {
    if (!/(^|\/)src\/.*[.](tsx?|css)$/.test(path) || /[.]test[.]/.test(path)) continue;
    const folder = posix.dirname(path);
    counted.set(folder, (counted.get(folder) ?? 0) + 1);
  }
  return counted;
}

/** Returns the longest chain of imports among the files of each folder. */
function levelsOfFolders(files: readonly SourceFile[]): Map<string, number> {
  const imports = importsOf(
    files.filter(({ path }) => placeOf(path) !== undefined),
    true,
  );
  const levels = new Map<string, number>();
  const levelOf = (path: string): number => {
    const known = levels.get(path);
    if (known !== undefined) return known;
    // A circle, which the structure forbids, must not turn for ever.
    levels.set(path, 1);
    const beside = [...(imports.get(path) ?? [])].filter(
      (to) => posix.dirname(to) === posix.dirname(path),
    );
    const level = 1 + Math.max(0, ...beside.map(levelOf));
    levels.set(path, level);
    return level;
  };
  const deepest = new Map<string, number>();
  for (const path of imports.keys()) {
    const folder = posix.dirname(path);
    deepest.set(folder, Math.max(deepest.get(folder) ?? 0, levelOf(path)));
  }
  return deepest;
}

function countsOfServer(files: readonly SourceFile[]): Map<string, number> {
  const code = files
    .filter(({ path }) => path.startsWith('server/src/') && isProductCode(path))
    .map(({ path, text }) => ({ path, text: withoutComments(text) }));
  const withSql = code.filter(({ path, text }) => !/store\.ts$/.test(path) && hasStatement(text));
  const writing = code.filter(({ text }) => STATUS_WRITE.test(text));
  return new Map([
    ['SQL outside stores', withSql.length],
    ['a status or stage that is written', writing.length],
  ]);
}

/** Everything that is kept from growing. */
export const KINDS: readonly Kind[] = [
  {
    name: 'lines',
    noun: 'lines of product code',
    step: 250,
    free: null,
    instead: 'take something away',
    measure: linesOfPlaces,
  },
  {
    name: 'files',
    noun: 'files',
    step: 1,
    free: 25,
    instead: 'split it by what its files are about',
    measure: filesOfFolders,
  },
  {
    name: 'levels',
    noun: 'files in a row that import each other',
    step: 1,
    free: 8,
    instead: 'let files beside each other depend on one below them',
    measure: levelsOfFolders,
  },
  {
    name: 'server',
    noun: 'files of the server with it',
    step: 1,
    free: null,
    instead: 'put it where the others are',
    measure: countsOfServer,
  },
];

const mostOf = (most: Most): number => (typeof most === 'number' ? most : most.most);

/** Rounds a size up to what stands in the table: where it counts in steps, with room for a small change. */
const rounded = ({ step }: Kind, size: number): number =>
  Math.ceil((size + Math.floor(step / 5)) / step) * step;

function problemOf(kind: Kind, size: number | undefined, limit: Most | undefined): string | null {
  const { noun, free, instead } = kind;
  const lower = `in ${BUDGET_FILE}: npm run measure -- --lower`;
  if (size === undefined) return `is gone, and still ${lower}`;
  if (limit === undefined && free === null) return `${size} ${noun}, and it is not ${lower}`;
  const most = limit === undefined ? (free ?? 0) : mostOf(limit);
  if (size > most)
    return `${size} ${noun}, and ${most} is the most: ${instead}, or raise it with a decision`;
  if (limit === undefined) return null;
  const isLower = rounded(kind, size) < most || (free !== null && size <= free);
  return isLower ? `${size} ${noun}, and ${most} ${lower}` : null;
}

/** Returns where the code is larger than its budget, or the budget larger than it has to be. */
export function budgetProblems(budget: Budget, files: readonly SourceFile[]): Violation[] {
  const paths = new Set(files.map(({ path }) => path));
  return KINDS.flatMap((kind) => {
    const limits = budget[kind.name] ?? {};
    const sizes = kind.measure(files);
    return [...new Set([...sizes.keys(), ...Object.keys(limits)])].flatMap((path): Violation[] => {
      const limit = limits[path];
      const problems = [problemOf(kind, sizes.get(path), limit)];
      if (typeof limit === 'object' && !paths.has(limit.decision))
        problems.push(`${limit.decision}, which should say why it may be as large, is not there`);
      return problems
        .filter((problem) => problem !== null)
        .map((message) => ({ path, line: 1, message }));
    });
  });
}

/** Returns the budget with every number as low as the code allows. None is raised; what is new and has to be listed is added. */
export function lowered(budget: Budget, files: readonly SourceFile[]): Budget {
  const kinds = KINDS.map((kind) => {
    const limits = budget[kind.name] ?? {};
    const entries = [...kind.measure(files)].flatMap(([path, size]): [string, Most][] => {
      const limit = limits[path];
      const now = rounded(kind, size);
      if (limit === undefined) return kind.free === null ? [[path, now]] : [];
      if (size <= (kind.free ?? 0)) return [];
      if (now >= mostOf(limit)) return [[path, limit]];
      return [[path, typeof limit === 'number' ? now : { ...limit, most: now }]];
    });
    return [kind.name, Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))] as const;
  });
  return Object.fromEntries(kinds);
}

/** Returns what is larger in a later budget than in an earlier one and names no decision. */
export function raisedWithout(before: Budget, after: Budget): string[] {
  return KINDS.flatMap(({ name, free }) =>
    Object.entries(after[name] ?? {})
      .filter(([path, most]) => {
        const earlier = before[name]?.[path] ?? free;
        return typeof most === 'number' && earlier !== null && most > mostOf(earlier);
      })
      .map(([path, most]) => {
        const entry = `{ "most": ${mostOf(most)}, "decision": "docs/decisions/…" }`;
        return `${BUDGET_FILE}  ${name} of ${path} is raised: write ${entry}`;
      }),
  );
}
