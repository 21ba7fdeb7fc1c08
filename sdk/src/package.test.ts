import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installPacked, npm } from '../test-support/project.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

const USE = `
import { Recollect, RecollectError, verifyWebhook } from '@recollect/sdk';
const client = new Recollect({ apiKey: 'k', baseUrl: 'https://a.example' });
console.log(typeof client.schedules.create, RecollectError.name, typeof verifyWebhook);
`;

const TYPED_USE = `
import { Recollect, type Schedule, verifyWebhook } from '@recollect/sdk';
export async function use(recollect: Recollect): Promise<string | null> {
  const schedule: Schedule = await recollect.schedules.get('sch_1');
  for await (const payment of recollect.payments.list({ status: 'failed' })) payment.attempts[0]?.number;
  const webhook = await verifyWebhook({ payload: '', headers: new Headers(), secret: '' });
  if (webhook.event === 'collection.failed') return webhook.data.next_retry_at;
  // @ts-expect-error -- no such field
  schedule.amont;
  return webhook.id;
}
`;

const project = mkdtempSync(join(tmpdir(), 'recollect-sdk-'));
after(() => rmSync(project, { recursive: true, force: true }));

before(() => {
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  installPacked(project);
});

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).trim();
}

const SAID = 'function RecollectError function';

test('the packed package works as an ES module, and with require where that loads no ES modules', () => {
  writeFileSync(join(project, 'use.js'), USE);
  assert.equal(run('use.js'), SAID);
  writeFileSync(
    join(project, 'use.cjs'),
    USE.replace(/import (.*) from (.*);/, 'const $1 = require($2);'),
  );
  assert.equal(run('--no-experimental-require-module', 'use.cjs'), SAID);
});

test('its types hold in strict projects of every kind', () => {
  const strict =
    '--strict --noEmit --target es2022 --lib es2022,dom,dom.iterable --ignoreConfig --types'.split(
      ' ',
    );
  for (const [file, module, resolution] of [
    ['use.ts', 'nodenext', 'nodenext'],
    ['use.ts', 'esnext', 'bundler'],
    ['use.cts', 'node16', 'node16'],
    ['use.cts', 'nodenext', 'nodenext'],
  ] as const) {
    writeFileSync(join(project, file), TYPED_USE);
    const kind = ['--module', module, '--moduleResolution', resolution];
    run(join(typescript, 'bin', 'tsc'), ...strict, '', ...kind, file);
  }
});

test('it carries no dependencies, no scripts and no word that keeps it from being published', () => {
  const home = join(project, 'node_modules/@recollect/sdk');
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  assert.deepEqual(
    [manifest.private, manifest.scripts, manifest.dependencies, manifest.devDependencies],
    [undefined, undefined, {}, undefined],
  );
  assert.deepEqual(
    ['README.md', 'LICENSE'].filter((name) => !existsSync(join(home, name))),
    [],
  );
});

test('to pack the source, or the whole project, fails and says what to pack', () => {
  for (const folder of [root, join(root, '..')])
    assert.throws(
      () => npm(['pack', '--pack-destination', project], folder),
      ({ stderr }: { stderr: string }) =>
        /npm run build -w @recollect\/sdk, then pack sdk\/dist/.test(stderr),
    );
});
