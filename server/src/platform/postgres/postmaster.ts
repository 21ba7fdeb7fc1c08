import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a server writes about itself in `postmaster.pid`. */
export type Postmaster = {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
};

const file = (cluster: string) => join(cluster, 'postmaster.pid');

/** Reads the text of `postmaster.pid`; undefined while its lines are not all written. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const port = Number.parseInt(lines[3] ?? '', 10);
  return { pid, port: Number.isNaN(port) ? 0 : port, ready: lines[7]?.trim() === 'ready' };
}

/**
 * The server that runs on the cluster, or undefined. After a crash the file may name a process that is
 * dead, or that is by now something else; PostgreSQL itself gets over the first but not the second, so
 * then the file is removed.
 */
export function runningPostmaster(cluster: string): Postmaster | undefined {
  const postmaster = readPostmaster(cluster);
  if (!postmaster || !isAlive(postmaster.pid)) return undefined;
  if (isPostgresOf(cluster, postmaster.pid)) return postmaster;
  if (isAlive(postmaster.pid)) rmSync(file(cluster), { force: true });
  return undefined;
}

function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    return parsePostmaster(readFileSync(file(cluster), 'utf8'));
  } catch {
    return undefined;
  }
}

/** A process that we may not signal is another user's, and so not a server on our cluster. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A server's working folder is its cluster; where that cannot be seen, its name must do. */
function isPostgresOf(cluster: string, pid: number): boolean {
  try {
    const its = statSync(`/proc/${pid}/cwd`);
    const ours = statSync(cluster);
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch {
    return nameOf(pid).includes('postgres');
  }
}

function nameOf(pid: number): string {
  try {
    // A process that has ended but was not collected keeps its name and has no command line.
    if (process.platform === 'linux')
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8') && readFileSync(`/proc/${pid}/comm`, 'utf8')
      );
    const [command, args] =
      process.platform === 'win32'
        ? (['tasklist', ['/NH', '/FI', `PID eq ${pid}`]] as const)
        : (['ps', ['-p', String(pid), '-o', 'comm=']] as const);
    return execFileSync(command, args, { encoding: 'utf8', timeout: 5_000 });
  } catch {
    return '';
  }
}

/** Waits until no server runs on the cluster; false when it still does after `limitMs`. */
export async function goneWithin(cluster: string, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (runningPostmaster(cluster)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
