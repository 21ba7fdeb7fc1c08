import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { request } from 'undici';
import {
  bareMerchant,
  noteRoutes,
  type OwnPlatform,
  ownPlatform,
  testPlatform,
  testServer,
} from '../../../test-support/slices/platform.ts';
import { databaseClock } from '../time/clock.ts';
import { ApiError } from '../values/errors.ts';

let platform: OwnPlatform;
let app: FastifyInstance;
let auth: { authorization: string };

before(async () => {
  platform = await ownPlatform();
  auth = { authorization: `Bearer ${await bareMerchant(platform)}` };
  const broken = async (text: string): Promise<void> => {
    if (text === 'crash') throw new Error('the password is hunter2');
    if (text === 'missing') throw new ApiError('not_found', 'No such colour.');
    if (text === 'gone')
      throw Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
  };
  app = await testServer(platform, {
    routes: noteRoutes(broken),
    plain: (scope) => {
      scope.get('/pages/:link', async () => 'a page');
    },
  });
});

after(async () => {
  await app.close();
  await platform.drop();
});

function refused(
  answer: LightMyRequestResponse,
  status: number,
  code: string,
): Record<string, string> {
  assert.equal(answer.statusCode, status, answer.body);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.ok(answer.headers['x-request-id']);
  const body = answer.json<{
    error: { code: string; message: string; details?: Record<string, string> };
  }>();
  assert.deepEqual(Object.keys(body), ['error']);
  assert.equal(body.error.code, code);
  assert.ok(body.error.message.length > 0);
  return body.error.details ?? {};
}

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/note',
    headers: { ...auth, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

test('a call works in its merchant, and its answer is plain JSON that nobody caches', async () => {
  const wakes = platform.woken;
  const written = await post({ text: '!' });
  assert.equal(written.statusCode, 200, written.body);
  assert.equal(platform.woken, wakes + 1);
  const read = await app.inject({ url: '/api/v1/note', headers: auth });
  assert.deepEqual(read.json(), { text: 'Bare!' });
  assert.equal(platform.woken, wakes + 1);
  assert.equal(read.headers['cache-control'], 'no-store');
});

test('a change that leaves no work now, like one that is refused, wakes nobody', async (t) => {
  const routes = noteRoutes().map((route) => ({ ...route, leavesWork: () => false }));
  const quiet = await testServer(platform, { routes });
  t.after(() => quiet.close());
  const wakes = platform.woken;
  const request = { method: 'POST', url: '/api/v1/note', headers: auth } as const;
  for (const headers of [auth, { ...auth, 'idempotency-key': 'quiet' }])
    assert.equal(
      (await quiet.inject({ ...request, headers, payload: { text: '?' } })).statusCode,
      200,
    );
  assert.equal((await app.inject({ ...request, payload: { text: 'bad' } })).statusCode, 400);
  assert.equal(platform.woken, wakes);
});

test('no key, or one that nobody holds, is 401 before anything else is looked at', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer nobody' },
    { authorization: 'Basic bWVyXw==' },
  ]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/note',
      headers: { 'content-type': 'application/json', 'idempotency-key': '', ...headers },
      payload: '{',
    });
    refused(answer, 401, 'unauthorized');
    assert.match(String(answer.headers['www-authenticate']), /^Bearer/);
  }
});

test('one 400 names the wrong fields of the schema and of the semantic check together', async () => {
  const details = refused(
    await post({ text: 'bad', colour: 'x', size: 1 }),
    400,
    'invalid_request',
  );
  assert.deepEqual(details, {
    text: 'must not be bad',
    colour: 'must be an integer',
    size: 'is not a field of this request',
  });
});

test('a body that is not UTF-8 is 400, and another character set or a compressed body is 415', async () => {
  const send = (payload: Buffer | string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/note',
      headers: { ...auth, 'content-type': 'application/json', ...headers },
      payload,
    });
  const latin1 = Buffer.from('{"text":"caf\xe9"}', 'latin1');
  assert.deepEqual(refused(await send(latin1), 400, 'invalid_request'), { body: 'is not UTF-8' });
  for (const charset of ['iso-8859-1', '"windows-1252"', 'utf-16', 'utf-8; charset=latin1'])
    refused(
      await send('{"text":"a"}', { 'content-type': `application/json; charset=${charset}` }),
      415,
      'unsupported_media_type',
    );
  for (const coding of ['gzip', 'br', 'deflate', 'gzip, identity'])
    refused(
      await send('{"text":"a"}', { 'content-encoding': coding }),
      415,
      'unsupported_media_type',
    );
  const compressed = await send('{"text":"a"}', { 'content-encoding': 'gzip' });
  assert.match(compressed.json().error.message, /gzip/);
  for (const type of ['application/json; charset=UTF-8', 'application/json;charset="utf8"'])
    assert.equal((await send('{"text":"é"}', { 'content-type': type })).statusCode, 200);
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"text":"a"}')]);
  assert.equal((await send(marked, { 'content-encoding': 'identity' })).statusCode, 200);
});

