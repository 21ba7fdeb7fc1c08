import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitEnvironment } from '../checks/commits.ts';
import { checksOf, styledPaths } from './checks.ts';
import { baseOf, changedFiles } from './files.ts';

test('the base is HEAD unless the option names another', () => {
  assert.equal(baseOf(['types']), undefined);
  assert.equal(baseOf(['--changed', 'types']), 'HEAD');
  assert.equal(baseOf(['--changed=main']), 'main');
});

test('what is staged, unstaged, untracked, deleted or renamed has changed; what git ignores has not', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'changed-'));
  t.after(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: root,
      env: gitEnvironment(),
    });
  const write = (path: string, text = path) => writeFileSync(join(root, path), text);
  git('init', '--quiet');
  for (const name of ['same', 'staged', 'unstaged', 'deleted', 'renamed']) write(name);
  write('.gitignore', 'ignored');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Add files');
  assert.deepEqual(await changedFiles(root, 'HEAD'), []);
  write('staged', 'other');
  git('add', 'staged');
  write('unstaged', 'other');
  rmSync(join(root, 'deleted'));
  git('mv', 'renamed', 'other-name');
  mkdirSync(join(root, 'folder'));
  write('folder/a name with ünicode');
  write('ignored');
  const changed = [
    'deleted',
    'folder/a name with ünicode',
    'other-name',
    'renamed',
    'staged',
    'unstaged',
  ];
  assert.deepEqual(await changedFiles(root, 'HEAD'), changed);
  git('add', '.');
  git('commit', '--quiet', '-m', 'Change files');
  assert.deepEqual(await changedFiles(root, 'HEAD'), []);
  assert.deepEqual(await changedFiles(root, 'HEAD~1'), changed);
  await assert.rejects(changedFiles(root, 'nothing'));
});

test('only the checks that a change can break are run', () => {
  assert.deepEqual(checksOf(['docs/proof.md']), ['rules']);
  assert.deepEqual(checksOf(['dashboard/src/ui/button.tsx']), ['pages', 'style', 'rules']);
  assert.deepEqual(checksOf(['scripts/test.ts']), ['types', 'style', 'rules']);
  assert.deepEqual(checksOf(['server/src/dashboard/view.ts']), [
    'types',
    'pages',
    'style',
    'rules',
  ]);
  assert.deepEqual(checksOf(['dashboard/src/ui/button.css']), ['style', 'rules']);
  assert.ok(checksOf(['package-lock.json']).includes('packages'));
});

test('style is checked of the files that are there, and of all after a change of its settings', () => {
  const exists = (path: string) => path !== 'gone.ts';
  assert.deepEqual(styledPaths(['a.ts', 'b.md', 'gone.ts'], exists), ['a.ts']);
  assert.deepEqual(styledPaths(['gone.ts'], exists), []);
  assert.deepEqual(styledPaths(['a.ts', 'biome.json'], exists), ['.']);
  const many = Array.from({ length: 500 }, (_, n) => `${n}.ts`);
  assert.deepEqual(styledPaths(many, exists), ['.']);
});
