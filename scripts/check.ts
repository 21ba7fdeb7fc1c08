// Runs all static checks: `npm run check`, or `npm run check -- types rules` for some. With `--changed`, the quick ones on what
// differs from HEAD, and with `--changed=REF` from another commit.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checksOf, styledPaths } from './changed/checks.ts';
import { baseOf, changedFiles, committedTexts } from './changed/files.ts';
import { BUDGET_FILE, type Budget, budgetProblems, raisedWithout } from './checks/budget.ts';
import { messageProblems, newCommits } from './checks/commits.ts';
import { readFiles, type SourceFile } from './checks/files.ts';
import { type Lock, packageProblems } from './checks/packages.ts';
import { rules } from './checks/rules.ts';
import { type Cruise, structureProblems } from './checks/structure.ts';

interface Outcome {
  readonly passed: boolean;
  readonly said: string;
  /** Why there was nothing to check. */
  readonly skipped?: string;
}

interface Check {
  readonly name: string;
  /** Checks everything, or what the changed files can break. */
  run(changed?: readonly string[]): Promise<Outcome>;
}

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const CACHE = join(root, 'node_modules', '.cache', 'check');

let tree: Promise<SourceFile[]> | undefined;
/** Returns the files of the repository, read once for all checks. */
function files(): Promise<SourceFile[]> {
  tree ??= readFiles(root);
  return tree;
}

/** Runs a tool of node_modules/.bin to its end, whatever its exit code. */
async function tool(name: string, ...args: readonly string[]): Promise<Outcome & { out: string }> {
  const bin = join(root, 'node_modules', '.bin');
  const child = spawn(join(bin, name), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject);
  child.on('close', resolve);
  const code = await promise;
  return { passed: code === 0, said: out + err, out };
}

/**
 * Runs TypeScript on a project. For changed files it continues from its last run, and checks them and the files that import them
 * directly: seconds instead of half a minute.
 */
async function types(project: string, changed?: readonly string[]): Promise<Outcome> {
  const whole = ['-p', project, '--pretty', 'false'];
  if (changed === undefined) return tool('tsc', ...whole);
  const known = join(CACHE, `${project === '.' ? 'types' : project}.tsbuildinfo`);
  const quick = ['--incremental', '--assumeChangesOnlyAffectDirectDependencies'];
  return tool('tsc', ...whole, ...quick, '--tsBuildInfoFile', known);
}

/** Runs Biome. For changed files it leaves out the rules that read the whole project first: they take most of the time. */
async function style(changed?: readonly string[]): Promise<Outcome> {
  const check = ['check', '--error-on-warnings'];
  if (changed === undefined) return tool('biome', ...check, '.');
  const paths = styledPaths(changed, (path) => existsSync(join(root, path)));
  const quick = ['--config-path=biome.quick.json', '--no-errors-on-unmatched'];
  return paths.length === 0
    ? { passed: true, said: '' }
    : tool('biome', ...check, ...quick, ...paths);
}

/** Runs dependency-cruiser, with the rules of .dependency-cruiser.mjs, on every folder that contains TypeScript. */
async function structure(): Promise<Outcome> {
  const paths = (await files()).map(({ path }) => path).filter((path) => /[.]tsx?$/.test(path));
  const folders = new Set(paths.map((path) => path.split('/', 1).join()));
  const config = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json'];
  const { out, said } = await tool('depcruise', ...config, ...folders);
  if (!out.startsWith('{')) return { passed: false, said };
  const problems = structureProblems(JSON.parse(out) as Cruise, paths);
  return { passed: problems.length === 0, said: problems.join('\n') };
}

async function ownRules(): Promise<Outcome> {
  const all = await files();
  const broken = rules.flatMap(({ name, check }) =>
    check(all).map(({ path, line, message }) => `${path}:${line}  ${name}: ${message}`),
  );
  return { passed: broken.length === 0, said: broken.sort().join('\n') };
}

/** Checks that nothing has outgrown its number, and that no number was raised without its decision. */
async function budget(): Promise<Outcome> {
  const now = JSON.parse(await readFile(join(root, BUDGET_FILE), 'utf8')) as Budget;
  const earlier = await committedTexts(root, BUDGET_FILE);
  const problems = budgetProblems(now, await files()).map(
    ({ path, message }) => `${path}  ${message}`,
  );
  const raised = earlier.flatMap((text) => raisedWithout(JSON.parse(text) as Budget, now));
  problems.push(...new Set(raised));
  return { passed: problems.length === 0, said: problems.join('\n') };
}

async function packages(): Promise<Outcome> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const problems = packageProblems(lock);
  return { passed: problems.length === 0, said: problems.join('\n') };
}

async function commits(): Promise<Outcome> {
  const { commits: found, ...rest } = await newCommits(root);
  const broken = found.flatMap((commit) =>
    messageProblems(commit).map((problem) => `${commit.id} ${commit.subject}\n    ${problem}`),
  );
  return { passed: broken.length === 0, said: broken.join('\n'), ...rest };
}

const checks: readonly Check[] = [
  { name: 'types', run: (changed) => types('.', changed) },
  { name: 'pages', run: (changed) => types('dashboard', changed) },
  { name: 'style', run: style },
  { name: 'structure', run: structure },
  { name: 'unused', run: () => tool('knip', '--no-progress') },
  { name: 'rules', run: ownRules },
  { name: 'budget', run: budget },
  { name: 'packages', run: packages },
  { name: 'commits', run: commits },
];

async function timed(
  { name, run }: Check,
  changed?: readonly string[],
): Promise<Outcome & { name: string }> {
  const start = performance.now();
  const failed = (error: unknown): Outcome => ({ passed: false, said: String(error) });
  const outcome = await run(changed).catch(failed);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const skipped = outcome.skipped === undefined ? '' : `  skipped: ${outcome.skipped}`;
  console.log(
    `${outcome.passed ? '✔' : '✖'} ${name.padEnd(10)} ${seconds.padStart(5)} s${skipped}`,
  );
  return { ...outcome, name };
}

async function main(args: readonly string[]): Promise<number> {
  const base = baseOf(args);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const changed = base === undefined ? undefined : await changedFiles(root, base);
  if (changed?.length === 0) {
    console.log(`Nothing differs from ${base}`);
    return 0;
  }
  const wanted =
    words.length === 0 && changed !== undefined ? checksOf(changed, await files()) : words;
  const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (chosen.length === 0) {
    console.error(`Checks: ${checks.map(({ name }) => name).join(', ')}`);
    return 1;
  }
  const outcomes = await Promise.all(chosen.map((check) => timed(check, changed)));
  const failed = outcomes.filter(({ passed }) => !passed);
  for (const { name, said } of failed) console.log(`\n✖ ${name}\n${said.trimEnd()}`);
  console.log(`\n${chosen.length - failed.length} of ${chosen.length} checks passed`);
  if (changed !== undefined) console.log('The rest: npm run check');
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
