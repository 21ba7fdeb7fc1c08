import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PERSONAS } from '../../sandbox/src/bank/behaviour/personas.ts';
import { DESTINATIONS } from '../../sandbox/src/issuer/destinations.ts';
import { ERROR_STATUS } from '../../server/src/platform/values/errors.ts';
import { blocksOf } from '../../server/test-support/documents.ts';
import { startTestService } from '../../server/test-support/service.ts';
import { checkTypes } from '../test-support/project.ts';
import { SECRET, signedHeaders } from '../test-support/signing.ts';

const run = promisify(execFile);
const sdk = fileURLToPath(new URL('..', import.meta.url));
const README = join(sdk, 'README.md');
const GUIDE = join(sdk, '..', 'docs', 'guides', 'merchants.md');

const EVENT = JSON.stringify({
  event: 'collection.failed',
  data: { payment_id: 'pay_1', error: { code: 'insufficient_funds' }, next_retry_at: null },
});

/** Sends the documented receiver one valid webhook and one that was altered. */
const DRIVER = `
import { receive } from './snippets.ts';
const { body, headers } = JSON.parse(process.env.WEBHOOK ?? '');
for (const text of [body, body + ' ']) {
  const { status } = await receive(new Request('https://a.example', { method: 'POST', headers, body: text }));
  console.log('received', status);
}
`;

/** Creates a folder with all TypeScript blocks of a document in one module that imports this package by name. */
function makeProgram(t: TestContext, document: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-docs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules', '@recollect'), { recursive: true });
  symlinkSync(sdk, join(folder, 'node_modules', '@recollect', 'sdk'));
  const code = blocksOf(readFileSync(document, 'utf8'), 'ts').join('\n');
  writeFileSync(join(folder, 'snippets.ts'), code);
  writeFileSync(join(folder, 'driver.ts'), DRIVER);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

/** Runs a program of a folder against a sandbox of its own, and returns what it prints. */
async function runInSandbox(t: TestContext, folder: string, program: string): Promise<string> {
  const service = await startTestService({ env: { ROLES: 'api,portal,engine' } });
  t.after(() => service.close());
  const webhook = { body: EVENT, headers: signedHeaders(EVENT, Math.floor(Date.now() / 1000)) };
  const { stdout } = await run(process.execPath, [program], {
    cwd: folder,
    timeout: 120_000, // a snippet that never ends is a fault of the document
    env: {
      ...process.env,
      RECOLLECT_URL: service.baseUrl,
      RECOLLECT_API_KEY: service.apiKey,
      RECOLLECT_WEBHOOK_SECRET: SECRET,
      WEBHOOK: JSON.stringify(webhook),
    },
  });
  return stdout;
}

for (const document of [README, GUIDE]) {
  const name = relative(join(sdk, '..'), document);
  test(`the snippets of ${name} compile, and work in their order in the sandbox`, async (t) => {
    const folder = makeProgram(t, document);
    await checkTypes(folder, ['snippets.ts']);
    const stdout = await runInSandbox(t, folder, 'driver.ts');
    assert.match(stdout, /received 200\n.*received 400\n$/s);
    assert.match(stdout, /must be greater than 0/);
  });
}

test('the snippet of the guide to moving in compiles, and imports the file of the guide', async (t) => {
  const guide = join(dirname(GUIDE), 'moving-in.md');
  const folder = makeProgram(t, guide);
  await checkTypes(folder, ['snippets.ts']);
  const [file = ''] = blocksOf(readFileSync(guide, 'utf8'), 'csv');
  writeFileSync(join(folder, 'customers.csv'), file);
  assert.match(await runInSandbox(t, folder, 'snippets.ts'), /created: 2,/);
});

test('the guide names every persona and every special account of the sandbox, and no others', () => {
  const text = readFileSync(GUIDE, 'utf8');
  const rows = (head: RegExp): string[] => {
    const table = text.slice(text.search(head)).split('\n\n')[0] ?? '';
    return Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, cell]) => cell ?? '').sort();
  };
  assert.deepEqual(rows(/\| login \|/), PERSONAS.map((persona) => persona.login).sort());
  assert.deepEqual(rows(/\| account number \|/), Object.values(DESTINATIONS).sort());
});

test('the guide to failures names every customer of the sandbox who causes one, and every special account', () => {
  const text = readFileSync(join(dirname(GUIDE), 'test-every-failure.md'), 'utf8');
  for (const { login } of PERSONAS.filter((persona) => persona.login !== 'alex'))
    assert.ok(text.includes(`\`${login}\``), login);
  for (const account of Object.values(DESTINATIONS)) assert.ok(text.includes(account), account);
});

test('every code that the guide names as an error of the API is one', () => {
  const text = readFileSync(GUIDE, 'utf8');
  const section = text.slice(text.indexOf('## Idempotency')).split('## API keys')[0] ?? '';
  const codes = Array.from(section.matchAll(/\d{3} `(\w+)`/g), ([, code]) => code ?? '');
  assert.ok(codes.length > 0);
  for (const code of codes) assert.ok(code in ERROR_STATUS, code);
});

test('the README and the guide link to what is there', () => {
  for (const document of [README, GUIDE]) {
    for (const [, link = ''] of readFileSync(document, 'utf8').matchAll(/\]\((\.[^)#]+)/g))
      assert.ok(existsSync(join(dirname(document), link)), link);
  }
});
