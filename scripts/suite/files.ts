import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Marks a file that is slow by nature, with the reason behind it: it starts and kills whole programs, waits by the machine's
 * clock, covers months, or goes through pages in a browser that are not the main ways. `npm run test:slow` runs these, and
 * `npm test` only if a word names them, or `--changed` finds that they reach a change.
 */
const SLOW = /^\/\/ Slow: /m;

/** Tests of what only a Citus cluster does. */
const OF_CLUSTER = 'test/cluster/';

/** Whole lives of collections, and what needs more than one role, which `npm run test:citus` runs on a cluster as well. */
const ALSO_ON_CLUSTER: readonly string[] = [
  'test/scenarios/running-engine.test.ts',
  'test/scenarios/payments.test.ts',
  'test/scenarios/settlements.test.ts',
  'test/scenarios/refunds.test.ts',
  'test/scenarios/recalls.test.ts',
  'test/scenarios/fees.test.ts',
  'test/scenarios/consents.test.ts',
  'test/scenarios/collect-once.test.ts',
  'test/scenarios/troubles.test.ts',
  'test/scenarios/metrics.test.ts',
  'test/scenarios/erasure.test.ts',
  'test/scenarios/exports.test.ts',
  'test/races/one-debit.test.ts',
  'server/src/dashboard/team/routes.test.ts',
];

/** Which files run without a word: those of every change, those that take minutes, those that hold on a Citus cluster. */
export type SuiteName = 'quick' | 'slow' | 'citus';

/** Returns all test files, ordered by path. */
export function allTestFiles(): string[] {
  return globSync('{server,sandbox,sdk,dashboard,test,scripts,chaos,bench}/**/*.test.ts', {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** Whether a file runs with the slow ones. */
export const isSlow = (file: string): boolean => SLOW.test(readFileSync(join(ROOT, file), 'utf8'));

/** Whether a file needs a Citus cluster. */
export const isOfCluster = (file: string): boolean => file.startsWith(OF_CLUSTER);

/** Returns the test files whose path contains one of the words; without a word those of the suite. */
export function testFiles(words: readonly string[], suite: SuiteName): string[] {
  const all = allTestFiles();
  const lost = ALSO_ON_CLUSTER.filter((file) => !all.includes(file));
  if (lost.length > 0) throw new Error(`No such test file: ${lost.join(', ')}`);
  if (words.length > 0) {
    const wanted = words.map(asPath);
    return all.filter((file) => wanted.some((word) => file.includes(word)));
  }
  if (suite === 'citus') return [...all.filter(isOfCluster), ...ALSO_ON_CLUSTER];
  return all.filter((file) => isSlow(file) === (suite === 'slow') && !isOfCluster(file));
}

function asPath(word: string): string {
  const path = resolve(word);
  return existsSync(path) ? relative(ROOT, path) : word;
}
