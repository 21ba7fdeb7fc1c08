import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoaded, isOfSandbox, isOfService } from './contents.ts';

test('the service has its code, pages, documents and deployments, and no test, tool or sandbox', () => {
  for (const path of [
    ...['server/src/main.ts', 'server/migrations/0156_recollect.sql', 'server/package.json'],
    ...['docs/errors/not_found.md', 'deploy/systemd/recollect', 'bin/recollect', 'recollect.cjs'],
    ...['sdk/src/index.ts', 'clients/php/README.md', 'LICENSE', 'CHANGELOG.md'],
  ])
    assert.ok(isOfService(path), path);
  for (const path of [
    ...['server/src/main.test.ts', 'server/test-support/service.ts', 'scripts/check.ts'],
    ...['server/src/banks/bank-contract.ts', 'server/src/sandbox/clock.ts', 'sandbox/src/main.ts'],
    ...[
      'clients/php/src/Api.php',
      'dashboard/src/main.tsx',
      'test/process/host.ts',
      'package.json',
      '.ci/run',
    ],
  ])
    assert.ok(!isOfService(path), path);
  assert.ok(isOfService('server/src/sandbox/clock.ts', true));
  assert.ok(isOfService('sandbox/src/main.ts', true));
  assert.ok(!isOfService('sandbox/src/main.test.ts', true));
});

test('the sandbox on its own has its code and its guide, and no test', () => {
  for (const path of ['sandbox/src/alone.ts', 'sandbox/bin/recollect-sandbox', 'LICENSE'])
    assert.ok(isOfSandbox(path), path);
  for (const path of [
    'sandbox/src/main.test.ts',
    'sandbox/test-support/ports.ts',
    'server/src/main.ts',
  ])
    assert.ok(!isOfSandbox(path), path);
});

test('of a package what Node loads is carried, and every licence', () => {
  for (const path of [
    'index.js',
    'dist/index.mjs',
    'data.json',
    'LICENSE.md',
    'licence.txt',
    'NOTICE',
    'src/x.proto',
  ])
    assert.ok(isLoaded(path), path);
  for (const path of [
    'index.d.ts',
    'index.d.mts',
    'index.js.map',
    'README.md',
    'src/index.ts',
    'test/a.js',
    '.npmignore',
    'docs/x.html',
  ])
    assert.ok(!isLoaded(path), path);
});
