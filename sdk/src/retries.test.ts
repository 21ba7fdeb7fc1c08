import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Recollect,
  RecollectConnectionError,
  RecollectError,
  RecollectRateLimitError,
  RecollectServiceError,
} from '@recollect/sdk';
import { type Reply, refusal, startService } from '../test-support/service.ts';

const SOON = { headers: { 'retry-after': '0' } };
const UNAVAILABLE = { ...refusal(503, 'service_unavailable'), ...SOON };
const TOO_MANY = { ...refusal(429, 'rate_limit_exceeded'), ...SOON };
const BUSY = { ...refusal(409, 'request_in_progress'), ...SOON };
const FINE = { body: { id: 'pay_1' } };

/** Returns the replies in turn, and repeats the last one forever. */
const inTurn =
  (...replies: Reply[]) =>
  (_: unknown, before: number): Reply =>
    replies[Math.min(before, replies.length - 1)] ?? null;

test('429, 5xx and dropped connections are tried again, under the same Idempotency-Key', async (t) => {
  for (const trouble of [TOO_MANY, UNAVAILABLE, { status: 502, text: 'bad gateway' }, null]) {
    const { client, arrived } = await startService(t, inTurn(trouble, trouble, FINE));
    assert.equal((await client.payments.retry('pay_1')).id, 'pay_1');
    assert.equal(arrived.length, 3);
    assert.equal(new Set(arrived.map((r) => r.headers['idempotency-key'])).size, 1);
  }
});

test('other refusals are not tried again', async (t) => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [404, 'not_found'],
    [409, 'idempotency_conflict'],
    [409, 'request_in_progress'], // such as another change of many schedules, under another key
  ] as const) {
    const { client, arrived } = await startService(t, () => refusal(status, code));
    await assert.rejects(client.payments.retry('pay_1'), (error: unknown) => {
      assert.ok(error instanceof RecollectError);
      return error.code === code;
    });
    assert.equal(arrived.length, 1);
  }
});

test('a try that meets an earlier one of the same call at work waits for its answer', async (t) => {
  const { client, arrived } = await startService(t, inTurn(null, BUSY, FINE));
  assert.equal((await client.payments.retry('pay_1')).id, 'pay_1');
  assert.equal(arrived.length, 3);
});

test('a refusal that says nothing of an unclear try leaves the outcome unknown', async (t) => {
  for (const [unclear, last] of [
    [UNAVAILABLE, TOO_MANY],
    [UNAVAILABLE, BUSY],
    [UNAVAILABLE, refusal(401, 'unauthorized')],
    [{ status: 502, text: 'bad gateway' }, refusal(403, 'forbidden')],
    [null, refusal(403, 'address_not_allowed')],
  ] as const) {
    const { client, arrived } = await startService(t, inTurn(unclear, last));
    const error = await client.payments.retry('pay_1', { maxRetries: 1 }).catch((e) => e);
    assert.ok(error instanceof RecollectConnectionError && !(error instanceof RecollectError));
    assert.match(error.message, /^An earlier attempt may have taken effect; of the last one: It/);
    assert.ok(error.cause instanceof RecollectError);
    assert.deepEqual([error.cause.status, error.status], [last.status, last.status]);
    assert.equal(error.idempotencyKey, arrived.at(0)?.headers['idempotency-key']);
  }
});

test('a refusal that the service would have replayed a success for stays a refusal', async (t) => {
  const { client } = await startService(t, inTurn(null, refusal(404, 'not_found')));
  await assert.rejects(client.payments.retry('pay_1'), { name: 'RecollectNotFoundError' });
});

test('a read has no effect, and so no unknown outcome', async (t) => {
  const { client } = await startService(t, inTurn(null, TOO_MANY));
  const once = { maxRetries: 1 };
  await assert.rejects(client.payments.get('pay_1', once), { name: 'RecollectRateLimitError' });
});

test('a request at work elsewhere under the same key is waited for by the caller, and no refusal', async (t) => {
  const busy = { 'Idempotency-Key': 'is being worked on' };
  const { client, arrived } = await startService(t, () =>
    refusal(409, 'request_in_progress', busy),
  );
  const error = await client.payments
    .retry('pay_1', { idempotencyKey: 'order-42' })
    .catch((e) => e);
  assert.ok(error instanceof RecollectConnectionError, String(error));
  assert.match(
    error.message,
    /^Another request with this key may take effect: It is request_in_progress/,
  );
  assert.equal(error.idempotencyKey, 'order-42');
  assert.equal(arrived.length, 1);
});

