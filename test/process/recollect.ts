import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const PATIENCE_MS = 120_000;

export const FREE_PORTS = {
  PORT: '0',
  OPERATOR_PORT: '0',
  SANDBOX_BANK_PORT: '0',
  SANDBOX_BANK_PAGES_PORT: '0',
  SANDBOX_ISSUER_PORT: '0',
};

export type Env = Readonly<Record<string, string>>;

/** What every program gets from the machine, and what the test sets. */
export function environment(env: Env): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...env };
}

/** How a program ended. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const HOST = fileURLToPath(new URL('./host.ts', import.meta.url));
let host: ChildProcess | undefined;

/** The result of one command, from the process that runs many. */
export interface Answer {
  ended: Ended;
  /** The process ended with the command. */
  isOver: boolean;
}

/**
 * Runs `recollect` to its end, for at most a minute. A command that starts a service gets its own process; the others run in a
 * shared process, one at a time.
 */
export async function recollect(env: Env, ...args: string[]): Promise<Ended> {
  if (args[0] === 'start' || args[0] === 'serve') return recollectAlone(env, ...args);
  host ??= fork(HOST, [], { env: environment({}) });
  const { channel } = host;
  host.ref();
  channel?.ref();
  host.send({ env: environment(env), args });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const [answer] = (await once(host, 'message', { signal }).catch((error) => {
    host?.kill('SIGKILL');
    host = undefined;
    throw error;
  })) as [Answer];
  // It ends with this process, and does not keep it running.
  host.unref();
  channel?.unref();
  if (answer.isOver) host = undefined;
  return answer.ended;
}

/** Runs `recollect` to its end in its own process. */
export async function recollectAlone(env: Env, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Whether the process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^Z/.test(execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}
