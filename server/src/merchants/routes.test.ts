import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pngOf } from '../../test-support/images.ts';
import { type OwnPlatform, ownPlatform } from '../../test-support/slices/platform.ts';
import { makeHttpServer } from '../platform/http/server.ts';
import { type Authenticator, makeAuthenticator } from './keys/authenticator.ts';
import { createKey } from './keys/key-service.ts';
import type { NewMerchant } from './merchant.ts';
import { merchantRoutes } from './routes.ts';
import { createMerchant } from './service.ts';
import { findMerchants } from './store.ts';

interface KeyBody {
  id: string;
  key: string;
  name: string;
  hint: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

interface Bound extends KeyBody {
  allowed_ips: string[] | null;
  last_refused: { at: string; address: string } | null;
}

let platform: OwnPlatform;
let authenticator: Authenticator;
let app: FastifyInstance;

const input: NewMerchant = {
  name: 'Greenfield Gym',
  legalName: 'Greenfield Gym Ltd',
  email: 'hello@greenfield.example',
  website: 'https://greenfield.example',
  address: '1 High Street, Leeds',
  terms: 'Be kind.',
  settlementAccount: { name: 'Greenfield Gym', sortCode: '12-34-56', accountNumber: '1234567' },
};

before(async () => {
  platform = await ownPlatform();
  authenticator = makeAuthenticator(platform);
  app = await makeHttpServer({
    platform,
    routes: merchantRoutes({ platform, authenticator }),
    authenticate: authenticator.authenticate,
    checkResponses: true,
  });
});

after(async () => {
  await app.close();
  await authenticator.idle();
  await platform.drop();
});

async function newMerchant(): Promise<{ merchantId: string; secret: string; keyId: string }> {
  const { merchantId } = await createMerchant(platform, input);
  const { secret, key } = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now: platform.clock.now(), merchantId }, 'First', 'test'),
  );
  return { merchantId, secret, keyId: key.keyId };
}

