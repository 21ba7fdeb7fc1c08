import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import {
  bareMerchant,
  noteRoutes,
  type OwnPlatform,
  ownPlatform,
  testServer,
} from '../../../../test-support/slices/platform.ts';
import type { Db } from '../../db/db.ts';
import { makeEngine } from '../../engine/engine.ts';
import { makeLog } from '../../log/log.ts';
import { forgetStage } from '../../retention/stages.ts';
import { identify, refuseStrangers } from '../calls/auth.ts';
import { mountRoutes } from '../mount.ts';
import { logRequests, type Recorded, type RequestLog } from './request-log.ts';
import { makeRequestRecorder } from './request-recorder.ts';

interface Row {
  requestId: string;
  sentId: string | null;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  errorCode: string | null;
  callerType: string;
  callerId: string;
  idempotencyKey: string | null;
  userAgent: string | null;
  requestBody: string | null;
  responseBody: string | null;
}

let platform: OwnPlatform;
let merchantId: string;
let log: RequestLog;
let app: FastifyInstance;

/** Starts a server whose recorded routes are the notes. */
async function serve(
  recorded?: Recorded,
  actorId = 'key_1',
  requests = log,
): Promise<FastifyInstance> {
  const authenticate = async (token: string) =>
    token.startsWith('mer_') ? { merchantId: token, actorId } : null;
  return testServer(platform, {
    routes: [],
    plain: async (scope) => {
      requests.hooks(scope, recorded);
      await mountRoutes(scope, {
        platform,
        routes: noteRoutes(),
        guards: () => [identify(authenticate), refuseStrangers],
        documented: false,
      });
    },
  });
}

before(async () => {
  platform = await ownPlatform();
  log = logRequests(platform);
  app = await serve();
});
after(async () => {
  await app.close();
  await platform.drop();
});
beforeEach(async () => {
  merchantId = await bareMerchant(platform);
});

const call = (method: 'GET' | 'POST', payload?: object, headers = {}, server = app) =>
  server.inject({
    method,
    url: '/api/v1/note?x=1',
    ...(payload === undefined ? {} : { payload }),
    headers: { authorization: `Bearer ${merchantId}`, 'user-agent': 'test/1', ...headers },
  });

/** Returns the log of the test's merchant, as the dashboard may read it. */
async function logged(): Promise<Row[]> {
  await log.idle();
  return platform.db.forMerchant(merchantId, (tx) =>
    tx.rows<Row>('SELECT * FROM request_log ORDER BY at, request_id'),
  );
}

