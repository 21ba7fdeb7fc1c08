// Runs test files, one after the other, in one process: modules are loaded once, and code stays warm from file to file. Each file
// is a suite of its own, so that its hooks apply to its own tests only. The runner says which file is next.
import { relative, resolve } from 'node:path';
import { run, suite } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { closeShared } from '../../server/test-support/shared.ts';
import type { Order, Outcome, Report } from './messages.ts';

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];

/** Time for an idle process to exit. */
const END_WITHIN_MS = 10_000;
/** The beginning of a diagnostic of Node's runner about an error outside every test. */
const STRAY = 'Error: ';
/** The file is the suite at this depth, its tests are deeper. */
const FILE_DEPTH = 0;

const leftBy = new Map<string, string>();

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

async function runFile(file: string): Promise<void> {
  const cpu = process.cpuUsage();
  const before = openNow();
  await suite(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
  await nextTurn();
  const more = [...openNow()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  if (more.length > 0) leftBy.set(file, more.map(([kind]) => kind).join(', '));
  const { user, system } = process.cpuUsage(cpu);
  report({ type: 'done', cpuMs: Math.round((user + system) / 1000) });
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

// Without files, this creates the tree that the suites are added to.
const events = run({ files: [], isolation: 'none' });
for (const name of ['test:pass', 'test:fail'] as const)
  events.on(name, (ended: Ended) => {
    const outcome = outcomeOf(ended, name === 'test:pass');
    // The file itself counts only if it could not be loaded, or one of its hooks failed.
    if (ended.nesting > FILE_DEPTH || outcome.error !== '') report({ type: 'outcome', ...outcome });
  });
events.on('test:diagnostic', ({ message }) => {
  if (message.startsWith(STRAY)) report({ type: 'stray', error: message });
});
events.resume();

process.on('message', ({ file }: Order) => void (file === null ? end() : runFile(file)));
// The runner is gone.
process.on('disconnect', () => process.exit(1));
