// Slow: starts programs of other languages, which wait for retries and time-outs by the machine's clock.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkTypes, installPacked } from '../../sdk/test-support/project.ts';
import { blocksOf } from '../../server/test-support/documents.ts';
import { freePort } from '../../server/test-support/free-ports.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SDK = join(ROOT, 'sdk');
const PYTHON = join(ROOT, 'clients/python');
const PHP = join(ROOT, 'clients/php');

/** Where a program is not installed, the tests of its language are left out; returns the reason, or false. */
function missing(program: string, args: readonly string[], packages: string): string | false {
  const works = spawnSync(program, args).status === 0;
  return works ? false : `apt-get install ${packages} also runs this`;
}

/** Programs that write nothing beside themselves, and reach this machine without a proxy. */
const ENV = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1,localhost' };
const PYTHON_ENV = { ...ENV, PYTHONPATH: join(PYTHON, 'src') };

/** An empty project of a stranger, with the program of this folder that goes on after the README. */
function strangersProject(t: TestContext, language: string): string {
  const folder = mkdtempSync(join(tmpdir(), `recollect-${language}-`));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL(language, import.meta.url)), folder, { recursive: true });
  return folder;
}

const readmeOf = (folder: string, language: string): string[] =>
  blocksOf(readFileSync(join(folder, 'README.md'), 'utf8'), language);

async function startService(t: TestContext): Promise<[TestService, NodeJS.ProcessEnv]> {
  const service = await startTestService();
  t.after(() => service.close());
  const { baseUrl, apiKey, webhookSecret } = service;
  const told = { RECOLLECT_URL: baseUrl, RECOLLECT_API_KEY: apiKey };
  return [service, { ...told, RECOLLECT_WEBHOOK_SECRET: webhookSecret }];
}

interface Walked {
  isOnce: boolean;
  conflict: string;
  refusal: unknown[];
  received: unknown[];
  total: number;
  sum: { value: number };
  listed: string[];
  status: string;
}

/** Checks what both programs have met, and returns what they were sent. */
async function assertWalked(stdout: string, service: TestService): Promise<unknown[]> {
  const walked = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Walked;
  assert.match(stdout, /^http\S+\/consent\/\S+$/m, 'the README shows the link');
  assert.match(
    stdout,
    /^400 invalid_request (?:\{.*\} )?(?!None)\S+ http\S+\/docs\/errors\/invalid_request$/m,
    'the README shows the code, the id of the request and the page of the code',
  );
  assert.match(stdout, /collection\.success$/m, 'the README moves the clock past a collection');
  assert.equal(walked.isOnce, true);
  assert.equal(walked.conflict, 'idempotency_conflict');
  const docUrl = `${service.baseUrl.replace(/\/$/, '')}/docs/errors/invalid_request`;
  assert.deepEqual(walked.refusal, [400, 'invalid_request', ['amount.value'], docUrl]);
  const { body } = await service.api<{ total: number }>('GET', '/api/v1/schedules');
  assert.equal(body.total, 2);
  assert.equal(walked.total, 4);
  assert.equal(walked.sum.value, 4999 + 3 * 1250);
  assert.equal(new Set(walked.listed).size, walked.total);
  assert.equal(walked.status, 'active');
  return walked.received;
}

describe('TypeScript', () => {
  test('a stranger who follows the README collects with TypeScript', async (t) => {
    const folder = strangersProject(t, 'typescript');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    installPacked(folder);
    const code = readmeOf(SDK, 'ts').join('\n');
    writeFileSync(join(folder, 'readme.ts'), `${code}\nexport { recollect, schedule };\n`);
    await checkTypes(folder, ['readme.ts', 'walk.ts']);
    const [service, told] = await startService(t);
    const env = { ...ENV, ...told };
    const { stdout } = await run(process.execPath, ['walk.ts'], { cwd: folder, env });
    const received = await assertWalked(stdout, service);
    assert.match(stdout, /^200$/m, 'the README signs a webhook of its own');
    assert.ok(received.length >= 4, JSON.stringify(received));
    for (const one of received) assert.equal((one as unknown[])[0], 200);
    assert.deepEqual(received[0], [200, 'schedule.setup_success']);
  });
});

describe('Python', () => {
  const old = 'import sys; assert sys.version_info >= (3, 9)';
  const skip = missing('python3', ['-c', old], 'python3');

  test('the client for Python passes its own tests', { skip }, async () => {
    const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'];
    const { stderr } = await run('python3', args, { cwd: PYTHON, env: PYTHON_ENV });
    assert.match(stderr, /^Ran [1-9]\d* tests/m);
  });

  test('the client for Python is of the oldest Python that it names', { skip }, async () => {
    const code = `import ast, glob
for path in glob.glob('src/recollect/*.py'):
    ast.parse(open(path, encoding='utf-8').read(), path, feature_version=(3, 9))`;
    await run('python3', ['-c', code], { cwd: PYTHON, env: PYTHON_ENV });
  });

  test('a stranger who follows the README collects with Python', { skip }, async (t) => {
    const folder = strangersProject(t, 'python');
    writeFileSync(join(folder, 'readme.py'), readmeOf(PYTHON, 'python').join('\n'));
    const [service, told] = await startService(t);
    const env = { ...PYTHON_ENV, ...told };
    const { stdout } = await run('python3', ['walk.py'], { cwd: folder, env });
    const received = await assertWalked(stdout, service);
    assert.match(stdout, /^200$/m, 'the README signs a webhook of its own');
    assert.ok(received.length >= 4, JSON.stringify(received));
    for (const one of received) assert.equal((one as unknown[])[0], 200);
    assert.deepEqual(received[0], [200, 'schedule.setup_success']);
  });
});

describe('PHP', () => {
  const curl = 'exit(extension_loaded("curl") ? 0 : 1);';
  const skip = missing('php', ['-r', curl], 'php-cli php-curl');

  test('the client for PHP passes its own tests', { skip }, async () => {
    const { stdout } = await run('php', ['tests/run.php'], { cwd: PHP, env: ENV });
    assert.match(stdout, /^[1-9]\d* passed, 0 failed$/m);
  });

  test('a stranger who follows the README collects with PHP', { skip }, async (t) => {
    const folder = strangersProject(t, 'php');
    const blocks = readmeOf(PHP, 'php');
    const isReceiver = (block: string): boolean => block.includes('php://input');
    const asFile = (those: string[]): string => `<?php\n${those.join('\n')}`;
    writeFileSync(join(folder, 'receiver.php'), asFile(blocks.filter(isReceiver)));
    writeFileSync(join(folder, 'readme.php'), asFile(blocks.filter((block) => !isReceiver(block))));
    mkdirSync(join(folder, 'vendor'));
    writeFileSync(
      join(folder, 'vendor/autoload.php'),
      `<?php require ${JSON.stringify(join(PHP, 'autoload.php'))};`,
    );
    const [service, told] = await startService(t);
    const env = { ...ENV, ...told, RECEIVER_PORT: String(await freePort()) };
    const { stdout } = await run('php', ['walk.php'], { cwd: folder, env });
    const received = (await assertWalked(stdout, service)).filter((line) =>
      / evt_\w+ \w+\.\w+$/.test(String(line)),
    );
    assert.match(stdout, /^collection\.success$/m, 'the README signs a webhook of its own');
    assert.ok(received.length >= 4, JSON.stringify(received));
    assert.match(String(received[0]), / schedule\.setup_success$/);
  });
});
