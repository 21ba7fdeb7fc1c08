import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a server records about itself in `postmaster.pid`. */
export type Postmaster = {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
};

/** Parses `postmaster.pid`; undefined until its first line is written. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return undefined;
  const port = Number.parseInt(lines[3] ?? '', 10) || 0;
  return { pid, port, ready: lines[7]?.trim() === 'ready' };
}

/**
 * Returns the server that runs on the cluster, or undefined. After a crash the file may name a process that has ended, which
 * PostgreSQL handles itself, or an unrelated process: then we remove the file.
 */
export function runningPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, 'postmaster.pid');
  const postmaster = readPostmaster(file);
  if (!postmaster || !isAlive(postmaster.pid)) return undefined;
  if (isPostgresOf(cluster, postmaster.pid)) return postmaster;
  if (isAlive(postmaster.pid)) rmSync(file, { force: true });
  return undefined;
}

function readPostmaster(file: string): Postmaster | undefined {
  try {
    return parsePostmaster(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether a process is running. One that we may not signal belongs to another user, so it is no server on our cluster. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process is the server of this cluster: by its working folder or, if that cannot be read, by its name. */
function isPostgresOf(cluster: string, pid: number): boolean {
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch {
    return nameOf(pid).includes('postgres');
  }
}

function nameOf(pid: number): string {
  const ps = ['ps', '-p', String(pid), '-o', 'comm='] as const;
  const tasklist = ['tasklist', '/NH', '/FI', `PID eq ${pid}`] as const;
  const [command, ...args] = process.platform === 'win32' ? tasklist : ps;
  try {
    // Empty for a process that has ended but was not reaped.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync(command, args, { encoding: 'utf8', timeout: 5_000 });
  } catch {
    return '';
  }
}

/** Waits until no server runs on the cluster; returns false if one still does after `limitMs`. */
export async function goneWithin(cluster: string, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (runningPostmaster(cluster)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
