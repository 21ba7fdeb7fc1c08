// Runs the tests: `npm test`, or `npm test -- payments` for the files whose path contains that word. What
// begins with a dash goes to Node's test runner. One PostgreSQL serves all test files.
import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureTemplate } from '../server/test-support/database.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { buildDashboard } from './build-dashboard.ts';

const SIGNAL_EXIT = 130;
/** One file that hangs must not hang them all. */
const FILE_LIMIT_MS = 900_000;
const root = fileURLToPath(new URL('..', import.meta.url));
/** Each file runs in a process that loads the same modules: compiled once, they load in half of the time. */
const COMPILED = join(root, 'node_modules', '.cache', 'compiled-for-tests');

/** The test files whose path contains one of the words, or all of them. */
function testFiles(words: readonly string[]): string[] {
  const all = globSync('{server,sandbox,sdk,dashboard,test,scripts,chaos,bench}/**/*.test.ts', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  }).sort();
  if (words.length === 0) return all;
  return all.filter((file) => words.some((word) => file.includes(asPath(word))));
}

function asPath(word: string): string {
  const path = resolve(word);
  return existsSync(path) ? relative(root, path) : word;
}

/** Runs Node's test runner to its end; its exit code. */
async function runTests(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=2',
      '--test-reporter=spec',
      `--test-timeout=${FILE_LIMIT_MS}`,
      ...args,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  );
  // A terminal sends Ctrl-C to the runner too; we stay to stop PostgreSQL after it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const { promise, resolve: ended, reject } = Promise.withResolvers<number>();
  child.on('error', reject);
  child.on('close', (code) => ended(code ?? SIGNAL_EXIT));
  return promise;
}

async function main(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('-'));
  const words = args.filter((arg) => !arg.startsWith('-'));
  const files = testFiles(words);
  if (files.length === 0) {
    console.error(`No test file matches ${words.join(' ')}`);
    return 1;
  }
  if (files.some((file) => file.startsWith('test/browser/'))) await buildDashboard();
  const given = process.env.RECOLLECT_TEST_POSTGRES;
  const server = given ? undefined : await useSharedServer();
  const url = given ?? server?.url ?? '';
  // What was compiled before tells the coverage of whole functions only.
  const isCovered = options.some((option) => option.includes('coverage'));
  try {
    await ensureTemplate(url);
    return await runTests([...options, ...files], {
      RECOLLECT_TEST_POSTGRES: url,
      ...(isCovered ? {} : { NODE_COMPILE_CACHE: COMPILED }),
    });
  } finally {
    await server?.leave(true);
  }
}

process.exitCode = await main(process.argv.slice(2));
