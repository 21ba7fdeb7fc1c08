import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClientOptions, Recollect, RecollectError } from '@recollect/sdk';
import { refusal, startService } from '../test-support/service.ts';

const AMOUNT = { value: 4999, currency: 'GBP' };
const RANGE = { endpoint_id: 'end_1', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

/** Every call of the client, and the request it sends. */
const CALLS: [request: string, call: (r: Recollect) => Promise<unknown>, body?: object][] = [
  [
    'POST /api/v1/schedules',
    (r) =>
      r.schedules.create({
        amount: AMOUNT,
        frequency: 'monthly',
        customer: { phone: '+447700900123' },
        description: 'Tea',
      }),
    {
      amount: AMOUNT,
      frequency: 'monthly',
      customer: { phone: '+447700900123' },
      description: 'Tea',
    },
  ],
  ['GET /api/v1/schedules/sch_1', (r) => r.schedules.get('sch_1')],
  [
    'PUT /api/v1/schedules/sch_1',
    (r) => r.schedules.update('sch_1', { end_date: null, amount: AMOUNT }),
    { end_date: null, amount: AMOUNT },
  ],
  ['PUT /api/v1/schedules/sch_1', (r) => r.schedules.pause('sch_1'), { status: 'paused' }],
  [
    'PUT /api/v1/schedules/sch_1',
    (r) => r.schedules.pauseUntil('sch_1', '2026-05-01T09:00:00Z'),
    { status: 'paused', resume_at: '2026-05-01T09:00:00Z' },
  ],
  ['PUT /api/v1/schedules/sch_1', (r) => r.schedules.resume('sch_1'), { status: 'active' }],
  ['PUT /api/v1/schedules/sch_1', (r) => r.schedules.cancel('sch_1'), { status: 'cancelled' }],
  [
    'GET /api/v1/schedules?status=paused&limit=5&offset=10',
    (r) => r.schedules.list({ status: 'paused', limit: 5, offset: 10 }),
  ],
  [
    'GET /api/v1/customers?q=Kim+Fern&limit=5',
    (r) => r.customers.list({ q: 'Kim Fern', limit: 5 }),
  ],
  ['GET /api/v1/customers/cus_1', (r) => r.customers.get('cus_1')],
  [
    'PUT /api/v1/customers/cus_1',
    (r) => r.customers.update('cus_1', { name: 'Kim Fern', notes: null }),
    { name: 'Kim Fern', notes: null },
  ],
  [
    'POST /api/v1/customers/cus_1/erase',
    (r) => r.customers.erase('cus_1', { reason: 'asked on 5 January' }),
    { reason: 'asked on 5 January' },
  ],
  ['GET /api/v1/customers/cus_1/export?reason=asked', (r) => r.customers.export('cus_1', 'asked')],
  ['GET /api/v1/customers/cus_1/schedules', (r) => r.schedules.listByCustomer('cus_1')],
  ['GET /api/v1/schedules/sch_1/payments', (r) => r.schedules.payments('sch_1')],
  [
    'POST /api/v1/schedules/sch_1/payments',
    (r) => r.schedules.collect('sch_1', { amount: AMOUNT, description: 'Router' }),
    { amount: AMOUNT, description: 'Router' },
  ],
  ['GET /api/v1/schedules/sch_1/upcoming', (r) => r.schedules.upcoming('sch_1')],
  [
    'GET /api/v1/schedules/sch_1/upcoming?limit=3',
    (r) => r.schedules.upcoming('sch_1', { limit: 3 }),
  ],
  [
    'PUT /api/v1/schedules/sch_1/upcoming/2026-01-31T09%3A00%3A00.000Z',
    (r) => r.schedules.changeUpcoming('sch_1', '2026-01-31T09:00:00.000Z', { amount: AMOUNT }),
    { amount: AMOUNT },
  ],
  [
    'DELETE /api/v1/schedules/sch_1/upcoming/2026-01-31T09%3A00%3A00.000Z',
    (r) => r.schedules.restoreUpcoming('sch_1', '2026-01-31T09:00:00.000Z'),
  ],
  ['GET /api/v1/payments/pay_1', (r) => r.payments.get('pay_1')],
  ['GET /api/v1/payments?status=failed', (r) => r.payments.list({ status: 'failed' })],
  ['POST /api/v1/payments/pay_1/retry', (r) => r.payments.retry('pay_1')],
  ['GET /api/v1/settlements', (r) => r.settlements.list()],
  ['GET /api/v1/settlements/set_1', (r) => r.settlements.get('set_1')],
  ['GET /api/v1/settlements/set_1/payments', (r) => r.settlements.payments('set_1')],
  ['POST /api/v1/settlements/set_1/retry', (r) => r.settlements.retry('set_1')],
  ['GET /api/v1/webhook_endpoints', (r) => r.webhookEndpoints.list()],
  ['GET /api/v1/webhook_endpoints/end_1', (r) => r.webhookEndpoints.get('end_1')],
  [
    'POST /api/v1/webhook_endpoints',
    (r) =>
      r.webhookEndpoints.create({ url: 'https://a.example', event_kinds: ['consent.revoked'] }),
    { url: 'https://a.example', event_kinds: ['consent.revoked'] },
  ],
  [
    'PUT /api/v1/webhook_endpoints/end_1',
    (r) => r.webhookEndpoints.update('end_1', { status: 'disabled' }),
    { status: 'disabled' },
  ],
  ['DELETE /api/v1/webhook_endpoints/end_1', (r) => r.webhookEndpoints.delete('end_1')],
  ['POST /api/v1/webhook_endpoints/end_1/rotate', (r) => r.webhookEndpoints.rotate('end_1')],
  ['POST /api/v1/webhook_endpoints/end_1/activate', (r) => r.webhookEndpoints.activate('end_1')],
  ['POST /api/v1/webhook_endpoints/end_1/test', (r) => r.webhookEndpoints.test('end_1')],
  [
    'GET /api/v1/events?delivery=undelivered&kind=collection.failed&schedule_id=sch_1',
    (r) =>
      r.events.list({ delivery: 'undelivered', kind: 'collection.failed', schedule_id: 'sch_1' }),
  ],
  ['GET /api/v1/events/feed?limit=100&after=start', (r) => r.events.follow()],
  ['GET /api/v1/events/evt_1', (r) => r.events.get('evt_1')],
  ['POST /api/v1/events/evt_1/resend', (r) => r.events.resend('evt_1'), {}],
  [
    'POST /api/v1/events/evt_1/resend',
    (r) => r.events.resend('evt_1', { endpoint_id: 'end_1' }),
    { endpoint_id: 'end_1' },
  ],
  ['POST /api/v1/events/replay', (r) => r.events.replay(RANGE), RANGE],
  ['GET /api/v1/merchant', (r) => r.merchant.get()],
  ['PUT /api/v1/merchant', (r) => r.merchant.update({ return_url: null }), { return_url: null }],
  ['GET /api/v1/api_keys', (r) => r.apiKeys.list()],
  ['POST /api/v1/api_keys', (r) => r.apiKeys.create({ name: 'till' }), { name: 'till' }],
  ['POST /api/v1/api_keys/key_1/rotate', (r) => r.apiKeys.rotate('key_1'), {}],
  ['DELETE /api/v1/api_keys/key_1', (r) => r.apiKeys.revoke('key_1')],
  ['GET /api/v1/api_key', (r) => r.apiKeys.own()],
  [
    'POST /api/v1/prepared_acts',
    (r) => r.preparedActs.prepare({ operation: 'retryPayment', params: { id: 'pay_1' }, body: {} }),
    { operation: 'retryPayment', params: { id: 'pay_1' }, body: {} },
  ],
  ['POST /api/v1/prepared_acts/act_1/commit', (r) => r.preparedActs.commit('act_1')],
  ['GET /api/v1/prepared_acts?status=done', (r) => r.preparedActs.list({ status: 'done' })],
  ['GET /api/v1/prepared_acts/act_1', (r) => r.preparedActs.get('act_1')],
  ['GET /sandbox/clock', (r) => r.sandbox.clock()],
  ['GET /sandbox/clock/advance', (r) => r.sandbox.lastMove()],
  ['POST /sandbox/clock/stop', (r) => r.sandbox.stop()],
  ['POST /sandbox/reset', (r) => r.sandbox.reset()],
  [
    'POST /sandbox/schedules/sch_1/consent',
    (r) => r.sandbox.consent('sch_1', { decision: 'grant', account: 'alex' }),
    { decision: 'grant', account: 'alex' },
  ],
  ['GET /sandbox/accounts', (r) => r.sandbox.accounts()],
  ['GET /sandbox/issuer', (r) => r.sandbox.issuer()],
  [
    'PUT /sandbox/issuer',
    (r) => r.sandbox.changeIssuer({ modes: ['new_event_ids'] }),
    { modes: ['new_event_ids'] },
  ],
  [
    'PUT /sandbox/accounts/northbank/nina',
    (r) => r.sandbox.changeAccount('northbank', 'nina', { balance: 5000 }),
    { balance: 5000 },
  ],
  [
    'PUT /sandbox/banks/northbank',
    (r) => r.sandbox.changeBank('northbank', { behaviours: ['bare_errors'] }),
    { behaviours: ['bare_errors'] },
  ],
];

test('each method sends the method, path and body of its endpoint, and answers what came back', async (t) => {
  const { client, arrived } = await startService(t, () => ({ body: { id: 'x_1', total: 0 } }));
  for (const [request, call, body] of CALLS) {
    assert.deepEqual({ ...((await call(client)) as object) }, { id: 'x_1', total: 0 }, request);
    const sent = arrived.pop();
    assert.equal(`${sent?.method} ${sent?.path}`, request);
    assert.deepEqual(sent?.body === '' ? undefined : JSON.parse(sent?.body ?? ''), body, request);
    assert.equal(sent?.headers['content-type'], body && 'application/json', request);
    assert.equal(sent?.headers.authorization, 'Bearer rk_test_key', request);
  }
});

test('every POST and PUT of the API carries an Idempotency-Key of its own, and nothing else does', async (t) => {
  const { client, arrived } = await startService(t, () => ({}));
  for (const [, call] of CALLS) await call(client);
  const keyed = arrived.filter((r) => r.headers['idempotency-key'] !== undefined);
  const writes = arrived.filter((r) => /^P/.test(r.method) && r.path.startsWith('/api/'));
  assert.deepEqual(keyed, writes);
  assert.equal(new Set(keyed.map((r) => r.headers['idempotency-key'])).size, writes.length);
});

test('a key that the caller chose is used as it is', async (t) => {
  const { client, arrived } = await startService(t, () => ({}));
  await client.payments.retry('pay_1', { idempotencyKey: 'order-7' });
  assert.equal(arrived[0]?.headers['idempotency-key'], 'order-7');
});

test('an id cannot name another path', async (t) => {
  const { client, arrived } = await startService(t, () => ({}));
  await client.schedules.get('../payments?x=1#y');
  assert.equal(arrived[0]?.path, '/api/v1/schedules/..%2Fpayments%3Fx%3D1%23y');
  for (const id of ['', '.', '..'])
    assert.throws(() => client.schedules.get(id), { name: 'TypeError', message: /not an id/ });
  assert.equal(arrived.length, 1);
});

test('a base URL may have a path and end with a slash', async (t) => {
  const { url, arrived } = await startService(t, () => ({}));
  await new Recollect({ apiKey: 'k', baseUrl: `${url}/collect/` }).merchant.get();
  assert.equal(arrived[0]?.path, '/collect/api/v1/merchant');
});

test('where the key is null no Authorization header is sent', async (t) => {
  const { url, arrived } = await startService(t, () => ({}));
  await new Recollect({ apiKey: null, baseUrl: url }).merchant.get();
  await new Recollect({ apiKey: 'k', baseUrl: url }).merchant.get();
  assert.deepEqual(
    arrived.map((r) => r.headers.authorization),
    [undefined, 'Bearer k'],
  );
});

test('a client without a key, or with a base URL that is none, is refused at once', () => {
  assert.throws(() => new Recollect({ apiKey: '', baseUrl: 'https://a.example' }), TypeError);
  const forgotten = { baseUrl: 'https://a.example' } as ClientOptions;
  assert.throws(() => new Recollect(forgotten), /apiKey is missing/);
  assert.throws(() => new Recollect({ apiKey: '', baseUrl: 'https://a.example' }), /apiKey/);
  assert.throws(() => new Recollect({ apiKey: 'k', baseUrl: 'a.example' }), /baseUrl/);
});

test('a fetch that is given is used instead of the global one', async () => {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(String(input));
    return Response.json({ id: 'mer_1' });
  };
  const client = new Recollect({ apiKey: 'k', baseUrl: 'https://a.example', fetch });
  assert.equal((await client.merchant.get()).id, 'mer_1');
  assert.deepEqual(asked, ['https://a.example/api/v1/merchant']);
});

test('a refusal is a RecollectError with all that the service said', async (t) => {
  const details = { 'amount.value': 'must be greater than 0' };
  const { client } = await startService(t, () => refusal(400, 'invalid_request', details));
  const error = await client.schedules.pause('sch_1', { idempotencyKey: 'k1' }).catch((e) => e);
  assert.ok(error instanceof RecollectError && error instanceof Error);
  const { name, code, message, status, requestId, idempotencyKey } = error;
  assert.deepEqual(
    { name, code, message, status, requestId, idempotencyKey, details: error.details },
    {
      name: 'RecollectRequestError',
      code: 'invalid_request',
      message: 'It is invalid_request.',
      status: 400,
      requestId: 'req_1',
      idempotencyKey: 'k1',
      details,
    },
  );
});
