import { execFile } from 'node:child_process';
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

/** As many versions of a file are looked at as a change may have commits. */
const VERSIONS = 20;

/** Returns a file as its last commits left it, newest first; empty: git knows nothing of it. */
export async function committedTexts(root: string, path: string): Promise<string[]> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', [...args], { cwd: root, env: gitEnvironment() })).stdout;
  try {
    const commits = await git('log', '-n', String(VERSIONS), '--format=%H', '--', path);
    const texts = commits
      .split('\n')
      .filter(Boolean)
      .map((commit) => git('show', `${commit}:${path}`));
    return await Promise.all(texts);
  } catch {
    // Without git, or in an unpacked archive, nothing is known of earlier.
    return [];
  }
}
