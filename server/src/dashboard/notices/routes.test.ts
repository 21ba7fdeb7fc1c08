import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import {
  type OwnPlatform,
  ownPlatform,
  testServer,
} from '../../../test-support/slices/platform.ts';
import { createMerchant } from '../../merchants/service.ts';
import { createUser } from '../../merchants/team/users.ts';
import { makeNotify } from '../../notices/notify.ts';
import { noticeRoutes } from './routes.ts';
import type { KindList, NoticeList } from './view.ts';

let platform: OwnPlatform;
let app: FastifyInstance;
let merchantId: string;
let other: string;

before(async () => {
  const own = await ownPlatform();
  platform = Object.assign(own, { notify: makeNotify(own) });
  app = await testServer(platform, { routes: noticeRoutes(platform) });
  merchantId = await merchant('kim@fernhill.example');
  other = await merchant('robin@elsewhere.example');
});
after(async () => {
  await app.close();
  await platform.drop();
});

async function merchant(email: string): Promise<string> {
  const { merchantId: id } = await createMerchant(platform, MERCHANT, async () => undefined);
  await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now: platform.clock.now(), merchantId: id, actorId: 'operator:test' },
      { email, name: 'Kim Fern', role: 'owner' },
    ),
  );
  return id;
}

const MERCHANT = {
  name: 'Fernhill Gym',
  legalName: 'Fernhill Gym Ltd',
  email: 'hello@fernhill.example',
  website: 'https://fernhill.example',
  address: '1 High Street, Leeds LS1 1AA',
  terms: '',
  settlementAccount: { sortCode: '089999', accountNumber: '66374958', name: 'Fernhill Gym Ltd' },
};

async function call<T>(
  method: 'GET' | 'PUT',
  path: string,
  body?: object,
  as = merchantId,
): Promise<{ status: number; body: T }> {
  const response = await app.inject({
    method,
    url: `/api/notices${path}`,
    headers: { authorization: `Bearer ${as}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: response.statusCode, body: response.json() as T };
}

const keyMade = (causeId: string) => {
  platform.clock.at = platform.clock.at.add({ minutes: 1 });
  return platform.db.forMerchant(merchantId, (tx) =>
    platform.notify(tx, platform.clock.now(), [
      { merchantId, kind: 'api_key_created', causeId, facts: { name: causeId, hint: 'a1b2' } },
    ]),
  );
};

const isOn = async (kind: string, as = merchantId) =>
  (await call<KindList>('GET', '/kinds', undefined, as)).body.kinds.find((k) => k.kind === kind)
    ?.is_on;

test('every kind is listed with a preview that has its words and no real secret', async () => {
  const { body } = await call<KindList>('GET', '/kinds');
  assert.equal(body.is_sent, false);
  assert.ok(body.kinds.length >= 10);
  for (const { title, preview, readers } of body.kinds)
    assert.ok(title !== '' && preview.subject !== '' && preview.text.length > 50 && readers !== '');
  const account = body.kinds.find(({ kind }) => kind === 'settlement_account_changed');
  assert.deepEqual([account?.is_optional, account?.is_on], [false, true]);
  const toCustomers = body.kinds.filter((kind) => kind.is_for_customers);
  assert.ok(toCustomers.length >= 4);
  for (const { kind, ...one } of toCustomers) {
    const isProof = ['consent_given', 'payments_ended', 'dispute_ended'].includes(kind);
    assert.deepEqual([one.is_optional, one.is_on, one.readers], [true, isProof, 'The customer']);
  }
});

test('a kind is turned off for one merchant, and no such email is written until it is on again', async () => {
  const off = await call('PUT', '/kinds/api_key_created', { is_on: false });
  assert.equal(off.status, 200, JSON.stringify(off.body));
  assert.deepEqual(
    [await isOn('api_key_created'), await isOn('api_key_created', other)],
    [false, true],
  );
  assert.equal(await keyMade('first'), 0);
  await call('PUT', '/kinds/api_key_created', { is_on: true });
  assert.equal(await keyMade('second'), 1);
});

test('a kind to customers is turned on for one merchant, and off again', async () => {
  for (const [kind, atFirst] of [
    ['consent_link', false],
    ['consent_given', true],
  ] as const)
    for (const is_on of [!atFirst, !atFirst, atFirst]) {
      assert.equal((await call('PUT', `/kinds/${kind}`, { is_on })).status, 200);
      assert.equal(await isOn(kind), is_on);
      assert.equal(await isOn(kind, other), atFirst);
    }
});

test('what protects the account cannot be turned off, and an unknown kind is not found', async () => {
  const refused = await call('PUT', '/kinds/owners_changed', { is_on: false });
  assert.equal(refused.status, 403);
  assert.equal(await isOn('owners_changed'), true);
  assert.equal((await call('PUT', '/kinds/toString', { is_on: false })).status, 404);
  assert.equal((await call('PUT', '/kinds/invitation', {})).status, 400);
});

test('the mailbox shows the emails of its own merchant, page by page, and never a link', async () => {
  await keyMade('third');
  platform.clock.at = platform.clock.at.add({ minutes: 1 });
  const token = 'https://pay.example/dashboard/join?token=secret';
  await platform.db.transaction((tx) =>
    platform.notify(tx, platform.clock.now(), [
      {
        merchantId,
        kind: 'invitation',
        causeId: 'inv_1',
        to: { name: 'guest', email: 'guest@fernhill.example' },
        facts: { invited_by: 'Kim Fern', role: 'a developer', url: token },
      },
    ]),
  );
  const { body: first } = await call<NoticeList>('GET', '?limit=1');
  assert.equal(first.data[0]?.subject, 'Kim Fern invited you to Fernhill Gym');
  assert.equal(first.data[0]?.status, 'kept');
  assert.doesNotMatch(JSON.stringify(first.data), /secret|token/);
  const { body: rest } = await call<NoticeList>('GET', `?limit=1&after=${first.next_cursor}`);
  assert.equal(rest.data[0]?.subject, 'New API key: third');
  assert.deepEqual(rest.data[0]?.to.address, 'kim@fernhill.example');
  const { body: theirs } = await call<NoticeList>('GET', '', undefined, other);
  assert.doesNotMatch(JSON.stringify(theirs.data), /third|guest|kim@/);
});
