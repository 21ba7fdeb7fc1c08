import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { freePort } from '../../test-support/free-ports.ts';
import { realNow } from '../platform/time/clock.ts';
import { IssuerUnavailable } from './issuer.ts';
import { type IssuerBench, issuerContract, type RawNotification } from './issuer-contract.ts';
import { HttpIssuer } from './issuer-http.ts';

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const SECRETS = { keyId: 'recollect', secret: 'a', notificationSecret: 'b' };

issuerContract('the HTTP connector', startSandboxIssuer);

it('takes what cannot be understood, refused credentials and silence for an unknown outcome', async () => {
  const answers = [
    { status: 500, body: '{"error":{"code":"internal_error","message":""}}' },
    { status: 401, body: '{"error":{"code":"unknown_key","message":""}}' },
    { status: 429, body: '{"error":{"code":"slow_down","message":""}}' },
    { status: 200, body: '<html>a proxy</html>' },
    { status: 200, body: '{"wallet_id":"w"}' },
    { status: 404, body: '<html>a proxy</html>' },
  ];
  const server = createServer((_, answer) => {
    const next = answers.shift();
    if (next) answer.writeHead(next.status).end(next.body);
    else answer.destroy();
  });
  const issuer = new HttpIssuer({
    ...SECRETS,
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
  });
  for (let n = 0; n < 6; n += 1) await assert.rejects(issuer.readWallet('w'), IssuerUnavailable);
  await assert.rejects(issuer.openWallet('w', 'k'), IssuerUnavailable);
  await issuer.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('leaves out of a batch what it cannot read, and reads the rest', async () => {
  const at = '2026-11-21T10:00:00Z';
  const made = (key: string) => ({
    movement_id: `m-${key}`,
    kind: 'transfer',
    idempotency_key: key,
    from: 'a',
    to: 'b',
    amount: { value: 5, currency: 'GBP' },
    reference: '',
    status: 'settled',
    error: null,
    created_at: at,
    completed_at: at,
  });
  const movements = [
    made('good'),
    { ...made('new-status'), status: 'held' },
    { ...made('no-such-day'), created_at: '2026-02-31T10:00:00Z' },
    { ...made('no-pence'), amount: { value: 0.5, currency: 'GBP' } },
    made('good-too'),
  ];
  const results = movements.map((movement) => ({
    idempotency_key: movement.idempotency_key,
    movement,
    error: null,
  }));
  const server = createServer((_, answer) => {
    answer.writeHead(200).end(JSON.stringify({ results: [...results, 'no result at all', null] }));
  });
  const issuer = new HttpIssuer({
    ...SECRETS,
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
  });
  const orders = movements.map(({ idempotency_key: idempotencyKey }) => ({
    idempotencyKey,
    fromIssuerWalletId: 'a',
    toIssuerWalletId: 'b',
    amountPence: 5,
    reference: '',
  }));
  const found = await issuer.transfer(orders);
  assert.deepEqual([...found.keys()], ['good', 'good-too']);
  await issuer.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

async function startSandboxIssuer(): Promise<IssuerBench> {
  const folder = await mkdtemp(join(tmpdir(), 'issuer-contract-'));
  const notifications: RawNotification[] = [];
  const listener = createServer(async (incoming, answer) => {
    notifications.push({ headers: incoming.headers, raw: await buffer(incoming) });
    answer.writeHead(204).end();
  });
  const notificationPort = await listen(listener);
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const configFile = join(folder, 'issuer.json');
  const notificationUrl = `http://127.0.0.1:${notificationPort}/issuer`;
  await writeFile(configFile, JSON.stringify(sandboxConfig(folder, baseUrl, notificationUrl)));
  const program = spawn(process.execPath, [SANDBOX, 'issuer', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answering(baseUrl, program);
  let now = Temporal.Instant.from('2026-11-21T10:00:00Z');
  const passTime = async (seconds: number): Promise<void> => {
    now = now.add({ seconds });
    const body = { now: now.toString(), running: false };
    await send(baseUrl, 'PUT', '/sandbox/clock', { 'x-sandbox-secret': 'control' }, body);
  };
  await passTime(0);
  const issuer = new HttpIssuer({ ...SECRETS, baseUrl });
  return {
    issuer,
    notifications,
    passTime,
    payIn: (account, amountPence, endToEndId) => payIn(baseUrl, account, amountPence, endToEndId),
    tellsEndToEndIds: true,
    today: () => now.toZonedDateTimeISO('Europe/London').toPlainDate(),
    forge: ({ headers, raw }) => [
      { headers, raw: Buffer.from('{}') },
      { headers: {}, raw },
      { headers: { ...headers, 'x-timestamp': String(Number(headers['x-timestamp']) - 301) }, raw },
      { headers: { ...headers, 'x-signature': '00' }, raw },
    ],
    destinations: {
      settles: destination('12345678'),
      invalid: destination('99999999'),
      noAnswer: destination('88888888'),
    },
    payees: {
      match: destination('12345678'),
      close_match: { ...destination('44444444'), name: 'Fernhill Broadband' },
      no_match: { ...destination('44444444'), name: 'Mule' },
      unavailable: destination('33333333'),
    },
    close: async () => {
      await issuer.close();
      program.kill();
      await once(program, 'exit');
      listener.closeAllConnections();
      listener.close();
      await rm(folder, { recursive: true });
    },
  };
}

function sandboxConfig(folder: string, baseUrl: string, notificationUrl: string) {
  return {
    data_dir: join(folder, 'data'),
    port: Number(new URL(baseUrl).port),
    host: '127.0.0.1',
    control_secret: 'control',
    partner: {
      key_id: SECRETS.keyId,
      secret: SECRETS.secret,
      notification_url: notificationUrl,
      notification_secret: SECRETS.notificationSecret,
    },
    faster_payments: { secret: 'bank' },
  };
}

const payIn = (
  baseUrl: string,
  account: IssuerBench['destinations']['settles'],
  value: number,
  endToEndId: string,
): Promise<void> =>
  send(
    baseUrl,
    'POST',
    '/faster-payments',
    { authorization: 'Bearer bank' },
    {
      payment_id: randomUUID(),
      end_to_end_id: endToEndId,
      reference: 'REF',
      amount: { value, currency: 'GBP' },
      creditor: {
        sort_code: account.sortCode,
        account_number: account.accountNumber,
        name: account.name,
      },
      debtor: { sort_code: '401276', account_number: '11223344', name: 'Ada Smith' },
    },
  );

async function send(
  baseUrl: string,
  method: 'PUT' | 'POST',
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<void> {
  const response = await request(baseUrl + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.statusCode, 200, await response.body.text());
}

function destination(accountNumber: string) {
  return { sortCode: '200000', accountNumber, name: 'Fernhill Broadband Ltd' };
}

async function answering(baseUrl: string, program: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && program.exitCode === null; tries += 1) {
    const answer = await request(baseUrl).catch(() => null);
    await answer?.body.dump();
    if (answer) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  program.kill();
  throw new Error('the sandbox issuer did not start');
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

it('accepts the old secret of notifications beside the new one while it is replaced', async () => {
  const body = Buffer.from(JSON.stringify({ type: 'unknown' }));
  const parse = async (signedWith: string, previous: string | null): Promise<string> => {
    const issuer = new HttpIssuer({
      ...SECRETS,
      baseUrl: 'http://127.0.0.1:1',
      previousNotificationSecret: previous,
    });
    const timestamp = String(Math.trunc(realNow().epochMilliseconds / 1000));
    const signature = createHmac('sha256', signedWith).update(`${timestamp}.`).update(body);
    const headers = { 'x-timestamp': timestamp, 'x-signature': signature.digest('hex') };
    try {
      await issuer.parseNotification(headers, body);
      return 'accepted';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    } finally {
      await issuer.close();
    }
  };
  const known = 'the notification cannot be read'; // genuine, and not one of ours
  const refused = 'the signature does not match';
  assert.equal(await parse('b', null), known);
  assert.equal(await parse('old', null), refused);
  assert.equal(await parse('b', 'old'), known);
  assert.equal(await parse('old', 'old'), known);
  assert.equal(await parse('other', 'old'), refused);
});
