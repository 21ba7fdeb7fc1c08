import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Env } from '../../../platform/config/readers.ts';

/** A process and its start time, because process ids are reused. */
interface Process {
  pid: number;
  parent: number;
  began: string;
  command: string;
}

const OUR_SCRIPT = /^node server[/]src[/]main[.]ts\b/;
/** Shell syntax that detaches a program: it is meant to outlive the script that started it. */
const DETACHED = /[&|;]|\b(nohup|setsid|disown)\b/;
const RUNNER = /\b(npm|npx|pnpm|yarn)\b/;
const MAX_GENERATIONS = 4;
const POLL_MS = 500;

/**
 * Calls `gone` when the npm that runs us as its script has ended. npm passes a signal on to the shell between us, and that shell
 * exits without passing it on. A process started any other way, or in the background, is not watched: it is meant to keep
 * running.
 */
export function watchLauncher(env: Env, gone: () => void): void {
  const script = env.npm_lifecycle_script ?? '';
  if (process.platform === 'win32' || !OUR_SCRIPT.test(script) || DETACHED.test(script)) return;
  const launcher = findRunner();
  if (launcher === null) return;
  const timer = setInterval(() => {
    const now = findProcess(launcher.pid);
    if (now !== null && now.began === launcher.began) return;
    clearInterval(timer);
    gone();
  }, POLL_MS);
  timer.unref();
}

/** Returns our nearest ancestor that runs scripts, or null. */
function findRunner(): Process | null {
  let next = process.ppid;
  for (let generation = 0; generation < MAX_GENERATIONS && next > 0; generation++) {
    const ancestor = findProcess(next);
    if (ancestor === null || RUNNER.test(ancestor.command)) return ancestor;
    next = ancestor.parent;
  }
  return null;
}

/** Returns a running process; null if it has ended, even as a zombie. */
function findProcess(pid: number): Process | null {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
  } catch {
    return null;
  }
}

function readFromProc(pid: number): Process | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in brackets and may contain anything; the fields after it are numbers.
  const [state = '', parent = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  return { pid, parent: Number(parent), began: rest[17] ?? '', command };
}

function readFromPs(pid: number): Process | null {
  const line = execFileSync('ps', ['-o', 'stat=,ppid=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 5_000,
  }).trim();
  const [, state = 'Z', parent = '', began = '', command = ''] =
    /^(\S+) +(\d+) +(\S+ +\S+ +\S+ +\S+ +\S+) +(.*)$/.exec(line) ?? [];
  return state.startsWith('Z') ? null : { pid, parent: Number(parent), began, command };
}
