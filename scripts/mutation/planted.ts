import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HOOK = fileURLToPath(new URL('./hook.ts', import.meta.url));

/** A file of ours that is another one for a process. */
export interface Planted {
  file: string;
  text: string;
}

/** The text of a file with one place changed. Throws where that place is not there once. */
export function changed(file: string, from: string, to: string): Planted {
  const parts = readFileSync(file, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return { file, text: parts.join(to) };
}

/**
 * Runs Node with these arguments, with one file replaced, or with none where `planted` is null; nothing on the disk is changed.
 * `note`: a file of ours that tells the process which. Returns whether it exited with 0.
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
