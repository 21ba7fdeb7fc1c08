import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gitEnvironment, messageProblems, newCommits } from './commits.ts';

const WHY = 'The problem, what followed, what was decided.';

/** Returns how many problems a commit message has. */
const problems = (subject: string, body = WHY): number => messageProblems({ subject, body }).length;

test('commits: an imperative within 72 characters and a body that says why pass', () => {
  for (const subject of [
    'Reject pay-ins whose amount differs from the attempt',
    'Process pay-ins in order',
    'Seed the sandbox with a second bank',
    'Bring the rules home',
    `Add ${'x'.repeat(68)}`,
  ])
    assert.deepEqual(messageProblems({ subject, body: WHY }), [], subject);
});

test('commits: every break of the style is found', () => {
  for (const subject of [
    `Add ${'x'.repeat(69)}`,
    'Add a page.',
    'add a page',
    'Added a page',
    'Adding a page',
    'Adds a page',
    'Tests of what is quick keep their bounds',
    'A webhook is named by its kind',
    'The page says more',
    'WIP',
    'feat: add a page',
    'fixup! Add a page',
  ])
    assert.ok(problems(subject) > 0, subject);
  assert.equal(problems('Add a page', '\n'), 1);
});

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'recollect-commits-'));
  t.after(() => rm(made, { recursive: true }));
  return made;
}

function git(root: string, ...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.example', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', ['-C', root, ...who, ...args], {
    encoding: 'utf8',
    env: gitEnvironment(),
    stdio: 'pipe',
  }).trim();
}

/** Creates a repository with one commit per subject; returns the id of the first. */
async function repository(root: string, ...subjects: string[]): Promise<string> {
  await mkdir(root, { recursive: true });
  git(root, 'init', '-q');
  for (const subject of subjects)
    git(root, 'commit', '-q', '--allow-empty', '-m', subject, '-m', WHY);
  return git(root, 'rev-list', '--max-parents=0', 'HEAD');
}

const subjects = async (root: string, base: string): Promise<string[]> =>
  (await newCommits(root, base)).commits.map(({ subject }) => subject);

test('commits: those since the base are read, with their bodies, and no older one', async (t) => {
  const root = await folder(t);
  const base = await repository(root, 'Old words.', 'Add one', 'Add two');
  const { commits, skipped } = await newCommits(root, base);
  assert.equal(skipped, undefined);
  assert.deepEqual(
    commits.map(({ subject, body }) => [subject, body.trim()]),
    [
      ['Add two', WHY],
      ['Add one', WHY],
    ],
  );
});

test('commits: a shallow clone gives what it has', async (t) => {
  const root = await folder(t);
  const base = await repository(join(root, 'whole'), 'Old words.', 'Add one', 'Add two');
  const from = pathToFileURL(join(root, 'whole')).href;
  git(root, 'clone', '-q', '--depth', '1', from, 'shallow');
  assert.deepEqual(await subjects(join(root, 'shallow'), base), ['Add two']);
});

test('commits: no repository, a folder of another repository and another history are skipped', async (t) => {
  const root = await folder(t);
  assert.match((await newCommits(root)).skipped ?? '', /not a git repository/);
  await repository(root, 'Old words.');
  assert.match((await newCommits(root)).skipped ?? '', /does not hold/);
  await mkdir(join(root, 'unpacked'));
  assert.match((await newCommits(join(root, 'unpacked'))).skipped ?? '', /of its own/);
});
