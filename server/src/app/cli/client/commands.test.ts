import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { testAdmin } from '../../../../test-support/admin.ts';
import { type Harness, openHarness } from '../../../../test-support/harness.ts';
import { adminRoutes } from '../../../operators/routes.ts';
import { endingOf } from '../../wiring/operators.ts';
import { program } from '../program.ts';
import { programFor } from '../run-program.ts';
import { addServiceCommands } from './commands.ts';
import { type AdminDocument, commandsOf } from './document.ts';

let h: Harness;
let document: AdminDocument;

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform, issuer, bank, service } = h;
  const banks = new Map([[bank.bankId, bank]]);
  const ending = endingOf(service);
  const deps = { platform, issuer, banks, distrustKey: service.distrustKey, ending };
  const admin = await testAdmin(platform, adminRoutes(deps));
  document = (await admin.app.inject('/admin/v1/openapi.json')).json();
  await admin.app.close();
});

after(() => h.close());

/** Returns the words of every command that does something. */
function verbsOf(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((one) => verbsOf(one, [...words, one.name()]));
}

test('every endpoint of the operators’ API is a command of its own, and none is on the database too', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const commands = commandsOf(document);
  assert.equal(commands.length, operations.length);
  const calling = new Command();
  addServiceCommands(calling, {}, document);
  assert.equal(new Set(verbsOf(calling)).size, operations.length);
  const local = new Set(verbsOf(program({})));
  assert.deepEqual(
    verbsOf(calling).filter((words) => local.has(words)),
    [],
  );
});

test('what works without the operators’ API is on the database, or calls the merchant’s', () => {
  assert.deepEqual(verbsOf(program({})).sort(), [
    ...['advance', 'archive list', 'archive run', 'archive show', 'archive verify', 'audit'],
    ...['bank check', 'bank register', 'check-config', 'completion', 'customer reindex'],
    ...['hold everything', 'import', 'keys retire', 'listen', 'mcp', 'migrate', 'operator create'],
    ...['operator key', 'operator shut-out', 'payments list', 'payments show'],
    ...['reconcile statement', 'release everything', 'safeguarding pack', 'sandbox accounts'],
    'sandbox advance',
    ...['sandbox clock', 'sandbox code', 'sandbox consent', 'sandbox mail', 'schedules list'],
    ...['schedules show', 'serve', 'settlements list', 'start', 'trigger', 'user link'],
    'vault rewrap',
  ]);
});

test('every option of a command has a name of its own', () => {
  for (const { words, options } of commandsOf(document)) {
    const flags = options.map(({ flag }) => flag);
    assert.equal(new Set([...flags, 'json', 'key-file']).size, flags.length + 2, words.join(' '));
  }
});

interface Called {
  url: string | undefined;
  method: string | undefined;
  key: string | undefined;
  body: string;
}

