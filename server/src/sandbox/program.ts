import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PortInUse, type PortSetting } from '../platform/config/config.ts';
import type { Log } from '../platform/log/log.ts';

/** One of the sandbox's programs, run as a process of its own. */
export interface Program {
  name: 'bank' | 'issuer';
  configFile: string;
  /** The ports that it listens on, and the settings that name them. */
  ports: ReadonlyMap<number, PortSetting>;
}

/** Starts a program of the sandbox; resolves when it is ready, and throws as `runWithRestarts` does. */
export type RunProgram = (program: Program, log: Log) => Promise<{ close(): Promise<void> }>;

/** The contents of a program's first line. */
interface FirstLine {
  ready: boolean;
  /** This one of its ports is in use by another program. */
  port_taken?: number;
}

const MAIN = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const READY_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 6_000;
const FIRST_WAIT_MS = 250;
const MAX_RESTARTS = 8;
/** A program that ran this long has its restart count reset. */
const STEADY_AFTER_MS = 60_000;
const MAX_ERROR_OUTPUT = 4_000;

/** Returns the few environment variables that any program needs; ours contain secrets. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_COMPILE_CACHE'];
  // biome-ignore lint/style/noProcessEnv: these are the machine's, not settings of ours
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/**
 * Starts the program and resolves when it is ready. Throws PortInUse if one of its ports is in use, and the program's own message
 * if it cannot start for another reason. From then on it is restarted after a crash, with growing delays and a limit. It never
 * outlives us: its standard input is a pipe from us, which closes when we exit for any reason.
 */
export async function runWithRestarts(
  program: Program,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let child = await startProgram(program, log);
  const watch = async (): Promise<void> => {
    for (let restarts = 0; restarts <= MAX_RESTARTS; restarts++) {
      const since = performance.now();
      await ended(child);
      if (closing.signal.aborted) return;
      if (performance.now() - since > STEADY_AFTER_MS) restarts = 0;
      log.report('sandbox.program_restarted', { program: program.name });
      await sleep(FIRST_WAIT_MS * 2 ** restarts, undefined, { signal: closing.signal });
      child = await startProgram(program, log).catch((error: unknown) => {
        log.report('sandbox.program_not_started', { program: program.name, err: error });
        return child; // it has exited: the next round waits longer
      });
      if (closing.signal.aborted) child.kill('SIGTERM');
    }
    log.report('sandbox.program_abandoned', { program: program.name });
  };
  const watched = watch().catch(() => undefined); // close ends the wait early
  return {
    close: async () => {
      closing.abort();
      await stopProgram(child);
      await watched;
      await stopProgram(child);
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit');
}

async function stopProgram(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended(child);
  clearTimeout(force);
}

async function startProgram(program: Program, log: Log): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, program.name, '--config', program.configFile], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: plainEnvironment(),
    // A group of its own: Ctrl-C is for us, and we stop the program when our work is done.
    detached: process.platform !== 'win32',
  });
  let complaint = '';
  child.stdin.on('error', () => undefined); // the program exited
  createInterface(child.stderr).on('line', (line) => {
    complaint = `${complaint}${line}\n`.slice(-MAX_ERROR_OUTPUT);
    log.report('sandbox.program_wrote', { program: program.name, said: line });
  });
  const lines = createInterface(child.stdout);
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  const said = await Promise.race([
    once(lines, 'line', { signal: late }).then(([line]) => JSON.parse(String(line)) as FirstLine),
    once(child, 'close', { signal: late }).then(() => null),
  ]).catch(() => null);
  if (said?.ready === true) {
    log.info({ program: program.name, pid: child.pid }, 'a program of the sandbox runs');
    child.stdout.resume();
    return child;
  }
  await stopProgram(child);
  const port = said?.port_taken ?? 0;
  const setting = program.ports.get(port);
  if (setting !== undefined) throw new PortInUse(port, setting);
  const last = complaint.trim().split('\n').at(-1);
  throw new Error(last || `The sandbox ${program.name} did not start`);
}
