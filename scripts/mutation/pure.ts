import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { PURE_FILES } from '../checks/layout.ts';

const SERVER = 'server/src/';
/** Files that are tested with another file, because they are part of its decision. */
const TESTED_AT: Readonly<Record<string, string>> = {
  'schedules/limits/room.ts': 'schedules/limits/headroom.ts',
  'schedules/limits/tightest-limit.ts': 'schedules/limits/headroom.ts',
  'schedules/limits/limit-window.ts': 'schedules/limits/headroom.ts',
};
const PROCESSES = Number(process.env.MUTATION_PROCESSES ?? 2);
const LONGEST_MS = 20_000;
/** The required score, in percent of all mutants. Surviving mutants are reviewed one by one. */
const MIN_SCORE = 90;

/** Returns the test files of a pure file, by its path below the server's sources; slow ones last. */
function testsOf(file: string): string[] {
  const path = `${SERVER}${file.slice(0, -'.ts'.length)}`;
  const own = [`${path}.test.ts`, `${path}.property.test.ts`].filter((test) => existsSync(test));
  const at = TESTED_AT[file];
  return at === undefined ? own : [...own, ...testsOf(at)];
}

/**
 * Mutates the pure files whose path contains one of the words, or all of them, and runs the tests beside them against each
 * mutant. Returns whether the score is high enough. Surviving mutants are printed and written to `.data/mutation.json`.
 */
export async function mutatePure(words: readonly string[]): Promise<boolean> {
  const isWanted = (file: string): boolean =>
    words.length === 0 || words.some((word) => file.includes(word));
  const files = PURE_FILES.filter((file) => isWanted(file) && testsOf(file).length > 0);
  if (files.length === 0) {
    console.error(`No pure file with tests beside it matches ${words.join(' ')}`);
    return false;
  }
  // The runner starts "node": it must be the same one that runs this.
  process.env.PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const results = await new Stryker({
    mutate: files.map((file) => `${SERVER}${file}`),
    testRunner: 'tap',
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/tap-runner'))],
    tap: {
      testFiles: [...new Set(files.flatMap(testsOf))],
      nodeArgs: ['--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'],
    },
    coverageAnalysis: 'perTest',
    concurrency: PROCESSES,
    timeoutMS: LONGEST_MS,
    disableTypeChecks: false, // nothing is compiled: Node runs the files directly
    tsconfigFile: 'none',
    tempDirName: '.data/stryker',
    ignorePatterns: ['.data', '.demo', 'dashboard', 'docs', 'bench', 'chaos', 'test'].map(
      (folder) => `/${folder}`,
    ),
    reporters: ['clear-text', 'progress-append-only', 'json'],
    jsonReporter: { fileName: '.data/mutation.json' },
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: true },
  }).runMutationTest();
  const untouched = files.filter(
    (file) => !results.some(({ fileName }) => fileName.endsWith(file)),
  );
  if (untouched.length > 0) throw new Error(`nothing was mutated in ${untouched.join(', ')}`);
  const counted = results.filter(({ status }) => !UNCOUNTED.has(status));
  const killed = counted.filter(({ status }) => KILLED.has(status));
  return killed.length >= (counted.length * MIN_SCORE) / 100;
}

const KILLED = new Set(['Killed', 'Timeout']);
/** A mutant that does not even load counts for nothing. */
const UNCOUNTED = new Set(['CompileError', 'RuntimeError', 'Ignored', 'Pending']);
