import { existsSync, globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Slow by nature, because they start and kill whole programs, wait for Prometheus by the machine's clock, cover months, or look
 * at one trouble after the other as merchants and customers see it (`npm test` checks each of their pages for accessibility):
 * `npm run test:slow` runs these, longest first, and `npm test` only if a word names them.
 */
const SLOW: readonly string[] = [
  'chaos/drill/drill.test.ts',
  'test/browser/dashboard-trouble.test.ts',
  'test/process/stopping.test.ts',
  'test/scenarios/first-week.test.ts',
  'test/races/report-crashes.test.ts',
  'test/races/overlap.test.ts',
  'test/scenarios/simulation.test.ts',
  'test/scenarios/plans.test.ts',
  'test/races/crashes.test.ts',
  'test/exploration/small-world.test.ts',
  'test/scenarios/alerts.test.ts',
  'server/src/app/wiring/run.test.ts',
  'test/scenarios/archive-crashes.test.ts',
  'test/scenarios/utility-year.test.ts',
  'test/scenarios/clock-changes.test.ts',
  'test/scenarios/life.test.ts',
  'test/process/stamp.test.ts',
  'test/process/upgrade.test.ts',
  'test/process/restore.test.ts',
  'test/scenarios/four-processes.test.ts',
  'bench/stand/multiply.test.ts',
];

/** The slowest files, longest first: started last, one of them would hold up the end of the run. */
const HEAVY: readonly string[] = [
  'test/browser/dashboard-accessible.test.ts',
  'test/browser/dashboard-states.test.ts',
  'test/browser/dashboard-team.test.ts',
  'server/src/sandbox/listen.test.ts',
  'test/browser/dashboard-emails.test.ts',
  'test/browser/dashboard-schedules.test.ts',
  'test/browser/dashboard-sandbox.test.ts',
  'test/browser/dashboard-lists.test.ts',
  'test/races/nothing-after-a-no.test.ts',
  'test/browser/console.test.ts',
  'test/browser/portal-edges.test.ts',
  'test/browser/dashboard-webhooks.test.ts',
  'test/browser/dashboard-money.test.ts',
  'test/browser/dashboard-sso.test.ts',
  'test/browser/dashboard-settings.test.ts',
  'test/scenarios/archive.test.ts',
  'test/scenarios/settlement-account.test.ts',
  'test/scenarios/single-sign-on.test.ts',
  'test/scenarios/modulr.test.ts',
  'test/browser/dashboard-sign-in.test.ts',
  'test/browser/dashboard-developers.test.ts',
  'test/browser/portal-pages.test.ts',
  'server/src/merchants/sign-in/two-factor.test.ts',
  'test/process/check-config.test.ts',
];

/** Tests of what only a Citus cluster does. */
const OF_CLUSTER: readonly string[] = [
  'test/cluster/spread.test.ts',
  'test/cluster/api.test.ts',
  'test/cluster/one-task.test.ts',
  'test/cluster/engine.test.ts',
  'test/cluster/simulation.test.ts',
];

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

/** Returns the test files whose path contains one of the words; without a word those of the suite. */
export function testFiles(words: readonly string[], suite: SuiteName): string[] {
  const all = globSync('{server,sandbox,sdk,dashboard,test,scripts,chaos,bench}/**/*.test.ts', {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  }).sort();
  const lost = [...SLOW, ...HEAVY, ...OF_CLUSTER, ...ALSO_ON_CLUSTER].filter(
    (file) => !all.includes(file),
  );
  if (lost.length > 0) throw new Error(`No such test file: ${lost.join(', ')}`);
  const ordered = [...new Set([...SLOW, ...HEAVY, ...all])];
  if (words.length === 0 && suite === 'citus') return [...OF_CLUSTER, ...ALSO_ON_CLUSTER];
  if (words.length === 0)
    return ordered.filter(
      (file) => SLOW.includes(file) === (suite === 'slow') && !OF_CLUSTER.includes(file),
    );
  const wanted = words.map(asPath);
  return ordered.filter((file) => wanted.some((word) => file.includes(word)));
}

function asPath(word: string): string {
  const path = resolve(word);
  return existsSync(path) ? relative(ROOT, path) : word;
}
