import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { allOf, callAs, readAs } from '../../../test-support/dashboard-call.ts';
import {
  bareMerchant,
  type OwnPlatform,
  ownPlatform,
  testServer,
} from '../../../test-support/slices/platform.ts';
import { createKey } from '../../merchants/keys/key-service.ts';
import {
  insertRequests,
  type LoggedRequest,
} from '../../platform/http/request-log/request-log-store.ts';
import { requestRoutes } from './routes.ts';
import type { RequestDetail, RequestItem } from './view.ts';

const START = Temporal.Instant.from('2026-11-21T10:00:00Z');

let platform: OwnPlatform;
let merchantId: string;
let keyId: string;
let app: FastifyInstance;

const request = (n: number, fields: Partial<LoggedRequest> = {}): LoggedRequest => ({
  merchantId,
  requestId: `req_${String(n).padStart(3, '0')}`,
  sentId: null,
  at: START.add({ seconds: Math.floor(n / 2) }), // two at each moment
  method: 'POST',
  path: '/api/v1/schedules',
  status: 200,
  durationMs: 7,
  errorCode: null,
  callerType: 'api_key',
  callerId: keyId,
  idempotencyKey: null,
  userAgent: null,
  requestBody: '{"a":1}',
  responseBody: null,
  ...fields,
});

before(async () => {
  platform = await ownPlatform();
  merchantId = await bareMerchant(platform);
  app = await testServer(platform, { routes: requestRoutes() });
  await platform.db.transaction(async (tx) => {
    const now = platform.clock.now();
    keyId = (await createKey(platform, { tx, now, merchantId }, 'billing', 'test')).key.keyId;
    await tx.run(
      `INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('usr_1', 'Ada', 'ada@x.example', now(), now())`,
    );
    await tx.run(
      `INSERT INTO members (merchant_id, user_id, role, joined_at) VALUES ($1, 'usr_1', 'owner', now())`,
      [merchantId],
    );
    const refused = { status: 400, errorCode: 'invalid_request', responseBody: '{"error":1}' };
    await insertRequests(tx, [
      ...Array.from({ length: 20 }, (_, n) => request(n)),
      request(20, refused),
      request(21, { ...refused, method: 'PUT', path: '/api/v1/merchant', sentId: 'trace-9' }),
      request(22, { callerType: 'user', callerId: 'usr_1', method: 'DELETE' }),
      request(23, { callerType: 'user', callerId: 'usr_2' }),
    ]);
  });
});
after(async () => {
  await app.close();
  await platform.drop();
});

const list = async (query: string): Promise<string[]> =>
  (await allOf<RequestItem>(app, merchantId, `/api/requests?${query}`, 4)).map((item) => item.id);

test('requests come the newest first, each once, whatever the page', async () => {
  const all = Array.from({ length: 24 }, (_, n) => request(23 - n).requestId);
  assert.deepEqual(await list(''), all);
});

test('they are filtered by outcome, method and the beginning of the path', async () => {
  assert.deepEqual(await list('outcome=errors'), ['req_021', 'req_020']);
  assert.deepEqual(await list('method=DELETE'), ['req_022']);
  assert.deepEqual(await list('path=/api/v1/mer'), ['req_021']);
  assert.deepEqual(await list('outcome=errors&method=POST&path=/api/v1/schedules'), ['req_020']);
  assert.deepEqual(await list('path=%25'), []);
});

test('a caller is shown by name: the key’s, the member’s', async () => {
  const nameOf = async (n: number) => {
    const id = request(n).requestId;
    return (await readAs<RequestDetail>(app, merchantId, `/api/requests/${id}`)).caller;
  };
  assert.deepEqual(await nameOf(1), { type: 'api_key', id: keyId, name: 'billing' });
  assert.deepEqual(await nameOf(22), { type: 'user', id: 'usr_1', name: 'Ada' });
  assert.equal((await nameOf(23)).name, 'A former member');
});

test('one request is shown with its bodies and the id that its answer carried', async () => {
  const { id, request_id, request_body, response_body, error_code } = await readAs<RequestDetail>(
    app,
    merchantId,
    '/api/requests/req_021',
  );
  assert.deepEqual(
    [id, request_id, request_body, response_body, error_code],
    ['req_021', 'trace-9', '{"a":1}', '{"error":1}', 'invalid_request'],
  );
  assert.equal((await callAs(app, merchantId, '/api/requests/req_none')).status, 404);
});

test('nobody sees another merchant’s requests', async () => {
  const other = await bareMerchant(platform);
  assert.deepEqual(await allOf(app, other, '/api/requests', 10), []);
  assert.equal((await callAs(app, other, '/api/requests/req_001')).status, 404);
});
