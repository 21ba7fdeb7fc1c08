import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitEnvironment } from '../checks/commits.ts';
import { checksOf, styledPaths } from './checks.ts';
import { baseOf, changedFiles } from './files.ts';
import { distancesTo, importsOf } from './imports.ts';
import { type Candidates, describeSelection, selectTests } from './tests.ts';

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
  const files = [
    {
      path: 'dashboard/src/page.tsx',
      text: `import type { View } from '../../server/src/view.ts';`,
    },
    { path: 'server/src/view.ts', text: `import { type A } from './a.ts';` },
    { path: 'server/src/a.ts', text: '' },
    { path: 'server/src/b.ts', text: '' },
  ];
  const run = (path: string): string => checksOf([path], files).join(' ');
  assert.equal(run('docs/proof.md'), 'rules');
  assert.equal(run('dashboard/src/ui/button.tsx'), 'pages style rules budget');
  assert.equal(run('scripts/test.ts'), 'types style rules budget');
  assert.equal(run('server/src/a.ts'), 'types pages style rules budget');
  assert.equal(run('server/src/b.ts'), 'types style rules budget');
  assert.equal(run('dashboard/src/ui/button.css'), 'style rules budget');
  assert.equal(run('package-lock.json'), 'types style rules packages');
});

test('style is checked of the files that are there, and of all after a change of its settings', () => {
  const exists = (path: string) => path !== 'gone.ts';
  assert.deepEqual(styledPaths(['a.ts', 'b.md', 'gone.ts'], exists), ['a.ts']);
  assert.deepEqual(styledPaths(['gone.ts'], exists), []);
  assert.deepEqual(styledPaths(['a.ts', 'biome.json'], exists), ['.']);
  const many = Array.from({ length: 500 }, (_, n) => `${n}.ts`);
  assert.deepEqual(styledPaths(many, exists), ['.']);
});

/** A small tree: what each file holds. */
const TREE: Readonly<Record<string, string>> = {
  'server/src/money.ts': `export const one = 1;`,
  'server/src/pay.ts': `import { one } from './money.ts';\nexport {\n  two,\n} from './two.ts';`,
  'server/src/two.ts': `import type { One } from './money.ts';\nimport {\n  a,\n} from './one.ts';`,
  'server/src/main.ts': `const { pay } = await import('./pay.ts');`,
  'sdk/src/index.ts': `export const client = 1;`,
  'test/process/run.ts': `const MAIN = new URL('../../server/src/main.ts', import.meta.url);`,
  'test/browser/dashboard.ts': '',
  'dashboard/src/main.tsx': `import { Page } from './page.tsx';`,
  'dashboard/src/page.tsx': `import { client } from '@recollect/sdk';`,
};

test('a file needs what it imports, re-exports, loads later or starts, and no file for its types alone', () => {
  const imports = importsOf(Object.entries(TREE).map(([path, text]) => ({ path, text })));
  const needs = (path: string) => [...(imports.get(path) ?? [])];
  assert.deepEqual(needs('server/src/pay.ts'), ['server/src/money.ts', 'server/src/two.ts']);
  assert.deepEqual(needs('server/src/two.ts'), []);
  assert.deepEqual(needs('server/src/main.ts'), ['server/src/pay.ts']);
  assert.deepEqual(needs('test/process/run.ts'), ['server/src/main.ts']);
  assert.deepEqual(needs('dashboard/src/page.tsx'), ['sdk/src/index.ts']);
  assert.deepEqual(needs('test/browser/dashboard.ts'), ['dashboard/src/main.tsx']);
  assert.deepEqual(
    [...distancesTo(['server/src/money.ts'], imports)],
    [
      ['server/src/money.ts', 0],
      ['server/src/pay.ts', 1],
      ['server/src/main.ts', 2],
      ['test/process/run.ts', 3],
    ],
  );
  assert.equal(distancesTo(['sdk/src/index.ts'], imports).get('test/browser/dashboard.ts'), 3);
});

/** Selects among tests that import each other's support in a row: `a` is next to the changed file, `d` farthest. */
function select(over: Partial<Candidates>) {
  const tests: Record<string, string> = {
    'server/src/refunds/refund.test.ts': `import './refund.ts';`,
    'server/src/refunds/slow.test.ts': `import './refund.ts';`,
    'test/scenarios/alpha.test.ts': `import '../harness.ts';`,
    'test/scenarios/refunds.test.ts': `import '../harness.ts';`,
    'test/scenarios/long.test.ts': `import '../harness.ts';`,
    'test/scenarios/other.test.ts': `import '../other.ts';`,
    'test/cluster/refunds.test.ts': `import '../harness.ts';`,
  };
  const code: Record<string, string> = {
    'server/src/refunds/refund.ts': '',
    'server/src/service.ts': `import './refunds/refund.ts';`,
    'test/harness.ts': `import '../server/src/service.ts';`,
    'test/other.ts': '',
    'server/src/alone.ts': '',
  };
  return selectTests({
    changed: ['server/src/refunds/refund.ts'],
    files: Object.entries({ ...tests, ...code }).map(([path, text]) => ({ path, text })),
    tests: Object.keys(tests),
    isElsewhere: (file) => file.startsWith('test/cluster/'),
    seconds: {
      'server/src/refunds/refund.test.ts': 1,
      'server/src/refunds/slow.test.ts': 900,
      'test/scenarios/alpha.test.ts': 8,
      'test/scenarios/refunds.test.ts': 8,
      'test/scenarios/long.test.ts': 70,
      'test/scenarios/other.test.ts': 1,
    },
    budget: { all: 20, one: 60 },
    ...over,
  });
}

test('the nearest tests run, of equally far ones those of a kindred name, up to the budget', () => {
  const { chosen, leftOut, unreached } = select({});
  assert.deepEqual(chosen, [
    'server/src/refunds/refund.test.ts',
    'test/scenarios/refunds.test.ts',
    'test/scenarios/alpha.test.ts',
  ]);
  assert.deepEqual(leftOut, ['server/src/refunds/slow.test.ts', 'test/scenarios/long.test.ts']);
  assert.deepEqual(unreached, []);
  const short = select({ budget: { all: 10, one: 60 } });
  assert.deepEqual(short.chosen, chosen.slice(0, 2));
  assert.deepEqual(select({ budget: { all: 200, one: 60 } }).chosen, chosen);
});

test('a test that changed runs, however slow', () => {
  const { chosen } = select({ changed: ['server/src/refunds/slow.test.ts', 'docs/proof.md'] });
  assert.deepEqual(chosen, ['server/src/refunds/slow.test.ts']);
});

test('a change that no test imports is named', () => {
  const changed = ['server/src/alone.ts', 'docs/proof.md', 'server/src/deleted.ts'];
  const selection = select({ changed });
  assert.deepEqual(selection, { chosen: [], leftOut: [], unreached: ['server/src/alone.ts'] });
  assert.equal(
    describeSelection(selection, changed, 'HEAD'),
    '0 of the 0 test files that reach 3 files changed since HEAD\nNo test imports: server/src/alone.ts',
  );
  assert.match(
    describeSelection(select({}), ['a.ts'], 'main'),
    /^3 of the 5 test files that reach 1 file changed since main\nLeft out: server\/src\/refunds\/slow/,
  );
});