test('after maxRetries more tries the last trouble is thrown', async (t) => {
  const { url, arrived } = await startService(t, () => UNAVAILABLE);
  const client = new Recollect({ apiKey: 'k', baseUrl: url, maxRetries: 1 });
  await assert.rejects(client.merchant.get(), { code: 'service_unavailable', status: 503 });
  assert.equal(arrived.length, 2);
});

test('Retry-After is waited for', async (t) => {
  const late = { ...TOO_MANY, headers: { 'retry-after': '1' } };
  const { client } = await startService(t, inTurn(late, FINE));
  const start = performance.now();
  await client.merchant.get();
  assert.ok(performance.now() - start >= 990);
});

test('a Retry-After that is a date is waited for, too, and the error says in how many seconds', async (t) => {
  const at = new Date(Date.now() + 120_000).toUTCString();
  const { client, arrived } = await startService(t, () => ({
    ...refusal(429, 'rate_limit_exceeded'),
    headers: { 'retry-after': at },
  }));
  const error = await client.merchant.get().catch((e) => e);
  assert.ok(error instanceof RecollectRateLimitError);
  assert.ok(error.retryAfter !== null && error.retryAfter > 110 && error.retryAfter <= 120);
  assert.equal(arrived.length, 1);
});

test('a call has a number of retries of its own', async (t) => {
  const { client, arrived } = await startService(t, () => UNAVAILABLE);
  await assert.rejects(client.merchant.get({ maxRetries: 4 }), RecollectServiceError);
  assert.equal(arrived.length, 5);
  await assert.rejects(client.merchant.get({ maxRetries: 0 }), RecollectServiceError);
  assert.equal(arrived.length, 6);
});

test('a Retry-After of more than a minute is left to the caller', async (t) => {
  const late = { ...TOO_MANY, headers: { 'retry-after': '61' } };
  const { client, arrived } = await startService(t, () => late);
  await assert.rejects(client.merchant.get(), { code: 'rate_limit_exceeded' });
  assert.equal(arrived.length, 1);
});

test('a time-out is a RecollectConnectionError that holds the key to repeat the request with', async (t) => {
  const { url, arrived } = await startService(t, () => 'never');
  const client = new Recollect({ apiKey: 'k', baseUrl: url, timeoutMs: 500, maxRetries: 1 });
  const error = await client.payments.retry('pay_1').catch((e) => e);
  assert.ok(error instanceof RecollectConnectionError && !(error instanceof RecollectError));
  assert.match(error.message, /^No answer to POST .*\/pay_1\/retry: none within 500 ms$/);
  assert.equal(arrived.length, 2);
  for (const { headers } of arrived) assert.equal(headers['idempotency-key'], error.idempotencyKey);
});

test('an answer that breaks off in the middle counts as none', async (t) => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"id":', () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Recollect({ apiKey: 'k', baseUrl, maxRetries: 1 });
  await assert.rejects(client.merchant.get(), RecollectConnectionError);
  assert.equal(requests, 2);
});

test('where nobody listens the error says so', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = new Recollect({ apiKey: 'k', baseUrl, maxRetries: 0 });
  await assert.rejects(client.merchant.get(), {
    name: 'RecollectConnectionError',
    message: /^No answer to GET .*ECONNREFUSED/,
    idempotencyKey: null,
  });
});

test('the key is never taken along to another address by a redirect', async (t) => {
  const other = await startService(t, () => FINE);
  const moved = { status: 307, headers: { location: `${other.url}/api/v1/merchant` } };
  const { url } = await startService(t, () => moved);
  const client = new Recollect({ apiKey: 'k', baseUrl: url, maxRetries: 0 });
  await assert.rejects(client.merchant.get(), {
    name: 'RecollectConnectionError',
    status: 307,
    message: /HTTP status 307 to http:.* Is baseUrl right\?$/,
  });
  assert.equal(other.arrived.length, 0);
});

test('the caller’s signal ends a call, and the waiting between tries, with its own reason', async (t) => {
  const slow = { ...TOO_MANY, headers: { 'retry-after': '30' } };
  for (const reply of ['never', slow] as const) {
    const { client, arrived } = await startService(t, () => reply);
    const ending = new AbortController();
    const call = client.merchant.get({ signal: ending.signal });
    const ended = assert.rejects(call, { message: 'enough' });
    while (arrived.length === 0) await sleep(5);
    await sleep(50); // let it wait, for a response or for its next attempt
    ending.abort(new Error('enough'));
    await ended;
    assert.equal(arrived.length, 1);
  }
});

test('the sandbox clock is never moved twice by one call', async (t) => {
  for (const trouble of [null, UNAVAILABLE]) {
    const { client, arrived } = await startService(t, () => trouble);
    await assert.rejects(client.sandbox.advance({ by: 'P1D' }));
    assert.equal(arrived.length, 1);
  }
});
