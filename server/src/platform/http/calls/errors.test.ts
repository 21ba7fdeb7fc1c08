import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bareMerchant,
  noteRoutes,
  ownPlatform,
  testServer,
} from '../../../../test-support/slices/platform.ts';
import type { Route } from './route.ts';

const KB = 1024;

/** The same endpoint at another path, with a limit of its own. */
const withLimit = (route: Route): Route => ({
  ...route,
  path: '/api/v1/long_note',
  operationId: `${route.operationId}Long`,
  bodyLimit: KB * KB,
});

test('a body that is too large is refused with the limit of its endpoint', async () => {
  const platform = await ownPlatform();
  const authorization = `Bearer ${await bareMerchant(platform)}`;
  const routes = noteRoutes().flatMap((route) => [route, withLimit(route)]);
  const app = await testServer(platform, { routes });
  for (const [url, bytes, message] of [
    ['/api/v1/note', 256 * KB, 'The body is larger than 256 KB.'],
    ['/api/v1/long_note', KB * KB, 'The body is larger than 1 MB.'],
  ] as const) {
    const payload = { text: 'x'.repeat(bytes) };
    const answer = await app.inject({ method: 'POST', url, headers: { authorization }, payload });
    assert.equal(answer.statusCode, 413, url);
    assert.deepEqual(answer.json(), { error: { code: 'payload_too_large', message } });
  }
  await app.close();
  await platform.drop();
});
