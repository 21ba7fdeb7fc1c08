import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase } from '../../../test-support/database.ts';
import {
  bareMerchant,
  type TestPlatform,
  testPlatform,
} from '../../../test-support/slices/platform.ts';
import type { Db } from '../../platform/db/db.ts';
import { DEFAULT_SCOPES } from '../scope.ts';
import { makeAuthenticator } from './authenticator.ts';
import { createKey, revokeKey } from './key-service.ts';
import { formatKey } from './keys.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let platform: TestPlatform;
let asked = 0;

before(async () => {
  database = await testDatabase();
  const plain = testPlatform(database.url);
  const db: Db = {
    ...plain.db,
    forMerchant: (merchantId, work) => {
      asked++;
      return plain.db.forMerchant(merchantId, work);
    },
  };
  platform = { ...plain, db };
});

after(async () => {
  await platform.db.close();
  await database.drop();
});

async function newKey() {
  const merchantId = await bareMerchant(platform);
  const { secret, key } = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now: platform.clock.now(), merchantId }, 'Key', 'test'),
  );
  return { merchantId, secret, keyId: key.keyId };
}

test('a mistyped key and a key of the other mode never reach the database', async () => {
  const { authenticate } = makeAuthenticator(platform);
  asked = 0;
  const live = formatKey('live', `mer_${'0'.repeat(22)}`, Buffer.alloc(32));
  for (const secret of ['', 'rk_test_', live, 'x'.repeat(10_000)])
    assert.equal(await authenticate(secret), null);
  assert.equal(asked, 0);
});

test('a well-formed key that nobody holds is nobody, and not asked for again at once', async () => {
  const { authenticate } = makeAuthenticator(platform);
  const secret = formatKey('test', await bareMerchant(platform), Buffer.alloc(32, 9));
  asked = 0;
  assert.equal(await authenticate(secret), null);
  assert.equal(await authenticate(secret), null);
  assert.equal(asked, 1);
});

test('a key in use is looked up once in a while, not with every request', async () => {
  const { authenticate, idle } = makeAuthenticator(platform);
  const { secret, merchantId, keyId } = await newKey();
  asked = 0;
  for (let i = 0; i < 20; i++)
    assert.deepEqual(await authenticate(secret), {
      merchantId,
      actorId: keyId,
      key: { scopes: DEFAULT_SCOPES, maker: null },
    });
  await idle();
  assert.equal(asked, 2); // the look-up, and recording that the key was used
});

test('the use of a key is noted at most once a minute', async () => {
  const { secret, keyId } = await newKey();
  const used = async () => {
    const { authenticate, idle } = makeAuthenticator(platform);
    await authenticate(secret);
    await idle();
    const row = await platform.db.read((tx) =>
      tx.row<{ lastUsedAt: Temporal.Instant }>(
        'SELECT last_used_at FROM api_keys WHERE key_id = $1',
        [keyId],
      ),
    );
    return row?.lastUsedAt.toString();
  };
  const first = await used();
  platform.clock.at = platform.clock.at.add({ seconds: 59 });
  assert.equal(await used(), first);
  platform.clock.at = platform.clock.at.add({ seconds: 1 });
  assert.equal(await used(), platform.clock.now().toString());
});

test('while a revocation is under way nothing about the key is remembered, and after it the key is nobody', async () => {
  const authenticator = makeAuthenticator(platform);
  const { secret, merchantId, keyId } = await newKey();
  assert.ok(await authenticator.authenticate(secret));
  await platform.db.transaction(async (tx) => {
    await revokeKey(
      { platform, authenticator },
      { tx, now: platform.clock.now(), merchantId },
      keyId,
      'test',
    );
    assert.ok(await authenticator.authenticate(secret)); // not committed yet
  });
  assert.equal(await authenticator.authenticate(secret), null);
});

test('a revocation that is rolled back leaves the key as it was', async () => {
  const authenticator = makeAuthenticator(platform);
  const { secret, merchantId, keyId } = await newKey();
  const failing = platform.db.transaction(async (tx) => {
    await revokeKey(
      { platform, authenticator },
      { tx, now: platform.clock.now(), merchantId },
      keyId,
      'test',
    );
    throw new Error('rolled back');
  });
  await assert.rejects(failing);
  assert.ok(await authenticator.authenticate(secret));
});
