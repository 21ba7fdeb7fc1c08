import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { formatKey } from '../../merchants/keys/keys.ts';

const MADE_UP = 2009;
const AT_ONCE = 40;
/** A limit low enough for a test to exceed; the dashboard's is ten times as high. */
const LIMIT = 3;
const MAX = LIMIT * 10 + 1;

let limited: TestService;
let open: TestService;

before(async () => {
  limited = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } });
  open = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
});
after(async () => {
  await limited.close();
  await open.close();
});

async function send(method: string, url: string, more: object = {}) {
  const answer = await request(url, { method: method as 'GET', ...more });
  const text = await answer.body.text();
  return { status: answer.statusCode, text, headers: answer.headers };
}

const codeOf = (text: string): string =>
  (JSON.parse(text) as { error: { code: string } }).error.code;

test('every route that is served has a limit', async () => {
  const { served } = limited.running.http;
  assert.ok(served.length > 150, String(served.length));
  const unlimited: string[] = [];
  for (const { method, url } of served) {
    const path = url.replaceAll(/:\w+/g, 'northbank').replace('*', 'x');
    let status = 0;
    for (let i = 0; i < MAX && status !== 429; i++)
      ({ status } = await send(method, `${limited.baseUrl}${path}`));
    if (status !== 429) unlimited.push(`${method} ${url}`);
  }
  assert.deepEqual(unlimited, []);
});

test('paths that nobody serves are limited too', async () => {
  const seen = new Set<number>();
  for (let i = 0; i < LIMIT + 1; i++)
    seen.add((await send('GET', `${limited.baseUrl}/nothing/here`)).status);
  assert.ok(seen.has(429), [...seen].join());
});

test('two thousand made-up keys cost the database hardly anything', async () => {
  const { db, baseUrl, running } = open;
  const transactions = async (): Promise<number> => {
    await sleep(1500); // PostgreSQL updates its counters with a delay
    const row = await db.read((tx) =>
      tx.row<{ done: string }>(
        `SELECT (xact_commit + xact_rollback)::text AS done FROM pg_stat_database
         WHERE datname = current_database()`,
      ),
    );
    return Number(row?.done);
  };
  const { ids, clock } = running.platform;
  const keys = Array.from({ length: MADE_UP }, () =>
    formatKey('test', ids.next('mer', clock.now()), ids.random(32)),
  );
  const before = await transactions();
  const statuses: number[] = [];
  const work = async (): Promise<void> => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop())
      statuses.push(
        (
          await send('GET', `${baseUrl}/api/v1/schedules`, {
            headers: { authorization: `Bearer ${key}` },
          })
        ).status,
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const cost = (await transactions()) - before;
  // the service's stages go on meanwhile, for as long as the machine takes
  assert.ok(cost < MADE_UP / 4, `${cost} transactions`);
  assert.deepEqual([...new Set(statuses)].sort(), [401, 429]);
  const known = await open.api('GET', '/api/v1/schedules');
  assert.equal(known.status, 200, 'a key that was valid here is let in from the same address');
});

test('a key that is no key at all, or was nobody’s a moment ago, is not looked up', async () => {
  const { db, running } = open;
  const { ids, clock } = running.platform;
  const key = formatKey('test', ids.next('mer', clock.now()), ids.random(32));
  let asked = 0;
  const { forMerchant } = running.platform.db;
  running.platform.db.forMerchant = (...call: Parameters<typeof forMerchant>) => {
    asked++;
    return forMerchant.apply(db, call) as never;
  };
  const { service } = running;
  for (const token of [key, key, `${key.slice(0, -1)}x`, 'rk_test_short', 'Bearer'])
    assert.equal(await service.authenticate(token), null);
  running.platform.db.forMerchant = forMerchant;
  assert.equal(asked, 1);
});

test('the sandbox’s levers count with the API, and say so in headers', async () => {
  const headers = { authorization: `Bearer ${open.apiKey}` };
  const clock = await send('GET', `${open.baseUrl}/sandbox/clock`, { headers });
  const list = await send('GET', `${open.baseUrl}/api/v1/schedules`, { headers });
  assert.equal(clock.headers['ratelimit-limit'], '1000');
  assert.equal(
    Number(list.headers['ratelimit-remaining']),
    Number(clock.headers['ratelimit-remaining']) - 1,
  );
});

