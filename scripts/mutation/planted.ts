import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HOOK = fileURLToPath(new URL('./hook.ts', import.meta.url));

/** A source file that is replaced for one process. */
export interface Planted {
  file: string;
  text: string;
}

/** Returns a file's text with one place changed. Throws unless `from` occurs exactly once. */
export function changed(file: string, from: string, to: string): Planted {
  const parts = readFileSync(file, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return { file, text: parts.join(to) };
}

/**
 * Runs Node with these arguments and one file replaced, or none if `planted` is null; nothing on disk is changed. `note` is a
 * file that tells the process which file. Returns whether it exited with 0.
 */
export function runWith(
  planted: Planted | null,
  note: string,
  limitMs: number,
  ...args: readonly string[]
): Promise<boolean> {
  if (planted !== null)
    writeFileSync(
      note,
      JSON.stringify({ url: pathToFileURL(planted.file).href, text: planted.text }),
    );
  const hook = planted === null ? [] : [`--import=${pathToFileURL(HOOK).href}`];
  const child = spawn(process.execPath, [...hook, ...args], {
    cwd: root,
    stdio: 'ignore',
    timeout: limitMs,
    env: { ...process.env, MUTANT: note },
  });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  child.on('error', reject);
  child.on('close', (code) => resolve(code === 0));
  return promise;
}
