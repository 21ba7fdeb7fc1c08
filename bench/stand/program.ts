import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

/** A program of the benchmark in a process of its own, as if on a machine of its own. */
export interface Program extends AsyncDisposable {
  pid: number;
}

/** The merchants' receiver, or a partner that accepts everything: `<port> [certificate key]`. */
export const RECEIVER = 'bench/stand/receiver.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STARTS_WITHIN_MS = 60_000;
const POLL_MS = 50;
const KILLED_AFTER_MS = 15_000;

/**
 * Starts `node <file> …args` in the repository's folder; drops its output and shows its errors. It ends with the block that
 * started it.
 */
export function startProgram(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Waits until the address responds 200. Throws if it does not within a minute. */
export async function awaitAnswer(url: string): Promise<void> {
  const until = performance.now() + STARTS_WITHIN_MS;
  while (performance.now() < until) {
    const answer = await request(url).catch(() => null);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return;
    await sleep(POLL_MS);
  }
  throw new Error(`${url} does not answer`);
}
