import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  Recollect,
  RecollectAuthenticationError,
  RecollectConflictError,
  RecollectError,
  RecollectNotFoundError,
  RecollectPermissionError,
  RecollectRateLimitError,
  RecollectRequestError,
  RecollectServiceError,
  type RequestResult,
} from '@recollect/sdk';
import { refusal, startService } from '../test-support/service.ts';
import { VERSION } from './version.ts';

const QUIET = { maxRetries: 0 };

test('an answer that is not the service’s is no refusal: the outcome of the request is not known', async (t) => {
  for (const reply of [
    { status: 200, text: '<html>', headers: { 'content-type': 'text/html' } },
    { status: 404, text: '<html>' },
    { status: 418, body: { error: 'short and stout' } },
    { status: 403, text: 'null' },
  ]) {
    const { client } = await startService(t, () => reply);
    const error = await client.payments.retry('pay_1', QUIET).catch((e) => e);
    const { name, status, message, idempotencyKey } = error;
    assert.deepEqual([name, status], ['RecollectConnectionError', reply.status]);
    assert.match(
      message,
      /^The answer is not the service's: HTTP status \d+, (text\/html|application\/json)$/,
    );
    assert.match(idempotencyKey, /^[0-9a-f-]{36}$/);
  }
});

test('a refusal has the class of its status, its page, and what the service asks for', async (t) => {
  const classes: [number, typeof RecollectError][] = [
    [400, RecollectRequestError],
    [401, RecollectAuthenticationError],
    [403, RecollectPermissionError],
    [404, RecollectNotFoundError],
    [409, RecollectConflictError],
    [413, RecollectRequestError],
    [429, RecollectRateLimitError],
    [503, RecollectServiceError],
  ];
  for (const [status, Class] of classes) {
    const headers = { 'retry-after': '7' };
    const reply = { ...refusal(status, 'not_found'), headers };
    const { client, url } = await startService(t, () => reply);
    const error = await client.merchant.get(QUIET).catch((e) => e);
    assert.ok(error instanceof Class && error instanceof RecollectError);
    assert.equal(error.name, Class.name);
    assert.deepEqual([error.retryAfter, error.docUrl], [7, `${url}/docs/errors/not_found`]);
  }
});

test('a reply gives its status and headers to whoever asks', async (t) => {
  const { client } = await startService(t, () => ({
    body: { id: 'pay_1' },
    headers: { 'idempotent-replayed': 'true', 'ratelimit-remaining': '41' },
  }));
  const { data, response } = await client.payments.retry('pay_1').withResponse();
  const { status, requestId, isReplayed, headers } = response;
  assert.deepEqual(
    [data.id, status, requestId, isReplayed, headers.get('ratelimit-remaining')],
    ['pay_1', 200, 'req_1', true, '41'],
  );
  const refused = await startService(t, () => refusal(404, 'not_found'));
  await assert.rejects(refused.client.merchant.get().withResponse(), RecollectNotFoundError);
});

test('the service is told who calls, and a browser’s session is not', async (t) => {
  const { url, arrived } = await startService(t, () => ({}));
  const appInfo = { name: 'tea-shop', version: '2.1', url: 'https://tea.example' };
  for (const options of [{ apiKey: 'k' }, { apiKey: 'k', appInfo }, { apiKey: null, appInfo }])
    await new Recollect({ baseUrl: url, ...options }).merchant.get();
  const agents = arrived.map(({ headers }) => headers['user-agent']);
  const ours = `recollect-typescript/${VERSION}`;
  assert.deepEqual(agents.slice(0, 2), [ours, `${ours} tea-shop/2.1 (https://tea.example)`]);
  assert.doesNotMatch(agents[2] ?? '', /recollect/);
});

test('the version that it names is the package’s', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  assert.equal(VERSION, (JSON.parse(manifest) as { version: string }).version);
});

test('each attempt can be seen before and after', async (t) => {
  const { url } = await startService(t, (_, before) => (before === 0 ? null : { body: {} }));
  const seen: unknown[] = [];
  const client = new Recollect({
    apiKey: 'k',
    baseUrl: url,
    onRequest: ({ method, number }) => void seen.push(`${method} ${number}`),
    onResponse: (result: RequestResult) => void seen.push([result.status, result.requestId]),
  });
  await client.payments.retry('pay_1');
  assert.deepEqual(seen, ['POST 1', [null, null], 'POST 2', [200, 'req_2']]);
});

test('a route without a method is asked for by its path, with the same key and retries', async (t) => {
  const { client, arrived } = await startService(t, (_, before) =>
    before === 0 ? null : { body: { id: 'new_1' } },
  );
  const query = { limit: 2 };
  const made = await client.request<{ id: string }>('POST', '/api/v1/news', {
    query,
    body: { a: 1 },
  });
  assert.equal(made.id, 'new_1');
  const [first, second] = arrived;
  assert.deepEqual(
    [second?.method, second?.path, second?.body],
    ['POST', '/api/v1/news?limit=2', '{"a":1}'],
  );
  assert.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
});
