import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './files.ts';

/** How long each test file took, in seconds, by its path. */
export type Seconds = Readonly<Record<string, number>>;

/** What the last runs on this machine took. */
const RECORDED = join(ROOT, 'node_modules', '.cache', 'tests', 'seconds.json');
/** The longest files of one run, for a machine that has not run them yet. */
const COMMITTED = join(ROOT, 'scripts', 'suite', 'seconds.json');
/** For a file of which nothing is known: what most of its folder take. */
const USUAL: ReadonlyArray<readonly [folder: string, seconds: number]> = [
  ['test/browser/', 20],
  ['test/', 8],
  ['', 1],
];

/** Returns what each file took when it ran last, on this machine if it did. Files that never ran are missing. */
export function recordedSeconds(): Seconds {
  return { ...read(COMMITTED), ...read(RECORDED) };
}

/** Stores what files took. Those that are gone from the tree are dropped. */
export function recordSeconds(took: Seconds, files: readonly string[]): void {
  const known = new Set(files);
  const all = Object.entries({ ...read(RECORDED), ...took }).filter(([file]) => known.has(file));
  mkdirSync(dirname(RECORDED), { recursive: true });
  writeFileSync(RECORDED, `${JSON.stringify(Object.fromEntries(all.sort()), null, 1)}\n`);
}

/** Returns the seconds that a file takes as far as is known. */
export function secondsOf(seconds: Seconds, file: string): number {
  return seconds[file] ?? USUAL.find(([folder]) => file.startsWith(folder))?.[1] ?? 0;
}

/** Returns the files, longest first: one that was started last would hold up the end of the run. */
export function longestFirst(files: readonly string[], seconds: Seconds): string[] {
  return files.toSorted((a, b) => secondsOf(seconds, b) - secondsOf(seconds, a));
}

/** A run that was interrupted while it wrote may leave half a file: that costs an order, never a run. */
function read(path: string): Seconds {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Seconds;
  } catch {
    return {};
  }
}
