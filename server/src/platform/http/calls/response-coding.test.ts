import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import {
  bareMerchant,
  noteRoutes,
  type OwnPlatform,
  ownPlatform,
  testServer,
} from '../../../../test-support/slices/platform.ts';

let platform: OwnPlatform;
let app: FastifyInstance;
let merchant: string;

before(async () => {
  platform = await ownPlatform();
  merchant = await bareMerchant(platform);
  app = await testServer(platform, { routes: noteRoutes() });
});
after(async () => {
  await app.close();
  await platform.drop();
});

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { authorization: `Bearer ${merchant}`, ...headers } });
const write = (text: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/note',
    headers: { authorization: `Bearer ${merchant}`, ...headers },
    payload: { text },
  });

test('a document is compressed for whoever takes that, and has one tag in either form', async () => {
  const plain = await get('/openapi.json');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.match(String(plain.headers.etag), /^W\/"[\w-]{27}"$/);
  assert.equal(plain.headers['cache-control'], 'no-cache');
  for (const accepts of ['gzip', 'br, gzip;q=0.5', 'deflate, gzip, br', 'GZIP ; q=1.0']) {
    const short = await get('/openapi.json', { 'accept-encoding': accepts });
    assert.equal(short.headers['content-encoding'], 'gzip', accepts);
    assert.equal(short.headers['content-length'], String(short.rawPayload.length));
    assert.equal(gunzipSync(short.rawPayload).toString(), plain.body);
    assert.deepEqual(
      [short.headers.etag, short.headers.vary],
      [plain.headers.etag, 'accept-encoding'],
    );
  }
  for (const accepts of ['br', 'gzip;q=0', 'gzip;q=0.00', 'x-gzip', ''])
    assert.equal((await get('/openapi.json', { 'accept-encoding': accepts })).body, plain.body);
});

test('whoever has a document or an answer already gets 304 without a body', async () => {
  for (const path of ['/openapi.json', '/postman.json', '/api/v1/note']) {
    const tag = String((await get(path)).headers.etag);
    for (const named of [tag, tag.slice(2), `"other", ${tag}`]) {
      const again = await get(path, { 'if-none-match': named, 'accept-encoding': 'gzip' });
      assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag], named);
      assert.equal(again.headers['content-encoding'], undefined);
    }
    assert.equal((await get(path, { 'if-none-match': '"other"' })).statusCode, 200);
    assert.equal((await get(path, { 'if-none-match': tag }, 'HEAD')).statusCode, 304);
  }
});

test('an answer that has changed has another tag, and data is still not to be stored', async () => {
  const before = await get('/api/v1/note');
  await write(' and more');
  const after = await get('/api/v1/note', { 'if-none-match': String(before.headers.etag) });
  assert.equal(after.statusCode, 200);
  assert.notEqual(after.headers.etag, before.headers.etag);
  assert.equal(after.headers['cache-control'], 'no-store');
});

test('short answers, changes and refusals are as they were', async () => {
  const accepts = { 'accept-encoding': 'gzip' };
  assert.equal((await get('/api/v1/note', accepts)).headers['content-encoding'], undefined);
  const changed = await write('x'.repeat(5000), accepts);
  assert.deepEqual(
    [changed.headers['content-encoding'], changed.headers.etag],
    [undefined, undefined],
  );
  assert.equal((await get('/api/v1/note', accepts)).headers['content-encoding'], 'gzip');
  const refused = await get('/nothing', accepts);
  assert.deepEqual(
    [refused.headers.etag, refused.headers['cache-control']],
    [undefined, 'no-store'],
  );
});
