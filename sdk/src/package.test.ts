import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const buildScript = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));
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

/** Creates a third-party project whose only dependency is the built package. */
function makeProject(t: TestContext): string {
  const project = mkdtempSync(join(tmpdir(), 'recollect-sdk-'));
  t.after(() => rmSync(project, { recursive: true, force: true }));
  const home = join(project, 'node_modules', '@recollect');
  mkdirSync(home, { recursive: true });
  execFileSync(process.execPath, [buildScript, join(home, 'sdk')]);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  return project;
}

test('the built package works in plain JavaScript, and its types in a strict project', (t) => {
  const project = makeProject(t);
  writeFileSync(join(project, 'use.js'), USE);
  const said = execFileSync(process.execPath, ['use.js'], { cwd: project, encoding: 'utf8' });
  assert.equal(said.trim(), 'function RecollectError function');
  writeFileSync(join(project, 'use.ts'), TYPED_USE);
  const strict = '--strict --noEmit --target es2022 --lib es2022,dom,dom.iterable --types'.split(
    ' ',
  );
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const kind = ['--module', module, '--moduleResolution', resolution];
    const tsc = [join(typescript, 'bin', 'tsc'), ...strict, '', ...kind, 'use.ts'];
    execFileSync(process.execPath, tsc, { cwd: project, stdio: 'pipe', encoding: 'utf8' });
  }
  const manifest = JSON.parse(
    readFileSync(join(project, 'node_modules/@recollect/sdk/package.json'), 'utf8'),
  );
  assert.equal(manifest.private, undefined);
  assert.deepEqual(manifest.dependencies, {});
});
