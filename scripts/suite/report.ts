import { styleText } from 'node:util';
import type { Outcome } from './messages.ts';

/** A test file that has finished, or whose process has ended. */
export interface FileResult {
  file: string;
  outcomes: readonly Outcome[];
  /** The output of the file and its tests. */
  printed: string;
  /** Why the file as a whole failed; null: it finished. */
  broken: string | null;
  ms: number;
  cpuMs: number;
}

const SLOWEST = 5;

const isFailure = ({ state, error }: Outcome): boolean =>
  error !== '' && (state === 'failed' || state === 'cancelled');

/** Whether everything in the file passed. */
export function isGood({ outcomes, broken }: FileResult): boolean {
  return broken === null && !outcomes.some(isFailure);
}

/** Formats a finished file: one line, and its failures. With `names`, every test. */
export function describeFile(result: FileResult, names: boolean): string {
  const { file, outcomes, printed, ms } = result;
  const tests = outcomes.filter(({ kind }) => kind === 'test');
  const mark = isGood(result) ? styleText('green', '✔') : styleText('red', '✖');
  const size = `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}, ${seconds(ms)} s`;
  const lines = [`${mark} ${file} ${styleText('gray', `(${size})`)}`];
  if (printed !== '') lines.push(indented(printed.trimEnd()));
  for (const test of outcomes) {
    if (isFailure(test)) lines.push(...describeFailure(test).map(indented));
    else if (names && test.kind === 'test') lines.push(`  ${symbolOf(test)} ${test.name}`);
  }
  if (result.broken !== null) lines.push(indented(`${styleText('red', '✖')} ${result.broken}`));
  return lines.join('\n');
}

function describeFailure({ name, place, error }: Outcome): string[] {
  return [`${styleText('red', `✖ ${name}`)} ${styleText('gray', `(${place})`)}`, indented(error)];
}

function symbolOf({ state }: Outcome): string {
  return state === 'passed' ? styleText('green', '✔') : styleText('gray', `﹣ ${state}:`);
}

/** Formats the end of a run: the failures again, and the counts as Node's runner writes them. */
export function summarize(
  results: readonly FileResult[],
  strays: readonly string[],
  ms: number,
): string {
  const failed = results.filter((result) => !isGood(result));
  const lines = failed.length + strays.length > 0 ? ['', styleText('red', 'Failed:'), ''] : [''];
  lines.push(...failed.map((result) => describeFile({ ...result, printed: '' }, false)));
  lines.push(...strays.map((stray) => `${styleText('red', '✖')} ${stray}`));
  const outcomes = results.flatMap((result) => [...result.outcomes]);
  const tests = outcomes.filter(({ kind }) => kind === 'test');
  const count = (state: Outcome['state']): number =>
    tests.filter((test) => test.state === state).length;
  const cpuMs = results.reduce((sum, result) => sum + result.cpuMs, 0);
  const counts: readonly (readonly [string, number | string])[] = [
    ['files', results.length],
    ['tests', tests.length],
    ['pass', count('passed')],
    // A failure as a whole counts as one, so that every failure is counted.
    ['fail', count('failed') + failed.filter(isBrokenAsAWhole).length + strays.length],
    ['cancelled', count('cancelled')],
    ['skipped', count('skipped')],
    ['todo', count('todo')],
    ['seconds', seconds(ms)],
    ['cpu_seconds', `${seconds(cpuMs)} in the workers`],
  ];
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (results.length > SLOWEST)
    lines.push(`ℹ slowest ${slowest.map(({ file, ms }) => `${file} ${seconds(ms)} s`).join(', ')}`);
  lines.push(...counts.map(([name, value]) => `ℹ ${name} ${value}`));
  return lines.join('\n');
}

/** Whether no test of it failed: the file could not be loaded, a hook failed, or its process ended. */
function isBrokenAsAWhole({ outcomes }: FileResult): boolean {
  return !outcomes.some((outcome) => isFailure(outcome) && outcome.kind === 'test');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