test('names that stand twice, and numbers that readers of JSON change, are 400 by their field', async () => {
  for (const [body, field] of [
    ['{"text":"a","text":"b"}', 'text'],
    ['{"text":"a","colour":9007199254740993}', 'colour'],
    ['{"text":"a","colour":1e400}', 'colour'],
    ['{"text":"a","colour":0.1e-400}', 'colour'],
    ['{"text":"a","colour":4999.00000000000000001}', 'colour'],
    ['{"text":"a","more":{"list":[1,1e999]}}', 'more.list.1'],
  ] as const)
    assert.deepEqual(Object.keys(refused(await post(body), 400, 'invalid_request') ?? {}), [field]);
  assert.equal((await post('{"text":"a","colour":1.0}')).statusCode, 200);
});

test('a query whose escapes are not UTF-8 is 400', async () => {
  const answer = await app.inject({ url: '/api/v1/note?q=caf%E9', headers: auth });
  assert.deepEqual(Object.keys(refused(answer, 400, 'invalid_request') ?? {}), ['query']);
});

test('a body that is no JSON, no object, or missing is 400', async () => {
  for (const body of ['{', '{"text":"a"}}'])
    assert.deepEqual(refused(await post(body), 400, 'invalid_request'), {
      body: 'is not valid JSON',
    });
  for (const body of ['[]', '"text"', 'null', '1'])
    assert.deepEqual(refused(await post(body), 400, 'invalid_request'), {
      body: 'must be an object',
    });
  assert.deepEqual(refused(await post(''), 400, 'invalid_request'), { text: 'is required' });
  const details = refused(await post('{"__proto__":{"text":"a"}}'), 400, 'invalid_request');
  assert.deepEqual(Object.entries(Object(details)).sort(), [
    ['__proto__', 'is not a field of this request'],
    ['text', 'is required'],
  ]);
});

test('text that the database cannot hold is 400 and not 500', async () => {
  const details = refused(await post('{"text":"a\\u0000"}'), 400, 'invalid_request');
  assert.deepEqual(Object.keys(details), ['text']);
  refused(await post(`{"text":${'['.repeat(9000)}${']'.repeat(9000)}}`), 400, 'invalid_request');
});

test('a query with an unknown parameter is 400', async () => {
  const answer = await app.inject({ url: '/api/v1/note?page=2', headers: auth });
  assert.deepEqual(Object.keys(refused(answer, 400, 'invalid_request')), ['page']);
});

test('an unknown path is 404, with a key or without', async () => {
  refused(await app.inject({ url: '/api/v1/nothing' }), 404, 'not_found');
  refused(await app.inject({ method: 'POST', url: '/' }), 404, 'not_found');
  refused(await app.inject({ url: `/pages/${'x'.repeat(500)}` }), 404, 'not_found');
});

test('another method is 405 and the answer says which are allowed', async () => {
  const answer = await app.inject({ method: 'DELETE', url: '/api/v1/note?x=1', headers: auth });
  refused(answer, 405, 'method_not_allowed');
  assert.equal(answer.headers.allow, 'GET, HEAD, POST');
  const page = await app.inject({ method: 'PUT', url: '/pages/abc' });
  assert.equal(page.headers.allow, 'GET, HEAD');
});

test('a body beyond 256 KB is 413', async () => {
  refused(await post({ text: 'x'.repeat(256 * 1024) }), 413, 'payload_too_large');
});

test('a body that is not sent as JSON is 415', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])
    refused(await post('text=a', { 'content-type': type }), 415, 'unsupported_media_type');
});

test('a refusal of the handler rolls back what it did', async () => {
  const text = (await app.inject({ url: '/api/v1/note', headers: auth })).json<{ text: string }>()
    .text;
  refused(await post({ text: 'missing' }), 404, 'not_found');
  assert.deepEqual((await app.inject({ url: '/api/v1/note', headers: auth })).json(), { text });
});

