import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { blocksOf, DOCUMENTS } from '../../server/test-support/documents.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the commands of a page that are typed at a sandbox which is up. */
function commandsIn(path: string): string[] {
  const { text = '' } = DOCUMENTS.find((one) => one.path === path) ?? {};
  return blocksOf(text, 'sh').filter((block) => /\bcurl\b|recollect -- sandbox/.test(block));
}

/** Types commands of a page into a shell, at a service of its own, and returns what each block prints. */
async function typed(
  t: TestContext,
  blocks: readonly string[],
): Promise<{ printed: string[]; service: TestService }> {
  const service = await startTestService({ env: { ROLES: 'api,portal,engine' } });
  const folder = mkdtempSync(join(tmpdir(), 'recollect-guide-'));
  t.after(() => service.close());
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { baseUrl, apiKey } = service;
  const started = { base_url: baseUrl, api_key: apiKey };
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(started));
  const env: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: folder, NO_PROXY: 'localhost' };
  const printed: string[] = [];
  for (const block of blocks) {
    const script = block
      .replace(/^export URL=.*$/m, `export URL=${baseUrl} KEY=${apiKey}`)
      .replaceAll('npm run recollect --', `"${process.execPath}" "${ROOT}server/src/main.ts"`);
    const values = { URL: baseUrl, KEY: apiKey, SCHEDULE: /sch_\w+/.exec(printed.join())?.[0] };
    const { stdout } = await run('bash', ['-ec', script], { env: { ...env, ...values } });
    printed.push(stdout);
  }
  return { printed, service };
}

test('whoever types the commands of the first guide collects, and is paid out', async (t) => {
  const blocks = commandsIn('docs/guides/first-collection.md');
  assert.equal(blocks.length, 4);
  const { printed, service } = await typed(t, blocks);
  const [created = '', agreed = '', moved = '', payments = ''] = printed;
  assert.equal((JSON.parse(created) as { status: string }).status, 'pending_consent');
  assert.match(agreed, /granted/);
  assert.match(moved, /settlement\.success/);
  const { data } = JSON.parse(payments) as { data: { status: string }[] };
  assert.equal(data[0]?.status, 'success');
  assert.equal(service.receiver.of('collection.success').length, 1);
});

test('the bank of the guide to failures is unavailable after its command', async (t) => {
  const { printed } = await typed(t, commandsIn('docs/guides/test-every-failure.md'));
  const { behaviours } = JSON.parse(printed.join()) as { behaviours: string[] };
  assert.deepEqual(behaviours, ['unavailable']);
});
