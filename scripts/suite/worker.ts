// Runs test files, one after the other, in one process: modules are loaded once, and code stays warm from file to file. Each file
// is a suite of its own, so that its hooks apply to its own tests only. The runner says which file is next.
import { type AsyncHook, AsyncLocalStorage, createHook } from 'node:async_hooks';
import { relative, resolve } from 'node:path';
import { run, suite } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { closeShared } from '../../server/test-support/shared.ts';
import { makePasswordsCheap } from './light-passwords.ts';
import type { Order, Outcome, Report } from './messages.ts';

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];

/** Time for an idle process to exit. */
const END_WITHIN_MS = 10_000;
/** The file is the suite at this depth, its tests are deeper. */
const FILE_DEPTH = 0;

const leftBy = new Map<string, string>();
/** The file that began the asynchronous work that runs now. */
const origin = new AsyncLocalStorage<string>();
/** The file whose tests run now; null: none. */
let current: string | null = null;

function report(said: Report): void {
  process.send?.(said);
}

function outcomeOf(ended: Ended, isPassed: boolean): Outcome {
  const error = 'error' in ended.details ? ended.details.error : undefined;
  const failure = error === undefined ? '' : String(Reflect.get(error, 'failureType'));
  const isOwn = error !== undefined && failure !== 'subtestsFailed';
  return {
    name: ended.name,
    place: `${relative(process.cwd(), ended.file ?? '')}:${ended.line}:${ended.column}`,
    kind: ended.details.type === 'suite' ? 'suite' : 'test',
    state: stateOf(ended, isPassed, failure),
    error: isOwn ? inspect(error.cause ?? error, { colors: process.env.FORCE_COLOR === '1' }) : '',
  };
}

function stateOf({ skip, todo }: Ended, isPassed: boolean, failure: string): Outcome['state'] {
  if (skip !== undefined) return 'skipped';
  if (todo !== undefined) return 'todo';
  if (isPassed) return 'passed';
  return ['cancelledByParent', 'testTimeoutFailure', 'testAborted'].includes(failure)
    ? 'cancelled'
    : 'failed';
}

/** Counts what keeps the process alive, by kind. */
function openNow(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Returns what `work` returns, and the hooks on asynchronous work that it has enabled. */
function captureHooks<T>(work: () => T): [T, AsyncHook[]] {
  const hooks: AsyncHook[] = [];
  const prototype: Pick<AsyncHook, 'enable'> = Object.getPrototypeOf(createHook({}));
  const { enable } = prototype;
  prototype.enable = function (this: AsyncHook) {
    hooks.push(this);
    return enable.call(this);
  };
  try {
    return [work(), hooks];
  } finally {
    prototype.enable = enable;
  }
}

/**
 * Runs a file as a suite. Node's runner follows every promise of the process, which takes much of a worker's CPU time; it needs
 * that only while the file loads, to know which suite a test belongs to.
 */
async function runFile(file: string): Promise<void> {
  const cpu = process.cpuUsage();
  const before = openNow();
  const load = async (): Promise<void> => {
    try {
      await import(pathToFileURL(resolve(file)).href);
    } finally {
      for (const hook of following) hook.disable();
    }
  };
  current = file;
  for (const hook of following) hook.enable();
  await origin.run(file, () => suite(file, load));
  await nextTurn();
  current = null;
  const more = [...openNow()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  if (more.length > 0) leftBy.set(file, more.map(([kind]) => kind).join(', '));
  const { user, system } = process.cpuUsage(cpu);
  report({ type: 'done', cpuMs: Math.round((user + system) / 1000) });
}

/**
 * Reports an error that no test catches. If its file still runs, a test might wait for ever, so the process ends, and the file
 * fails with it; a file after it goes on.
 */
function reportStray(error: unknown): void {
  const file = origin.getStore();
  const stray: Report = { type: 'stray', error: `${file ?? 'A worker'}: ${inspect(error)}` };
  const isOver = file !== undefined && file !== current;
  process.send?.(stray, () => isOver || process.exit(1));
}

/** Lets the process exit on its own; if it does not, reports which files may have left something open. */
async function end(): Promise<void> {
  await closeShared();
  process.channel?.unref();
  setTimeout(() => {
    const left = [...leftBy].map(([file, kinds]) => `${file}: ${kinds}`).join('\n');
    const error = `A worker does not end on its own. Left open after their tests:\n${left}`;
    process.send?.({ type: 'stray', error } satisfies Report, () => process.exit(1));
  }, END_WITHIN_MS).unref();
}

makePasswordsCheap();

// Without files, this creates the tree that the suites are added to.
const [events, following] = captureHooks(() => run({ files: [], isolation: 'none' }));
for (const name of ['test:pass', 'test:fail'] as const)
  events.on(name, (ended: Ended) => {
    const outcome = outcomeOf(ended, name === 'test:pass');
    // The file itself counts only if it could not be loaded, or one of its hooks failed.
    if (ended.nesting > FILE_DEPTH || outcome.error !== '') report({ type: 'outcome', ...outcome });
  });
events.on('test:enqueue', ({ name, nesting }) => {
  if (nesting === FILE_DEPTH && name !== current)
    reportStray(new Error(`"${name}" begins when its file has been loaded; in a test, use t.test`));
});
events.resume();

for (const name of ['uncaughtException', 'unhandledRejection']) process.on(name, reportStray);

process.on('message', ({ file }: Order) => void (file === null ? end() : runFile(file)));
// The runner is gone.
process.on('disconnect', () => process.exit(1));