test('a fault of ours is 500 and shows nothing of itself', async () => {
  const answer = await post({ text: 'crash' });
  refused(answer, 500, 'internal_error');
  assert.doesNotMatch(answer.body, /hunter2|Error/);
});

test('a database that cannot be reached is 503', async () => {
  const answer = await post({ text: 'gone' });
  refused(answer, 503, 'service_unavailable');
  assert.ok(Number(answer.headers['retry-after']) > 0);
});

test('a path that is no URL is 400', async () => {
  refused(await app.inject({ url: '/api/v1/%zz' }), 400, 'invalid_request');
});

test('what is no HTTP gets the envelope too', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () =>
      socket.write('??\r\n\r\n'),
    );
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('close', () => resolve(text));
  });
  assert.match(answer, /^HTTP\/1\.1 400 .*\{"error":\{"code":"invalid_request"/s);
});

test('a sane X-Request-Id is taken over, any other replaced', async () => {
  const id = async (given: string) =>
    (await app.inject({ url: '/healthz', headers: { 'x-request-id': given } })).headers[
      'x-request-id'
    ];
  assert.equal(await id('order-17:3'), 'order-17:3');
  for (const given of ['', 'two words', 'x'.repeat(129), 'naïve'])
    assert.match(String(await id(given)), /^req_[0-9A-Za-z]{22}$/);
});

test('every answer is guarded: no sniffing, no framing, no referrer', async () => {
  for (const url of ['/healthz', '/api/v1/note', '/nothing', '/pages/abc']) {
    const { headers } = await app.inject({ url });
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  }
});

test('health needs no key; readiness tells whether the database answers', async (t) => {
  assert.equal((await app.inject({ url: '/healthz' })).statusCode, 200);
  assert.equal((await app.inject({ url: '/readyz' })).statusCode, 200);
  const lost = testPlatform('postgres://nobody@127.0.0.1:1/nothing');
  const lonely = await testServer(lost);
  t.after(() => lonely.close());
  assert.equal((await lonely.inject({ url: '/healthz' })).statusCode, 200);
  refused(await lonely.inject({ url: '/readyz' }), 503, 'service_unavailable');
  refused(await lonely.inject({ url: '/api/v1/note', headers: auth }), 503, 'service_unavailable');
});

test('a process whose clock is not the database’s is not ready, so that a load balancer leaves it out', async (t) => {
  const own = await testServer(platform);
  t.after(() => own.close());
  const { timeOf } = databaseClock;
  t.after(() => Object.assign(databaseClock, { timeOf }));
  databaseClock.timeOf = (read) => timeOf(read).subtract({ seconds: 31 });
  refused(await own.inject({ url: '/readyz' }), 503, 'service_unavailable');
  databaseClock.timeOf = (read) => timeOf(read).subtract({ seconds: 29 });
  await sleep(1_100); // an answer is kept for a second
  assert.equal((await own.inject({ url: '/readyz' })).statusCode, 200);
});

test('an answer that breaks its documented schema is found in tests', async (t) => {
  const [read] = noteRoutes();
  assert.ok(read);
  const careless = await testServer(platform, {
    routes: [{ ...read, handle: async () => ({ text: 7 }) }],
  });
  t.after(() => careless.close());
  refused(await careless.inject({ url: '/api/v1/note', headers: auth }), 500, 'internal_error');
});

test('row-level security confines a call to its merchant', async () => {
  const other = await bareMerchant(platform);
  const answer = await app.inject({
    url: '/api/v1/note',
    headers: { authorization: `Bearer ${other}` },
  });
  assert.deepEqual(answer.json(), { text: 'Bare' }); // the handler selects without a condition
});

test('closing finishes what was begun, and waits for nothing else', async () => {
  const begun = Promise.withResolvers<void>();
  const closing = await testServer(platform, {
    routes: noteRoutes(async () => {
      begun.resolve();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }),
  });
  const address = await closing.listen({ port: 0, host: '127.0.0.1' });
  const answer = request(`${address}/api/v1/note`, {
    method: 'POST',
    headers: { ...auth, 'content-type': 'application/json' },
    body: '{"text":"last"}',
  });
  await begun.promise;
  const started = performance.now();
  await closing.close();
  assert.ok(performance.now() - started < 5000);
  const { statusCode, body } = await answer;
  assert.equal(statusCode, 200);
  assert.match(await body.text(), /last/);
});
