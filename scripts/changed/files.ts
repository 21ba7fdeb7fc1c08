import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from '../checks/commits.ts';

const OPTION = '--changed';
const run = promisify(execFile);

/** Returns what `--changed` or `--changed=REF` compares with; undefined: there is no such option. */
export function baseOf(args: readonly string[]): string | undefined {
  const option = args.findLast((arg) => arg === OPTION || arg.startsWith(`${OPTION}=`));
  return option === undefined ? undefined : option.slice(OPTION.length + 1) || 'HEAD';
}

/**
 * Lists the files that differ from a commit: staged, unstaged, untracked, deleted. A renamed file counts under both names.
 * Throws if `base` is no commit of the repository.
 */
export async function changedFiles(root: string, base: string): Promise<string[]> {
  const git = async (...args: readonly string[]): Promise<string[]> => {
    const options = { cwd: root, env: gitEnvironment(), maxBuffer: 64 * 1024 * 1024 };
    return (await run('git', [...args], options)).stdout.split('\0').filter(Boolean);
  };
  const [tracked, untracked] = await Promise.all([
    git('diff', '--name-only', '--no-renames', '-z', '--end-of-options', base, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return [...new Set([...tracked, ...untracked])].sort();
}

/** Returns a file as it was before its last change, committed or not; undefined: it was never another. */
export async function earlierText(root: string, path: string): Promise<string | undefined> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', [...args], { cwd: root, env: gitEnvironment() })).stdout;
  const current = await readFile(join(root, path), 'utf8');
  try {
    const commits = await git('log', '-n', '2', '--format=%H', '--', path);
    for (const commit of commits.split('\n').filter(Boolean)) {
      const text = await git('show', `${commit}:${path}`);
      if (text !== current) return text;
    }
  } catch {
    // Without git, or in an unpacked archive, nothing is known of earlier.
  }
  return undefined;
}
