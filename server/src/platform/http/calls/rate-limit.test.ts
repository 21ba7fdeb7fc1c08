import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { testDatabase } from '../../../../test-support/database.ts';
import {
  bareMerchant,
  testPlatform,
  testServer,
} from '../../../../test-support/slices/platform.ts';
import type { Config } from '../../config/config.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;

before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

async function limited(t: TestContext, config: Partial<Config>) {
  const platform = testPlatform(database.url, config);
  const app = await testServer(platform);
  t.after(async () => {
    await app.close();
    await platform.db.close();
  });
  return { platform, app };
}

test('a key has its own limit on all endpoints together, told in headers, and 429 beyond it', async (t) => {
  const { platform, app } = await limited(t, { rateLimitPerMinute: 3 });
  const [first, second] = [await bareMerchant(platform), await bareMerchant(platform)];
  const read = (as: string, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url: '/api/v1/note', headers: { authorization: `Bearer ${as}` } });
  const seen = [await read(first), await read(first, 'POST'), await read(first)];
  assert.deepEqual(
    seen.map(({ headers }) => [headers['ratelimit-limit'], headers['ratelimit-remaining']]),
    [
      ['3', '2'],
      ['3', '1'],
      ['3', '0'],
    ],
  );
  const refused = await read(first);
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.json<{ error: { code: string } }>().error.code, 'rate_limit_exceeded');
  assert.equal(refused.headers['ratelimit-remaining'], '0');
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait > 0 && wait <= 60);
  assert.equal((await read(second)).statusCode, 200);
});

test('strangers are limited by their address, and do not use up what a key may do', async (t) => {
  const { platform, app } = await limited(t, { rateLimitPerMinute: 2 });
  const stranger = (remoteAddress: string) => app.inject({ url: '/api/v1/note', remoteAddress });
  assert.equal((await stranger('192.0.2.1')).statusCode, 401);
  assert.equal((await stranger('192.0.2.1')).statusCode, 401);
  assert.equal((await stranger('192.0.2.1')).statusCode, 429);
  assert.equal((await stranger('192.0.2.2')).statusCode, 401);
  const known = await app.inject({
    url: '/api/v1/note',
    remoteAddress: '192.0.2.1',
    headers: { authorization: `Bearer ${await bareMerchant(platform)}` },
  });
  assert.equal(known.statusCode, 200);
});

test('a Redis that is away refuses nobody', async (t) => {
  const { platform, app } = await limited(t, { redisUrl: 'redis://127.0.0.1:1' });
  const answer = await app.inject({
    url: '/api/v1/note',
    headers: { authorization: `Bearer ${await bareMerchant(platform)}` },
  });
  assert.equal(answer.statusCode, 200);
});
