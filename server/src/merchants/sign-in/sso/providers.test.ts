import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { makeProviders, ProviderFailed } from './providers.ts';

const TRIP = {
  redirectUri: 'http://localhost:4000/dashboard/auth/sso/mer_1/return',
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  next: '/',
};

let server: Server;
let issuer: string;
let called: string[] = [];
let metadata: Record<string, unknown> = {};

before(async () => {
  server = createServer((request, response) => {
    called.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** Returns why a browser that comes back with a code is not signed in, with such metadata. */
async function failure(mode: 'sandbox' | 'live', change: Record<string, unknown> = {}) {
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...change,
  };
  called = [];
  const providers = makeProviders({ mode });
  const client = { issuer, clientId: 'recollect', clientSecret: 'a secret' };
  const returned = new URL(`${TRIP.redirectUri}?code=a_code&state=${TRIP.state}`);
  try {
    await providers.complete(client, TRIP, returned);
  } catch (error) {
    assert.ok(error instanceof ProviderFailed, String(error));
    return error.message;
  } finally {
    await providers.close();
  }
  return null;
}

test('metadata that points into our network is not followed there', async () => {
  for (const token_endpoint of [
    'http://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/token',
    'https://[fd00::1]/token',
  ])
    assert.match((await failure('sandbox', { token_endpoint })) ?? '', /addresses are called/);
  assert.deepEqual(called, ['/.well-known/openid-configuration']);
});

test('in live mode nothing is called over plain http, nor on this machine', async () => {
  assert.ok((await failure('live')) !== null);
  assert.deepEqual(called, []);
});

test('a provider that calls itself by another name, and one whose answer is too long, are refused', async () => {
  assert.ok((await failure('sandbox', { issuer: 'https://other.example' })) !== null);
  assert.ok((await failure('sandbox', { padding: 'x'.repeat(600 * 1024) })) !== null);
  assert.deepEqual(called, ['/.well-known/openid-configuration']);
});
