import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { FAKE_CLIENT } from '../../../test-support/truelayer/fake-truelayer.ts';
import { BankUnavailable, TokenRefused } from '../bank.ts';
import { trueLayerCaller, trueLayerChannel } from './client.ts';
import { readRequestKey } from './signature.ts';

interface Canned {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const TOKEN: Canned = { status: 200, body: '{"access_token":"t","expires_in":3600}' };
let token = TOKEN;
let replies: (Canned | 'dropped')[] = [];
const received: { path: string; headers: IncomingHttpHeaders }[] = [];
const server = createServer((request, response) => {
  const path = request.url ?? '';
  const isToken = path === '/connect/token';
  if (!isToken) received.push({ path, headers: request.headers });
  const reply = isToken ? token : (replies.shift() ?? 'dropped');
  if (reply === 'dropped') return void request.socket.destroy();
  response.writeHead(reply.status, reply.headers).end(reply.body);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const config = {
  ...FAKE_CLIENT,
  bankId: 'truelayer',
  hosts: { api: `${origin}/v3`, token: `${origin}/connect/token`, noticeKeys: `${origin}/jwks` },
  scope: 'payments',
  useCase: 'utilities',
  hasOwnLicence: false,
  releaseChannel: 'general_availability',
  confirmsFunds: true,
} as const;
const key = readRequestKey(config.signingKid, config.signingKey);
const channel = trueLayerChannel(config);
after(async () => {
  await channel.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  token = TOKEN;
  replies = [];
  received.length = 0;
});

const order = { method: 'POST', path: '/payments', body: { a: 1 }, idempotencyKey: 'k-1' } as const;
/** Orders, with a token that nobody has asked for before. */
const send = () => trueLayerCaller(config, key, channel)(order, (json) => json);
const error = (status: number, title: string, headers?: Record<string, string>): Canned => ({
  status,
  body: JSON.stringify({ title, status, detail: '', trace_id: 't' }),
  ...(headers && { headers }),
});

test('whatever proves nothing leaves the outcome open', async () => {
  const open: (Canned | 'dropped')[] = [
    error(403, 'Forbidden'),
    error(409, 'Concurrency Conflict'),
    error(409, 'Idempotency-Key Concurrency Conflict'),
    error(422, 'Idempotency-Key Reuse'),
    error(500, 'Unknown Error'),
    error(502, 'Provider Error'),
    error(400, 'Something New'),
    { status: 404, body: '<html>not here</html>' },
    { status: 302, body: '', headers: { location: 'https://elsewhere.example/' } },
    { status: 201, body: 'no JSON' },
    'dropped',
  ];
  for (const reply of open) {
    replies = [reply];
    await assert.rejects(
      send(),
      (thrown) => thrown instanceof BankUnavailable && !thrown.notSent,
      JSON.stringify(reply),
    );
  }
});

test('too many requests are told with how long to wait', async () => {
  const waits = async (headers?: Record<string, string>) => {
    replies = [error(429, 'Rate Limit Exceeded', headers)];
    const thrown = await send().catch((one: unknown) => one);
    return thrown instanceof BankUnavailable ? thrown.retryAfterSeconds : undefined;
  };
  assert.equal(await waits({ 'retry-after': '7' }), 7);
  assert.equal(await waits(), 30);
  assert.equal(await waits({ 'retry-after': 'tomorrow' }), 30);
});

test('a token that is not taken is renewed once, for the very same order', async () => {
  const refused = error(401, 'Unauthenticated');
  replies = [refused, { status: 201, body: '{"id":"p-1"}' }];
  assert.deepEqual(await send(), { kind: 'ok', value: { id: 'p-1' } });
  const sent = received.map(({ headers }) => [headers['idempotency-key'], headers['tl-signature']]);
  assert.deepEqual(sent[0]?.[0], 'k-1');
  assert.deepEqual(sent[1], sent[0]);
  replies = [refused, refused, refused];
  await assert.rejects(send(), BankUnavailable);
  assert.equal(replies.length, 1);
});

test('without a token nothing leaves, whatever the reason', async () => {
  token = { status: 400, body: '{"error":"invalid_client"}' };
  await assert.rejects(send(), TokenRefused);
  const broken = [
    { status: 500, body: '{"error":"server_error"}' },
    { status: 429, body: '{"error":"slow_down"}' },
    { status: 404, body: '<html>' },
    { status: 200, body: '{}' },
  ];
  for (const reply of broken) {
    token = reply;
    await assert.rejects(send(), (one) => one instanceof BankUnavailable && one.notSent);
  }
  assert.deepEqual(received, []);
});

test('what is signed is the path below the host, with no query, and a question is not signed', async () => {
  replies = [{ status: 200, body: '{}' }];
  const call = trueLayerCaller(config, key, channel);
  await call({ method: 'GET', path: '/mandates/m/funds?amount_in_minor=1' }, (json) => json);
  const [question] = received;
  assert.equal(question?.path, '/v3/mandates/m/funds?amount_in_minor=1');
  assert.equal(question.headers['tl-signature'], undefined);
  assert.equal(question.headers['idempotency-key'], undefined);
});
