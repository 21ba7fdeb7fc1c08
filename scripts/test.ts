// Runs the tests: `npm test`; `npm test -- payments` runs the files whose path contains that word, `npm test -- --changed` those
// that reach what differs from HEAD (`--changed=REF`: from another commit); `--list` prints the files and runs none. One
// PostgreSQL serves all test files. With an option of Node's test runner (`--watch`), that runner runs the files instead of
// ours. `npm run test:citus` runs them on the cluster whose coordinator is at CITUS_URL.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { nodesOf } from '../server/test-support/cluster.ts';
import { ensureTemplate } from '../server/test-support/database.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { buildDashboard } from './build-dashboard.ts';
import { baseOf, changedFiles } from './changed/files.ts';
import { describeSelection, selectTests } from './changed/tests.ts';
import { readFiles } from './checks/files.ts';
import { allTestFiles, isOfCluster, ROOT, testFiles } from './suite/files.ts';
import { runInPool } from './suite/pool.ts';
import { describeFile, type FileResult, isGood, summarize } from './suite/report.ts';
import { longestFirst, recordedSeconds, recordSeconds, secondsOf } from './suite/seconds.ts';

const SIGNAL_EXIT = 130;
/** Our own options; all others are passed to Node's test runner. */
const SLOW = '--slow';
const CITUS = '--citus';
const LIST = '--list';
const OWN = [SLOW, CITUS, LIST];
/** Tests wait now and then: one process more than there are processors keeps them busy. */
const PROCESSES = Math.min(availableParallelism() + 1, 8);
/** The longest of the slow files start and kill whole programs, and mostly wait. */
const FOR_SLOW = Math.min(PROCESSES + 1, 8);
/** Roles belong to the whole cluster: two files that made theirs at once would disturb each other. */
const ON_CLUSTER = 1;
const WORKERS = { quick: PROCESSES, slow: FOR_SLOW, citus: ON_CLUSTER } as const;
/** What `--changed` may take, as recorded: below a minute with the start of the workers. */
const BUDGET = { all: 30 * PROCESSES, one: 65 };
/** A cache of compiled modules: every worker loads the same ones, and loads them in half the time. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'compiled-for-tests');

/** Runs the files in our workers; returns the exit code. */
async function runAll(
  files: readonly string[],
  names: boolean,
  env: NodeJS.ProcessEnv,
  processes = PROCESSES,
): Promise<number> {
  const since = performance.now();
  const seconds = recordedSeconds();
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  const results: FileResult[] = [];
  const strays: string[] = [];
  await runInPool(longestFirst(files, seconds), {
    processes,
    env: { ...process.env, ...env, RECOLLECT_TEST_WORKER: '1', NODE_COMPILE_CACHE: COMPILED },
    signal: interrupted.signal,
    onFile: (result) => {
      results.push(result);
      console.log(describeFile(result, names));
    },
    onStray: (error) => strays.push(error),
  });
  console.log(summarize(results, strays, performance.now() - since));
  // On a cluster, a file takes longer.
  if (processes !== ON_CLUSTER) {
    const took = results.filter(isGood).map(({ file, ms }) => [file, Math.round(ms / 100) / 10]);
    recordSeconds(Object.fromEntries(took), allTestFiles());
  }
  if (interrupted.signal.aborted) return SIGNAL_EXIT;
  return strays.length === 0 && results.length === files.length && results.every(isGood) ? 0 : 1;
}

/** Runs Node's test runner to its end; returns its exit code. */
async function runByNode(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  // A terminal sends Ctrl-C to the runner too; we stay to stop PostgreSQL after it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on('error', reject);
  child.on('close', (code) => resolve(code ?? SIGNAL_EXIT));
  return promise;
}

/** Returns the coordinator's url. Throws if it is not one. */
async function clusterUrl(): Promise<string> {
  const url = process.env.CITUS_URL;
  if (!url || (await nodesOf(url)) === null)
    throw new Error('CITUS_URL has to name the coordinator of a Citus cluster, as a superuser');
  return url;
}

/** Returns the test files that reach what differs from a commit, and says which do not run. */
async function changedTests(base: string, words: readonly string[]): Promise<readonly string[]> {
  const changed = await changedFiles(ROOT, base);
  const selection = selectTests({
    changed,
    files: await readFiles(ROOT.replace(/[\\/]$/, '')),
    tests: words.length === 0 ? allTestFiles() : testFiles(words, 'quick'),
    isElsewhere: isOfCluster,
    seconds: recordedSeconds(),
    budget: BUDGET,
  });
  console.log(describeSelection(selection, changed, base));
  return selection.chosen;
}

async function main(args: readonly string[]): Promise<number> {
  const base = baseOf(args);
  const options = args.filter(
    (arg) => arg.startsWith('-') && !OWN.includes(arg) && baseOf([arg]) === undefined,
  );
  const words = args.filter((arg) => !arg.startsWith('-'));
  const suite = args.includes(CITUS) ? 'citus' : args.includes(SLOW) ? 'slow' : 'quick';
  const files = base === undefined ? testFiles(words, suite) : await changedTests(base, words);
  if (args.includes(LIST)) {
    const seconds = recordedSeconds();
    for (const file of files)
      console.log(`${secondsOf(seconds, file).toFixed(0).padStart(4)} s  ${file}`);
    return 0;
  }
  if (files.length === 0) {
    if (base === undefined) console.error(`No test file matches ${words.join(' ')}`);
    return base === undefined ? 1 : 0;
  }
  if (files.some((file) => file.startsWith('test/browser/'))) await buildDashboard();
  const given = suite === 'citus' ? await clusterUrl() : process.env.RECOLLECT_TEST_POSTGRES;
  const server = given ? undefined : await useSharedServer();
  const url = given ?? server?.url ?? '';
  try {
    if (suite !== 'citus') await ensureTemplate(url);
    const env = { RECOLLECT_TEST_POSTGRES: url };
    if (options.length > 0) return await runByNode([...options, ...files], env);
    return await runAll(files, words.length > 0, env, WORKERS[suite]);
  } finally {
    await server?.leave(true);
  }
}

process.exitCode = await main(process.argv.slice(2));