const call = (secret: string, method: InjectOptions['method'], path: string, payload?: object) =>
  app.inject({
    ...(method === undefined ? {} : { method }),
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${secret}` },
    ...(payload === undefined ? {} : { payload }),
  });

test('a merchant is created with its defaults, and what must go with it in the same transaction', async () => {
  let seen = '';
  const merchant = await createMerchant(platform, input, async (tx, merchantId) => {
    const row = await tx.row<{ name: string }>(
      'SELECT name FROM merchants WHERE merchant_id = $1',
      [merchantId],
    );
    seen = row?.name ?? '';
  });
  assert.equal(seen, input.name);
  assert.equal(merchant.timeZone, 'Europe/London');
  assert.equal(merchant.reuseConsent, false);
  assert.equal(merchant.settlementAccount.accountNumber, '01234567');
  const failing = createMerchant(platform, input, async () => {
    throw new Error('no wallet');
  });
  await assert.rejects(failing, /no wallet/);
});

test('a merchant with wrong fields is not created, and every one is named', async () => {
  await assert.rejects(
    createMerchant(platform, { ...input, email: 'x', timeZone: 'Nowhere' }),
    (error: { details?: object }) => `${Object.keys(error.details ?? {})}` === 'email,time_zone',
  );
});

test('the settlement account does not stand readable in the database', async () => {
  const { merchantId } = await newMerchant();
  const row = await platform.db.read((tx) =>
    tx.row<{ settlementAccount: string }>(
      'SELECT settlement_account FROM merchants WHERE merchant_id = $1',
      [merchantId],
    ),
  );
  assert.doesNotMatch(row?.settlementAccount ?? '', /1234567|Greenfield/);
  const found = await platform.db.read((tx) => findMerchants(tx, platform.vault, [merchantId]));
  assert.equal(found.get(merchantId)?.settlementAccount.sortCode, '123456');
});

interface Looks {
  name: string;
  colour: string | null;
  logo_url: string | null;
}

test('GET and PUT /merchant: only the fields sent change, null clears the return URL', async () => {
  const { secret, merchantId } = await newMerchant();
  const before = (await call(secret, 'GET', '/merchant')).json<Record<string, unknown>>();
  assert.deepEqual(before, {
    id: merchantId,
    name: 'Greenfield Gym',
    legal_name: 'Greenfield Gym Ltd',
    email: 'hello@greenfield.example',
    website: 'https://greenfield.example',
    address: '1 High Street, Leeds',
    terms: 'Be kind.',
    time_zone: 'Europe/London',
    return_url: null,
    reuse_consent: false,
    refunds_wait: false,
    colour: null,
    logo_url: null,
    statement_name: 'GREENFIELD',
    settlement_account: {
      name: 'Greenfield Gym',
      sort_code: '123456',
      account_number: '01234567',
    },
    pending_settlement_account: null,
    fees: null,
    next_fees: null,
    suspended_since: null,
    ...{ pay_outs_held_since: null, pay_outs_held_until: null },
    created_at: '2026-03-02T10:00:00.000Z',
  });
  const changes = {
    return_url: 'http://localhost:3000/done',
    reuse_consent: true,
    time_zone: 'europe/paris',
  };
  const after = await call(secret, 'PUT', '/merchant', changes);
  const expected = {
    ...before,
    ...changes,
    time_zone: 'Europe/Paris',
  };
  assert.deepEqual(after.json(), expected);
  assert.deepEqual((await call(secret, 'GET', '/merchant')).json(), expected);
  const cleared = await call(secret, 'PUT', '/merchant', { return_url: null });
  assert.deepEqual(cleared.json(), { ...expected, return_url: null });
});

test('PUT /merchant sets the logo and the colour that customers see, keeps what is not sent, and takes them away', async () => {
  const { secret, merchantId } = await newMerchant();
  const logo = pngOf({ width: 120, height: 60 }).toString('base64');
  const put = async (body: object) => (await call(secret, 'PUT', '/merchant', body)).json<Looks>();
  const set = await put({ logo, colour: '#AA0033', name: 'Greenfield' });
  assert.deepEqual([set.colour, set.name], ['#aa0033', 'Greenfield']);
  const address = new RegExp(`^${platform.config.baseUrl}/consent/logos/${merchantId}/\\w+$`);
  assert.match(set.logo_url ?? '', address);
  assert.deepEqual((await call(secret, 'GET', '/merchant')).json(), set);
  assert.deepEqual(await put({ logo: null }), { ...set, logo_url: null });
  assert.deepEqual(await put({ colour: null }), { ...set, logo_url: null, colour: null });
  const reasons = await platform.db.read((tx) =>
    tx.rows<{ reason: string }>(
      `SELECT reason FROM state_changes WHERE object_id = $1 ORDER BY change_id`,
      [merchantId],
    ),
  );
  assert.deepEqual(
    reasons.map(({ reason }) => reason),
    ['name', 'colour, logo', 'logo', 'colour'],
  );
  const other = await newMerchant();
  assert.equal((await call(other.secret, 'GET', '/merchant')).json<Looks>().colour, null);
});

test('PUT /merchant names every wrong field at once', async () => {
  const { secret } = await newMerchant();
  const answer = await call(secret, 'PUT', '/merchant', {
    id: 'mer_1',
    name: '',
    return_url: 'http://shop.example',
    time_zone: 'Nowhere',
    reuse_consent: 'yes',
    colour: '#ffcc00',
    logo: Buffer.from('<svg/>').toString('base64'),
    settlement_account: { sort_code: '1', account_number: 5 },
  });
  assert.equal(answer.statusCode, 400);
  const { details } = answer.json<{ error: { details: object } }>().error;
  assert.deepEqual(Object.keys(details).sort(), [
    'colour',
    'id',
    'logo',
    'name',
    'return_url',
    'reuse_consent',
    'settlement_account.account_number',
    'settlement_account.name',
    'settlement_account.sort_code',
    'time_zone',
  ]);
  for (const account of [null, 'text', 5, []]) {
    const wrong = await call(secret, 'PUT', '/merchant', { settlement_account: account });
    assert.equal(wrong.statusCode, 400, wrong.body);
  }
});

test('a key is shown once, listed without its secret, and works at once', async () => {
  const { secret, keyId } = await newMerchant();
  platform.clock.at = platform.clock.at.add({ seconds: 1 });
  const made = (await call(secret, 'POST', '/api_keys', { name: 'Second' })).json<KeyBody>();
  assert.match(made.key, /^rk_test_/);
  assert.equal(made.hint, made.key.slice(-4));
  assert.equal((await call(made.key, 'GET', '/merchant')).statusCode, 200);
  await authenticator.idle();
  const list = (await call(made.key, 'GET', '/api_keys')).json<{
    data: KeyBody[];
    total: number;
  }>();
  assert.equal(list.total, 2);
  assert.deepEqual(
    list.data.map((key) => [key.id, key.name]),
    [
      [made.id, 'Second'],
      [keyId, 'First'],
    ],
  );
  assert.ok(list.data.every((key) => key.last_used_at !== null && !('key' in key)));
  const page = await call(secret, 'GET', '/api_keys?limit=1&offset=1');
  assert.deepEqual(
    page.json<{ data: KeyBody[] }>().data.map((key) => key.id),
    [keyId],
  );
});

test('a secret stands in the database only as its hash', async () => {
  const { secret } = await newMerchant();
  const rows = await platform.db.read((tx) =>
    tx.rows<{ all: string }>('SELECT api_keys::text AS all FROM api_keys'),
  );
  assert.ok(rows.every((row) => !row.all.includes(secret)));
});

test('a rotated key works through the overlap and not beyond', async () => {
  const { secret, keyId } = await newMerchant();
  const path = `/api_keys/${keyId}/rotate`;
  const fresh = (await call(secret, 'POST', path, { overlap_hours: 2 })).json<KeyBody>();
  assert.equal(fresh.name, 'First');
  assert.equal((await call(secret, 'GET', '/merchant')).statusCode, 200);
  platform.clock.at = platform.clock.at.add({ hours: 2 });
  assert.equal((await call(secret, 'GET', '/merchant')).statusCode, 401);
  assert.equal((await call(fresh.key, 'GET', '/merchant')).statusCode, 200);
  assert.equal((await call(fresh.key, 'POST', path)).statusCode, 404);
  const newest = await call(fresh.key, 'POST', `/api_keys/${fresh.id}/rotate`, {
    overlap_hours: 0,
  });
  assert.equal(newest.statusCode, 200, newest.body);
  assert.equal((await call(fresh.key, 'GET', '/merchant')).statusCode, 401);
});

test('a revoked key stops at once, though it was in use a moment ago', async () => {
  const { secret, keyId } = await newMerchant();
  const other = (await call(secret, 'POST', '/api_keys', { name: 'Other' })).json<KeyBody>();
  assert.equal((await call(other.key, 'GET', '/merchant')).statusCode, 200);
  await authenticator.idle(); // so that both responses have the same last use
  const revoked = await call(secret, 'DELETE', `/api_keys/${other.id}`);
  assert.notEqual(revoked.json<KeyBody>().revoked_at, null);
  assert.equal((await call(other.key, 'GET', '/merchant')).statusCode, 401);
  const again = await call(secret, 'DELETE', `/api_keys/${other.id}`);
  assert.deepEqual(again.json(), revoked.json());
  assert.equal((await call(secret, 'DELETE', `/api_keys/${keyId}`)).statusCode, 200);
  assert.equal((await call(secret, 'GET', '/merchant')).statusCode, 401);
});

test('a key works from its addresses and is refused elsewhere, which is counted, shown and logged', async () => {
  const { secret } = await newMerchant();
  const body = { name: 'Bound', allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] };
  const bound = (await call(secret, 'POST', '/api_keys', body)).json<Bound>();
  assert.deepEqual(bound.allowed_ips, body.allowed_ips);
  const from = (remoteAddress: string) =>
    app.inject({
      url: '/api/v1/merchant',
      remoteAddress,
      headers: {
        authorization: `Bearer ${bound.key}`,
        'x-forwarded-for': '203.0.113.5', // from nobody that is trusted
      },
    });
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::9'])
    assert.equal((await from(address)).statusCode, 200, address);
  const refused = await from('198.51.100.7');
  assert.deepEqual(
    [refused.statusCode, refused.json<{ error: { code: string; message: string } }>().error],
    [
      403,
      {
        code: 'address_not_allowed',
        message: 'This API key may not be used from 198.51.100.7.',
      },
    ],
  );
  assert.ok(refused.headers['ratelimit-remaining'] !== undefined, 'it is counted');
  await from('198.51.100.8'); // within the minute: recorded once
  await authenticator.idle();
  const { data } = (await call(secret, 'GET', '/api_keys')).json<{ data: Bound[] }>();
  const shown = data.find(({ id }) => id === bound.id);
  assert.equal(shown?.last_refused?.address, '198.51.100.7');

  const change = (allowed_ips: unknown) =>
    call(secret, 'PUT', `/api_keys/${bound.id}`, { allowed_ips });
  assert.equal((await change(['198.51.100.7'])).statusCode, 200);
  assert.equal((await from('198.51.100.7')).statusCode, 200, 'at once in this process');
  assert.equal((await from('203.0.113.9')).statusCode, 403);
  const wrong = await change(['198.51.100.7', '198.51.100.7/24', 'home']);
  assert.deepEqual(Object.keys(wrong.json<{ error: { details: object } }>().error.details), [
    'allowed_ips.1',
    'allowed_ips.2',
  ]);
  assert.equal((await change(Array.from({ length: 51 }, () => '198.51.100.7'))).statusCode, 400);
  const rotated = await call(secret, 'POST', `/api_keys/${bound.id}/rotate`);
  assert.deepEqual(rotated.json<Bound>().allowed_ips, ['198.51.100.7'], 'its replacement too');
  assert.deepEqual((await change([])).json<Bound>().allowed_ips, null, 'anywhere');
  assert.equal((await from('192.0.2.1')).statusCode, 200);
});

test('a key of another merchant is 404, whatever is asked of it', async () => {
  const { secret } = await newMerchant();
  const { keyId } = await newMerchant();
  assert.equal((await call(secret, 'DELETE', `/api_keys/${keyId}`)).statusCode, 404);
  assert.equal((await call(secret, 'POST', `/api_keys/${keyId}/rotate`)).statusCode, 404);
  const change = await call(secret, 'PUT', `/api_keys/${keyId}`, { allowed_ips: null });
  assert.equal(change.statusCode, 404);
});
