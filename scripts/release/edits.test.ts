import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../suite/files.ts';
import { refuseVersion, releaseEdits } from './edits.ts';
import { trackedFiles } from './git.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version: before } = JSON.parse(read('package.json')) as { version: string };
const NEXT = '7.31.0';
const edits = releaseEdits(
  (path) =>
    path === 'CHANGELOG.md' ? '# Changelog\n\n## [Unreleased]\n\n- A thing.\n' : read(path),
  { version: NEXT, date: '2026-12-01' },
);

test('after a release nothing names the version before, but the changelog and the packages of others', () => {
  const names = /recollect|version|tag/i;
  const left = trackedFiles(ROOT)
    .filter(({ path }) => /\.(ts|json|ya?ml|md)$|Dockerfile$/.test(path))
    .filter(
      ({ path }) =>
        !/^(CHANGELOG\.md|package-lock\.json|docs\/licences\.md)$|\.test\.ts$/.test(path),
    )
    .filter(({ path }) => existsSync(join(ROOT, path)))
    .flatMap(({ path }) =>
      (edits.get(path) ?? read(path))
        .split('\n')
        .filter(
          (line) => names.test(line) && new RegExp(`\\b${RegExp.escape(before)}\\b`).test(line),
        )
        .map((line) => `${path}: ${line.trim()}`),
    );
  assert.deepEqual(left, []);
});

test('every workspace, its entry in the lock file, the SDK, the chart, the manifests and the image have the version', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const lock = JSON.parse(edits.get('package-lock.json') ?? '');
  for (const folder of ['', ...workspaces]) {
    const path = folder === '' ? 'package.json' : `${folder}/package.json`;
    assert.equal(JSON.parse(edits.get(path) ?? '{}').version, NEXT, path);
    assert.equal(lock.packages[folder].version, NEXT, folder);
  }
  assert.equal(lock.version, NEXT);
  for (const [path, line] of [
    ['sdk/src/version.ts', `export const VERSION = '${NEXT}';`],
    ['clients/python/src/recollect/api.py', `VERSION = "${NEXT}"`],
    ['clients/php/src/Api.php', `public const VERSION = '${NEXT}';`],
    ['deploy/helm/recollect/Chart.yaml', `appVersion: ${NEXT}`],
    ['deploy/kubernetes/kustomization.yaml', `newTag: ${NEXT}`],
    ['deploy/kubernetes/migrate.yaml', `image: registry.example.com/recollect:${NEXT}`],
    ['deploy/compose.yaml', `image: recollect:${NEXT}`],
    ['deploy/Dockerfile', `ARG VERSION=${NEXT}`],
    ['CHANGELOG.md', `## [${NEXT}] - 2026-12-01`],
  ] as const)
    assert.ok(
      edits
        .get(path)
        ?.split('\n')
        .some((one) => one.trim() === line),
      `${path}: ${line}`,
    );
});

test('of the lock file nothing but the versions of our own changes', () => {
  const [old, made] = [read('package-lock.json'), edits.get('package-lock.json') ?? ''].map(
    (text) => text.split('\n'),
  );
  const changed = made?.filter((line, index) => line !== old?.[index]) ?? [];
  assert.equal(made?.length, old?.length);
  assert.deepEqual([...new Set(changed.map((line) => line.trim()))], [`"version": "${NEXT}",`]);
});

test('a version that is in the changelog is built as it stands', () => {
  const released = '# Changelog\n\n## [Unreleased]\n\n## [7.31.0] - 2026-12-01\n\n- A thing.\n';
  const again = releaseEdits((path) => (path === 'CHANGELOG.md' ? released : read(path)), {
    version: NEXT,
    date: '2027-01-01',
  });
  assert.deepEqual([...again], []);
});

test('a version is three numbers, and comes after the one before', () => {
  for (const [version, isBuiltAgain] of [
    ['0.2', false],
    ['v0.2.0', false],
    ['0.2.0-rc.1', false],
    ['0.1.9', false],
    ['0.2.0', false],
    ['0.1.9', true],
  ] as const)
    assert.throws(
      () => refuseVersion(version, '0.2.0', isBuiltAgain),
      /^Error: version: /,
      version,
    );
  refuseVersion('0.10.0', '0.9.9', false);
  refuseVersion('0.2.0', '0.2.0', true);
});
