import type { SourceFile } from '../checks/files.ts';
import { type Seconds, secondsOf } from '../suite/seconds.ts';
import { distancesTo, importsOf } from './imports.ts';

/** Test files that reach a change. */
export interface Selection {
  /** The ones to run, nearest first. */
  readonly chosen: readonly string[];
  /** The ones that reach it too, nearest first. */
  readonly leftOut: readonly string[];
  /** Changed files, pages aside, that no test reaches by its imports. */
  readonly unreached: readonly string[];
}

/** What a selection is made from. */
export interface Candidates {
  readonly changed: readonly string[];
  readonly files: readonly SourceFile[];
  /** Every test file. */
  readonly tests: readonly string[];
  /** Whether a test file needs what is not on this machine: it is left out unless it changed itself. */
  readonly isElsewhere: (file: string) => boolean;
  readonly seconds: Seconds;
  /** What all files together may take, as recorded, and one of them. */
  readonly budget: { readonly all: number; readonly one: number };
}

/** Up to this many imports away, a test was written for the file or for its neighbour; beyond, names say more than imports. */
const NEAR = 2;

const wordsOf = (path: string): Set<string> =>
  new Set(
    path
      .split(/[^a-z]+/)
      .filter((word) => word.length > 2)
      .map((word) => word.replace(/s$/, '')),
  );

/** Returns how much the path of a test has in common with a changed one: rare words count for more. */
function kinship(changed: readonly string[], tests: readonly string[]): Map<string, number> {
  const words = new Map(tests.map((test) => [test, wordsOf(test)]));
  const uses = new Map<string, number>();
  for (const set of words.values())
    for (const word of set) uses.set(word, (uses.get(word) ?? 0) + 1);
  const wanted = new Set(changed.flatMap((path) => [...wordsOf(path)]));
  return new Map(
    [...words].map(([test, set]) => {
      const shared = [...set].filter((word) => wanted.has(word));
      return [test, shared.reduce((sum, word) => sum + 1 / (uses.get(word) ?? 1), 0)];
    }),
  );
}

/**
 * Chooses the test files to run after a change: those that changed, then those that reach a changed file by their imports,
 * nearest first, as many as the budget allows. Those of the slow run are among them: for most pages it has the only test.
 */
export function selectTests(candidates: Candidates): Selection {
  const { changed, files, tests, isElsewhere, seconds, budget } = candidates;
  const imports = importsOf(files);
  const distances = distancesTo(changed, imports);
  const kin = kinship(changed, tests);
  const rank = (file: string): number => {
    const distance = distances.get(file) ?? 0;
    return distance <= NEAR ? distance : NEAR + 1;
  };
  const reaching = tests
    .filter((file) => distances.has(file) && (changed.includes(file) || !isElsewhere(file)))
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        (kin.get(b) ?? 0) - (kin.get(a) ?? 0) ||
        (distances.get(a) ?? 0) - (distances.get(b) ?? 0),
    );
  let left = budget.all;
  const chosen = reaching.filter((file) => {
    const takes = secondsOf(seconds, file);
    if (!changed.includes(file) && (takes > budget.one || takes > left)) return false;
    left -= takes;
    return true;
  });
  const there = new Set(files.map(({ path }) => path));
  const code = changed.filter((path) => there.has(path) && !path.endsWith('.md'));
  return {
    chosen,
    leftOut: reaching.filter((file) => !chosen.includes(file)),
    unreached: code.filter((path) => {
      const reached = distancesTo([path], imports);
      return !tests.some((file) => reached.has(file));
    }),
  };
}

/** How many of the files that are left out are named. */
const NAMED = 5;

/** Says which test files run after a change, and which do not. */
export function describeSelection(
  { chosen, leftOut, unreached }: Selection,
  changed: readonly string[],
  base: string,
): string {
  const count = (number: number, noun: string): string =>
    `${number} ${noun}${number === 1 ? '' : 's'}`;
  const lines = [
    `${chosen.length} of the ${count(chosen.length + leftOut.length, 'test file')} that reach ` +
      `${count(changed.length, 'file')} changed since ${base}`,
  ];
  if (leftOut.length > 0) {
    const more = leftOut.length > NAMED ? `, and ${leftOut.length - NAMED} more` : '';
    lines.push(`Left out: ${leftOut.slice(0, NAMED).join(', ')}${more}`);
  }
  if (unreached.length > 0) lines.push(`No test imports: ${unreached.join(', ')}`);
  return lines.join('\n');
}
