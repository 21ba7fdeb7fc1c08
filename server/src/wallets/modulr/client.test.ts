import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, test } from 'node:test';
import { realNow } from '../../platform/time/clock.ts';
import { RateLimiter } from '../rate-limiter.ts';
import { ModulrClient, type ModulrConnection } from './client.ts';
import { MODULR_CODES, ModulrRefused, ModulrUnavailable } from './errors.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const received: IncomingMessage[] = [];
let answer: Answer = (_, response) => response.end('{}');
const server = createServer((request, response) => {
  received.push(request);
  answer(request, response);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api-sandbox`;
const clients: ModulrClient[] = [];

after(() => server.close());
afterEach(async () => {
  received.length = 0;
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

function open(changes: Partial<ModulrConnection> = {}): ModulrClient {
  const client = new ModulrClient({ baseUrl, keyId: 'KEY', secret: 'secret', ...changes });
  clients.push(client);
  return client;
}

const asIs = (json: unknown): unknown => json;
const answerWith = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Answer => {
  return (_, response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};

test('repeats an order under its first nonce and asks every question under a new one', async () => {
  answer = answerWith(200, '');
  const order = { method: 'POST', path: '/payments', body: { a: 1 }, idempotencyKey: 'k' } as const;
  const client = open();
  for (const call of [order, order, { method: 'GET', path: '/payments' } as const])
    assert.equal(await client.call(call, asIs), null);
  const [first, again, question] = received.map(({ headers }) => headers);
  assert.equal(first?.['x-mod-nonce'], again?.['x-mod-nonce']);
  assert.notEqual(question?.['x-mod-nonce'], again?.['x-mod-nonce']);
  assert.deepEqual([first?.['x-mod-retry'], question?.['x-mod-retry']], ['true', undefined]);
  assert.equal(received[0]?.url, '/api-sandbox/payments');
  assert.match(String(first?.authorization), /^Signature keyId="KEY",algorithm="hmac-sha1",/);
});

test('takes only a documented code of a refusal for one', async () => {
  const proofs = ['BUSINESSRULE', 'INVALID', 'NOTACCEPTABLE', 'NOTFOUND', 'DUPLICATE'];
  for (const code of MODULR_CODES) {
    answer = answerWith(400, [{ field: 'amount', code, message: 'no' }]);
    const expected = proofs.includes(code) ? ModulrRefused : ModulrUnavailable;
    await assert.rejects(
      open().call({ method: 'GET', path: '/accounts/A1' }, asIs),
      expected,
      code,
    );
  }
  answer = answerWith(404, { field: 'id', code: 'NOTFOUND', message: 'Account not found' });
  await assert.rejects(open().call({ method: 'GET', path: '/accounts/A1' }, asIs), (error) => {
    assert.ok(error instanceof ModulrRefused && error.has('NOTFOUND'));
    return error.status === 404 && error.messages[0]?.field === 'id';
  });
});

test('takes everything else for an unknown outcome', async () => {
  const refusal = [{ code: 'INVALID', message: '' }];
  const unknown: Answer[] = [
    answerWith(400, []),
    answerWith(400, '<html>a proxy</html>'),
    answerWith(400, [...refusal, { code: 'HELD_BY_SOMEBODY', message: '' }]),
    answerWith(401, refusal),
    answerWith(403, refusal),
    answerWith(500, refusal),
    answerWith(503, ''),
    answerWith(200, '<html>a proxy</html>'),
    (_, response) => response.destroy(),
  ];
  for (const [n, one] of unknown.entries()) {
    answer = one;
    const isUnknown = (error: unknown) => error instanceof ModulrUnavailable && !error.notSent;
    await assert.rejects(open().call({ method: 'GET', path: '/' }, asIs), isUnknown, `${n}`);
  }
});

test('knows a request that never left', async () => {
  const client = open({ baseUrl: 'http://127.0.0.1:1' });
  const isNotSent = (error: unknown) => error instanceof ModulrUnavailable && error.notSent;
  await assert.rejects(client.call({ method: 'POST', path: '/payments' }, asIs), isNotSent);
});

test('ends a request that gets no answer in time', async () => {
  answer = () => undefined;
  const client = open({ timeoutMs: 50 });
  const isUnknown = (error: unknown) => error instanceof ModulrUnavailable && !error.notSent;
  await assert.rejects(client.call({ method: 'POST', path: '/payments' }, asIs), isUnknown);
  server.closeAllConnections();
});

test('sends nothing until the time at which Modulr says that its limit ends', async () => {
  const reset = String(Math.ceil(realNow().epochMilliseconds / 1_000) + 60);
  const limits = [
    answerWith(429, { error: 'Rate limit exceeded' }, { 'x-ratelimit-reset': reset }),
    answerWith(403, { error: 'Quota exceeded' }),
  ];
  for (const limit of limits) {
    received.length = 0;
    answer = limit;
    const client = open();
    const call = () => client.call({ method: 'GET', path: '/' }, asIs);
    const waits = (notSent: boolean) => (error: unknown) =>
      error instanceof ModulrUnavailable &&
      error.notSent === notSent &&
      (error.retryAfterSeconds ?? 0) >= 30;
    await assert.rejects(call(), waits(false));
    await assert.rejects(call(), waits(true));
    assert.equal(received.length, 1);
  }
});

test('keeps its rate, and says that what it did not send was not sent', async () => {
  answer = answerWith(200, {});
  const rate = new RateLimiter({ requests: 3, per: Temporal.Duration.from({ minutes: 10 }) });
  const clients = [open({ rate }), open({ rate })];
  for (const client of clients) await client.call({ method: 'GET', path: '/' }, asIs);
  const isNotSent = (error: unknown) => error instanceof ModulrUnavailable && error.notSent;
  await assert.rejects(open({ rate }).call({ method: 'GET', path: '/' }, asIs), isNotSent);
  assert.equal(received.length, 2);
});