test('a request is recorded with its answer, without its secrets', async () => {
  const answer = await call(
    'POST',
    { text: 'call +447700900123', token: 'sesame' },
    { 'idempotency-key': 'k-1' },
  );
  const [row, ...others] = await logged();
  assert.deepEqual(others, []);
  assert.equal(row?.requestId, answer.headers['x-request-id']);
  assert.deepEqual(
    [row?.method, row?.path, row?.status, row?.errorCode, row?.idempotencyKey, row?.userAgent],
    ['POST', '/api/v1/note', 400, 'invalid_request', 'k-1', 'test/1'],
  );
  assert.deepEqual([row?.callerType, row?.callerId], ['api_key', 'key_1']);
  assert.equal(row?.requestBody, '{"text":"call [redacted]","token":"[redacted]"}');
  assert.match(row?.responseBody ?? '', /"details":\{"x"/);
});

test('of the reads only those that are refused are recorded', async () => {
  await app.inject({ url: '/api/v1/note', headers: { authorization: `Bearer ${merchantId}` } });
  await call('GET');
  const rows = await logged();
  assert.deepEqual(
    rows.map((row) => [row.method, row.status, row.errorCode]),
    [['GET', 400, 'invalid_request']],
  );
});

test('with REQUEST_LOG=all the reads that worked are recorded too, without their answers', async (t) => {
  const whole = logRequests({ ...platform, config: { ...platform.config, requestLog: 'all' } });
  const app = await serve(undefined, 'key_1', whole);
  t.after(() => app.close());
  await app.inject({ url: '/api/v1/note', headers: { authorization: `Bearer ${merchantId}` } });
  await app.inject({
    method: 'POST',
    url: '/api/v1/note',
    payload: { text: 'x' },
    headers: { authorization: `Bearer ${merchantId}` },
  });
  await whole.idle();
  const rows = await logged();
  assert.deepEqual(
    rows.map((row) => [row.method, row.status, row.responseBody]),
    [
      ['GET', 200, null],
      ['POST', 200, '{"text":"Barex"}'],
    ],
  );
});

test('one X-Request-Id for several requests loses none of them', async () => {
  for (const text of ['a', 'b']) await call('POST', { text }, { 'x-request-id': 'trace-1' });
  const rows = await logged();
  assert.deepEqual(
    rows.map((row) => row.sentId),
    ['trace-1', 'trace-1'],
  );
  assert.ok(rows.every((row) => row.requestId.startsWith('req_')));
});

test('whoever has no valid key is recorded nowhere, and nobody reads another merchant’s requests', async () => {
  await call('GET', undefined, { authorization: 'Bearer nobody' });
  await call('GET');
  assert.equal((await logged()).length, 1);
  merchantId = await bareMerchant(platform);
  assert.deepEqual(await logged(), []);
});

test('of the dashboard only changes are recorded', async () => {
  const dashboard = await serve({ onlyChanges: true }, 'usr_1');
  await call('GET', undefined, {}, dashboard);
  await call('POST', { text: 'x' }, {}, dashboard);
  const rows = await logged();
  assert.deepEqual(
    rows.map((r) => [r.method, r.callerType, r.callerId]),
    [['POST', 'user', 'usr_1']],
  );
  await dashboard.close();
});

test('a long body is kept up to 8 KB', async () => {
  await call('POST', { text: 'ä'.repeat(20_000) });
  const [row] = await logged();
  const bytes = Buffer.byteLength(row?.requestBody ?? '');
  assert.ok(bytes <= 8192 && bytes > 8180, String(bytes));
});

test('a database that fails fails no request, and what is recorded later is written', async () => {
  const failing = { failed: false };
  const db: Db = {
    ...platform.db,
    transaction: async (work) => {
      if (failing.failed) throw new Error('no database');
      return platform.db.transaction(work);
    },
  };
  const recorder = makeRequestRecorder(db, makeLog('silent'));
  const request = sample();
  failing.failed = true;
  recorder.record(request('req_a'));
  await recorder.idle();
  failing.failed = false;
  recorder.record(request('req_b'));
  await recorder.idle();
  assert.deepEqual(
    (await logged()).map((row) => row.requestId),
    ['req_b'],
  );
});

test('thousands at once are written 500 a statement; beyond 2,000 waiting the oldest go, which is said once', async () => {
  const said: string[] = [];
  let statements = 0;
  const db: Db = {
    ...platform.db,
    transaction: (work) => {
      statements++;
      return platform.db.transaction(work);
    },
  };
  const report = (code: string): void => void said.push(code);
  const recorder = makeRequestRecorder(db, { ...makeLog('silent'), report });
  const request = sample();
  for (let i = 0; i < 2_300; i++) recorder.record(request(`req_${String(i).padStart(5, '0')}`));
  await recorder.idle();
  const ids = (await logged()).map((row) => row.requestId).sort();
  assert.deepEqual([ids.length, ids[0], ids.at(-1)], [2_000, 'req_00300', 'req_02299']);
  assert.equal(statements, 4);
  assert.deepEqual(said, ['http.request_log_overflow']);
});

test('requests are forgotten 7 days later by the real clock, whatever the business clock says', async () => {
  const recorder = makeRequestRecorder(platform.db, platform.log);
  const day = 24 * 60;
  const request = sample();
  recorder.record(request('req_old', 7 * day + 1));
  recorder.record(request('req_older', 30 * day));
  recorder.record(request('req_new', 7 * day - 1));
  await recorder.idle();
  const engine = makeEngine(platform.db, platform.clock, platform.log, [
    forgetStage(platform, 'request_log'),
  ]);
  for (const at of ['2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z']) {
    platform.clock.at = Temporal.Instant.from(at);
    await engine.drain();
    assert.equal(await engine.nextDue(), null);
    assert.deepEqual(
      (await logged()).map((row) => row.requestId),
      ['req_new'],
    );
  }
});

/** Makes requests of the test's merchant, `minutesAgo` minutes old. */
function sample(): (
  requestId: string,
  minutesAgo?: number,
) => Parameters<ReturnType<typeof makeRequestRecorder>['record']>[0] {
  const now = Temporal.Now.instant();
  return (requestId, minutesAgo = 0) => ({
    merchantId,
    requestId,
    sentId: null,
    at: now.subtract({ minutes: minutesAgo }),
    method: 'POST',
    path: '/api/v1/note',
    status: 200,
    durationMs: 1,
    errorCode: null,
    callerType: 'api_key',
    callerId: 'key_1',
    idempotencyKey: null,
    userAgent: null,
    requestBody: null,
    responseBody: null,
  });
}
