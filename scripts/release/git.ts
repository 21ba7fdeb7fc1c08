import { execFileSync } from 'node:child_process';

/** The commit that is built. */
export interface Commit {
  id: string;
  /** When it was committed, in seconds since 1970. */
  seconds: number;
  repository: string | null;
}

/** Runs git in a folder; returns what it printed. Throws with what it said where it failed. */
export function git(root: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Returns the commit that is checked out. */
export function readCommit(root: string): Commit {
  const [id = '', seconds = ''] = git(root, ['log', '-1', '--format=%H %ct']).trim().split(' ');
  const repository = git(root, ['remote']).includes('origin')
    ? git(root, ['remote', 'get-url', 'origin']).trim()
    : null;
  return { id, seconds: Number(seconds), repository };
}

/** A tracked file, and whether it can be run. */
export interface Tracked {
  path: string;
  isExecutable: boolean;
}

/** Returns the files that git tracks, as they stand in the folder. */
export function trackedFiles(root: string): Tracked[] {
  return git(root, ['ls-files', '--stage', '-z'])
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({
      path: line.slice(line.indexOf('\t') + 1),
      isExecutable: line.startsWith('100755'),
    }));
}

/** Throws, naming the files, if anything differs from what is committed. */
export function refuseDirtyTree(root: string): void {
  const changed = git(root, ['status', '--porcelain']).trimEnd();
  if (changed !== '') throw new Error(`the tree is not clean: commit or remove these\n${changed}`);
}