test('a notification without a body, or unsigned, is refused and nothing else', async () => {
  for (const [path, status] of [
    ['/notifications/issuer', 401],
    ['/notifications/banks/northbank', 400],
    ['/notifications/banks/nobody', 404],
  ] as const) {
    const bare = await send('POST', `${open.baseUrl}${path}`);
    assert.equal(bare.status, status, `${path}: ${bare.text}`);
    assert.ok(codeOf(bare.text));
  }
  const junk = await send('POST', `${open.baseUrl}/notifications/banks/northbank`, {
    headers: { 'content-type': 'application/jwt' },
    body: 'a.b.c',
  });
  assert.equal(junk.status, 400);
});

test('what the issuer signed is taken, however much that it did not sign came before', async () => {
  const { running, baseUrl } = limited;
  const url = `${baseUrl}/notifications/issuer`;
  let refused = 0;
  for (let i = 0; i < LIMIT + 2; i++) refused = (await send('POST', url)).status;
  assert.equal(refused, 429);
  const { issuer } = running.service.authorisation;
  const genuine = issuer.parseNotification;
  const notice = { kind: 'wallet.changed', eventId: 'evt_1', externalReference: 'none' };
  issuer.parseNotification = async () => notice as Awaited<ReturnType<typeof genuine>>;
  assert.equal((await send('POST', url)).status, 204);
  issuer.parseNotification = genuine;
});

test('headers that are too large are told so, in the envelope', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(open.baseUrl).port), '127.0.0.1');
    let text = '';
    socket.on('data', (part) => {
      text += String(part);
    });
    socket.on('end', () => resolve(text)).on('error', reject);
    socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
  });
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 431 /);
  assert.match(head, /\r\nX-Request-Id: req_/);
  assert.equal(codeOf(body), 'headers_too_large');
});

test('metadata takes every name as a name, and gives it back', async () => {
  const body = `{"amount":{"value":500,"currency":"GBP"},"frequency":{"type":"monthly","day":1},
    "customer":{"type":"phone","value":"+447700900111"},"description":"Names",
    "metadata":{"constructor":"a","__proto__":"b","prototype":"c","toString":"d"}}`;
  const made = await send('POST', `${open.baseUrl}/api/v1/schedules`, {
    headers: { authorization: `Bearer ${open.apiKey}`, 'content-type': 'application/json' },
    body,
  });
  assert.equal(made.status, 200, made.text);
  const expected = [
    ['__proto__', 'b'],
    ['constructor', 'a'],
    ['prototype', 'c'],
    ['toString', 'd'],
  ];
  const namesIn = (text: string) =>
    Object.entries((JSON.parse(text) as { metadata: object }).metadata).sort();
  assert.deepEqual(namesIn(made.text), expected);
  const { id } = JSON.parse(made.text) as { id: string };
  const read = await send('GET', `${open.baseUrl}/api/v1/schedules/${id}`, {
    headers: { authorization: `Bearer ${open.apiKey}` },
  });
  assert.deepEqual(namesIn(read.text), expected);
  const list = await open.api<{ data: object[] }>('GET', '/api/v1/schedules');
  assert.ok(list.body.data.length > 0);
  assert.equal(Object('x').polluted, undefined);
});

test('such names are unknown fields wherever names are not free', async () => {
  for (const [body, field] of [
    ['{"__proto__":{"name":"x"}}', '__proto__'],
    ['{"constructor":{"prototype":{"polluted":1}}}', 'constructor'],
  ] as const) {
    const refused = await send('POST', `${open.baseUrl}/api/v1/schedules`, {
      headers: { authorization: `Bearer ${open.apiKey}`, 'content-type': 'application/json' },
      body,
    });
    assert.equal(refused.status, 400);
    const { details } = (JSON.parse(refused.text) as { error: { details: object } }).error;
    assert.ok(Object.keys(details).includes(field), refused.text);
  }
  assert.equal(Object('x').polluted, undefined);
});

test('a merchant has at most twenty webhook endpoints, however many are asked for at once', async () => {
  const { url } = open.receiver;
  const made = await Promise.all(
    Array.from({ length: 30 }, () =>
      open.api<{ id: string; error?: { code: string } }>('POST', '/api/v1/webhook_endpoints', {
        url,
      }),
    ),
  );
  const fine = made.filter(({ status }) => status === 200);
  const refused = made.filter(({ status }) => status !== 200);
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [409]);
  assert.equal(fine.length, 19, 'one was there');
  assert.equal(refused[0]?.body.error?.code, 'too_many_endpoints');
  await open.api('DELETE', `/api/v1/webhook_endpoints/${fine[0]?.body.id}`);
  assert.equal((await open.api('POST', '/api/v1/webhook_endpoints', { url })).status, 200);
});