/** Serves the document, and this answer to any other call; returns what was called, and the settings to call it. */
async function serve(t: TestContext, status: number, answer: object) {
  const calls: Called[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const isDocument = request.url?.endsWith('/openapi.json') === true;
    const body = (await Array.fromAsync(request)).join('');
    if (!isDocument) {
      const { url, method, headers } = request;
      calls.push({ url, method, key: headers.authorization, body });
    }
    response.writeHead(isDocument ? 200 : status, { location: '/elsewhere' });
    response.end(JSON.stringify(isDocument ? document : answer));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const env = {
    RECOLLECT_OPERATOR_URL: `http://127.0.0.1:${port}`,
    RECOLLECT_OPERATOR_KEY: 'ro_test_1',
  };
  return { calls, env, server };
}

/** Runs a command; returns what it printed. */
async function run(t: TestContext, env: Record<string, string>, ...args: string[]) {
  const said = { stdout: '', stderr: '' };
  const mocks = (['stdout', 'stderr'] as const).map((name) => {
    const real = process[name].write.bind(process[name]);
    return t.mock.method(process[name], 'write', (text: string | Uint8Array) => {
      // The test runner reports on the same stream, in bytes.
      if (typeof text !== 'string') return real(text);
      said[name] += text;
      return true;
    });
  });
  try {
    await (await programFor(env, args)).parseAsync(args, { from: 'user' });
    return said;
  } finally {
    for (const mock of mocks) mock.mock.restore();
  }
}

test('arguments and options become the path, the query and the body, sent with the key', async (t) => {
  const { calls, env } = await serve(t, 200, { data: [], total: 0 });
  await run(t, env, 'merchant', 'list', '--q', 'Fern & Sons', '--limit', '5');
  await run(
    t,
    env,
    'operator',
    'roles',
    'Dana Oak',
    '--roles',
    'support',
    'auditor',
    '--reason',
    'x',
  );
  await run(t, env, 'merchant', 'scheme', 'mer_1', '--use-case', 'none', '--reason', 'x');
  await run(t, env, 'decision', 'show', 'difference', 'line 7/2');
  await run(t, env, 'payment', 'fail', 'pay_1', '--bank-is-silent', '--reason', 'x');
  await run(
    ...([t, env, 'merchant', 'account', 'mer_1', '--reason', 'x'] as const),
    ...['--settlement-account-name', 'A', '--settlement-account-sort-code', '200000'],
    ...['--settlement-account-number', '55779911'],
  );
  const account = { name: 'A', sort_code: '200000', account_number: '55779911' };
  assert.deepEqual(
    calls.map(({ method, url, body }) => [
      `${method} ${url?.replace('/admin/v1', '')}`,
      body === '' ? null : JSON.parse(body),
    ]),
    [
      ['GET /merchants?limit=5&q=Fern+%26+Sons', null],
      ['PUT /operators/Dana%20Oak/roles', { roles: ['support', 'auditor'], reason: 'x' }],
      ['PUT /merchants/mer_1/scheme', { use_case: null, reason: 'x' }],
      ['GET /decisions/difference/line%207%2F2', null],
      ['POST /payments/pay_1/fail', { bank_is_silent: true, reason: 'x' }],
      ['POST /merchants/mer_1/settlement_account', { reason: 'x', settlement_account: account }],
    ],
  );
  assert.ok(calls.every(({ key }) => key === 'Bearer ro_test_1'));
});

test('an answer is printed for a person, and with --json as it came', async (t) => {
  const { env } = await serve(t, 200, { id: 'set_1' });
  const confirm = ['settlement', 'confirm', 'set_1', '--reason', 'x'];
  assert.equal((await run(t, env, ...confirm)).stdout, 'id  set_1\n');
  assert.deepEqual(JSON.parse((await run(t, env, ...confirm, '--json')).stdout), { id: 'set_1' });
});

test('a request that waits is an answer, and the way on is said beside it', async (t) => {
  const { env } = await serve(t, 200, { request: { id: 'orq_1', status: 'pending' } });
  const { stderr } = await run(
    t,
    env,
    'operator',
    'email',
    'Dana',
    '--email',
    'd@x.example',
    '--reason',
    'x',
  );
  assert.match(stderr, /in the console or with: recollect request agree orq_1 --reason "…"\n$/);
});

test('a refusal names each wrong option and the page of its error', async (t) => {
  const details = { 'settlement_account.sort_code': 'must be 6 digits', reason: 'is too long' };
  const error = { code: 'invalid_request', message: '2 fields are invalid', details };
  const { env } = await serve(t, 400, { error });
  const account = ['account', 'mer_1', '--settlement-account-name', 'A', '--reason', 'x'];
  const digits = ['--settlement-account-sort-code', '1', '--settlement-account-number', '2'];
  await assert.rejects(run(t, env, 'merchant', ...account, ...digits), {
    lines: [
      '--settlement-account-sort-code: must be 6 digits',
      '--reason: is too long',
      'see http://localhost:4000/docs/errors/invalid_request',
    ],
  });
});

test('a redirect is not followed, so that the key goes nowhere else', async (t) => {
  const { env, calls } = await serve(t, 302, {});
  await assert.rejects(run(t, env, 'operator', 'me'), { lines: ['the service answers 302'] });
  assert.equal(calls.length, 1);
});

test('a change whose answer is lost is not called refused: it may have been made', async (t) => {
  const { env, server } = await serve(t, 200, {});
  server.prependListener('request', (incoming: IncomingMessage) => {
    if (incoming.method === 'POST') incoming.socket.destroy();
  });
  const fail = ['payment', 'fail', 'pay_1', '--reason', 'x'];
  await assert.rejects(run(t, env, ...fail), {
    name: 'Error',
    message: /^no answer came from http:.* it may have been done\. Look before you ask again$/,
  });
});

test('where nothing answers, a command of the service says so, and help lists what works without', async (t) => {
  const env = { RECOLLECT_OPERATOR_URL: 'http://127.0.0.1:9' };
  await assert.rejects(run(t, env, 'merchant', 'list'), {
    name: 'ConfigError',
    message: /^nothing answers at http:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\): /,
  });
  const local = await programFor(env, ['audit']);
  assert.equal(
    local.commands.some((one) => one.name() === 'merchant'),
    false,
  );
  const help = await programFor(env, ['help']);
  assert.match(help.helpInformation(), /migrate/);
});
