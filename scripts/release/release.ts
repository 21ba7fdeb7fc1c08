import { execFileSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRelease, type Order } from './build.ts';
import { notesOf } from './changelog.ts';
import { type Read, refuseVersion, releaseEdits } from './edits.ts';
import { git, readCommit, refuseDirtyTree } from './git.ts';

/** A release as it is asked for. */
export interface Wish extends Omit<Order, 'edits'> {
  isDryRun: boolean;
  key: KeyObject | null;
  /** Shows a line to whoever makes the release. */
  say(line: string): void;
}

/** What must hold before a release. */
const GREEN = '.ci/run';

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/**
 * Makes a release: refuses a tree that is not clean or not green, cuts the changelog and sets the versions, commits them, builds
 * the artefacts of that commit, and tags it. A version that the changelog has already is built again from its commit, and tagged
 * where the tag is missing. A dry run builds what the release would, with the date of the commit, and leaves files and history
 * alone.
 */
export async function makeRelease(wish: Wish): Promise<void> {
  const { root, version, isDryRun, key, say } = wish;
  const read: Read = (path) => readFileSync(join(root, path), 'utf8');
  const before = (JSON.parse(read('package.json')) as { version: string }).version;
  const changelog = read('CHANGELOG.md');
  refuseVersion(version, before, notesOf(changelog, version) !== null);
  refuseDirtyTree(root);
  if (key === null && !isDryRun)
    throw new Error('--key: a release is signed; name the private key, or set RELEASE_KEY_FILE');
  if (isDryRun) say(`Dry run: ${GREEN} was not run, and nothing is changed.`);
  else {
    execFileSync(join(root, GREEN), { cwd: root, stdio: 'inherit' });
    refuseDirtyTree(root);
  }
  const date = isDryRun ? dayOf(readCommit(root).seconds) : dayOf(Date.now() / 1000);
  const edits = releaseEdits(read, { version, date });
  if (!isDryRun && edits.size > 0) commit(root, version, edits);
  const sums = await buildRelease({ ...wish, edits });
  for (const [name, sum] of sums) say(`${sum}  ${name}`);
  if (key === null) say('Not signed: without a key there is no provenance.');
  if (!isDryRun) tag(root, version, say);
}

function commit(root: string, version: string, edits: ReadonlyMap<string, string>): void {
  for (const [path, text] of edits) writeFileSync(join(root, path), text);
  git(root, ['add', '--', ...edits.keys()]);
  const body = 'The changelog is cut, and whatever names the version names this one.';
  git(root, ['commit', '--quiet', '-m', `Release ${version}`, '-m', body]);
}

/** Tags the commit. Where the tag stands at another commit, that is an error of git's, which is shown. */
function tag(root: string, version: string, say: Wish['say']): void {
  const name = `v${version}`;
  const exists = git(root, ['tag', '--list', name]).trim() !== '';
  const isHere = exists && git(root, ['tag', '--points-at', 'HEAD']).split('\n').includes(name);
  if (!isHere) git(root, ['tag', '--annotate', name, '-m', `Recollect ${version}`]);
  say(`Tagged ${name}. Push it where the remote keeps tags: git push --follow-tags`);
}
