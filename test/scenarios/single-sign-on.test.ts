import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Role } from '../../server/src/merchants/role.ts';
import { register } from '../../server/src/merchants/sign-in/sso/service.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { actorOf } from '../../server/src/platform/state/actor.ts';
import { appCode, appKey } from '../../server/test-support/authenticator-app.ts';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
  throughProvider,
} from '../../server/test-support/identity-provider.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';

const PASSWORD = 'correct horse battery';

let service: TestService;
let provider: IdentityProvider;
let merchantId: string;
let owner: DashboardVisitor;
let ownerId: string;

before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => service.close());

let people = 0;
const db = () => service.running.platform.db;

/** Puts a person on a team, and returns a browser in which they are signed in with their password. */
async function member(role: Role, team: string, email = `person${++people}@fernhill.example`) {
  const { platform } = service.running;
  const { url, userId } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now: platform.clock.now(), merchantId: team, actorId: 'operator:Ms Hill' },
      { email, name: 'Kim', role },
    ),
  );
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.setPassword(url, PASSWORD)).status, 200);
  await visitor.prove(PASSWORD);
  return { visitor, email, userId };
}

/** Lets codes of the authenticator app be used again. */
const forgetCodes = () => db().transaction((tx) => tx.run('DELETE FROM used_codes'));

async function secondFactor(visitor: DashboardVisitor): Promise<Buffer> {
  const { body } = await visitor.call('POST', '/auth/two-factor/enable', { password: PASSWORD });
  const key = appKey(new URL(String(body.totpURI)).searchParams.get('secret') ?? '');
  const on = await visitor.call('POST', '/auth/two-factor/verify-totp', { code: appCode(key) });
  assert.equal(on.status, 200, JSON.stringify(on.body));
  await forgetCodes();
  return key;
}

/** Saves the team's registration, as its owner does. */
const save = (change: object = {}) =>
  owner.call('PUT', '/api/team/sso', {
    issuer: provider.issuer,
    ...provider.client,
    is_required: false,
    password: PASSWORD,
    ...change,
  });

/** Registers the team's provider without its page. */
async function registered(): Promise<void> {
  const { issuer } = provider;
  const { platform } = service.running;
  const { client_id: clientId, client_secret: clientSecret } = provider.client;
  await platform.db.forMerchant(
    merchantId,
    (tx) =>
      register(
        platform,
        { tx, now: platform.clock.now(), merchantId, actorId: ownerId },
        { issuer, clientId, clientSecret, isRequired: false },
      ),
    { actor: actorOf(ownerId) },
  );
}

beforeEach(async () => {
  merchantId = (await newMerchant(service.running, { name: 'Elsewhere' })).merchantId;
  const redirect = `${service.baseUrl}/dashboard/auth/sso/${merchantId}/return`;
  provider = await startIdentityProvider([redirect]);
  ({ visitor: owner, userId: ownerId } = await member('owner', merchantId));
  await registered();
});
afterEach(() => provider.close());

/** The way of a browser: from the team's address, through the provider as one of its accounts, to the dashboard's address. */
async function returned(visitor: DashboardVisitor, as: string, next = ''): Promise<string> {
  const begun = await visitor.follow(`/auth/sso/${merchantId}${next}`);
  return throughProvider(provider, begun, as);
}

/** Signs a browser in through the provider; returns where in the dashboard it arrives. */
async function enter(visitor: DashboardVisitor, as: string, next = ''): Promise<string> {
  const back = await returned(visitor, as, next);
  const path = back.slice(`${service.baseUrl}/dashboard`.length);
  if (!path.startsWith('/auth/')) return path;
  return (await visitor.follow(path)).slice(`${service.baseUrl}/dashboard`.length);
}

const browser = () => new DashboardVisitor(service.baseUrl);
const account = (name: string, email: string, sub = `sub-of-${name}`, email_verified = true) =>
  provider.accounts.set(name, { sub, email, email_verified, name: 'Robin Oak' });
const codeOf = async (visitor: DashboardVisitor): Promise<string | number> => {
  const answer = await visitor.call('GET', '/api/me');
  return refusalOf(answer).code ?? answer.status;
};

test('a member signs in through the provider, and comes to the page they wanted', async () => {
  const { email, userId } = await member('finance', merchantId);
  account('kim', email.toUpperCase());
  const visitor = browser();
  assert.equal(
    await enter(visitor, 'kim', '?next=%2Fpayments%3Fstatus%3Dfailed'),
    '/payments?status=failed',
  );
  const { body } = await visitor.call('GET', '/api/me');
  assert.deepEqual([Object(body.user).id, body.uses_sso], [userId, true]);
  const { body: sso } = await owner.call('GET', '/api/team/sso');
  assert.deepEqual([sso.members, sso.linked_members], [2, 1]);
  assert.ok(!JSON.stringify(sso).includes(provider.client.client_secret));
});

test('a provider that puts the address into its ID token signs in too', async () => {
  await provider.close();
  const redirect = `${service.baseUrl}/dashboard/auth/sso/${merchantId}/return`;
  provider = await startIdentityProvider([redirect], { emailInToken: true });
  await registered();
  const { email } = await member('finance', merchantId);
  account('kim', email);
  assert.equal(await enter(browser(), 'kim'), '/');
});

test('once linked the account alone counts, not its address, and no other account with the address comes in', async () => {
  const { email, userId } = await member('finance', merchantId);
  account('kim', email);
  assert.equal(await enter(browser(), 'kim'), '/');
  account('kim', 'married@fernhill.example');
  const again = browser();
  assert.equal(await enter(again, 'kim'), '/', 'a new address is the same person');
  account('thief', email, 'sub-of-a-thief');
  const thief = browser();
  assert.equal(await enter(thief, 'thief'), '/sign-in?problem=sso_other_account');
  assert.equal(await codeOf(thief), 'unauthorized');
  const unlinked = await owner.call('DELETE', `/api/team/members/${userId}/sso`);
  assert.deepEqual([unlinked.status, unlinked.body.uses_sso], [200, false]);
  assert.equal(await codeOf(again), 'unauthorized', 'unlinking ends what the account opened');
  account('new', email, 'a-new-sub');
  assert.equal(await enter(browser(), 'new'), '/');
  const { body } = await owner.call('GET', '/api/activity?limit=20');
  const said = JSON.stringify(body.data);
  for (const title of [
    'Single sign-on changed',
    'Linked to the identity provider',
    'Unlinked from the identity provider',
  ])
    assert.ok(said.includes(title), title);
});

test('an address that the provider has not verified, and a stranger’s, open nothing and make nobody', async () => {
  const { email } = await member('finance', merchantId);
  account('loose', email, 'sub', false);
  account('stranger', 'stranger@elsewhere.example');
  assert.equal(await enter(browser(), 'loose'), '/sign-in?problem=sso_unverified');
  const visitor = browser();
  assert.equal(await enter(visitor, 'stranger'), '/sign-in?problem=sso_stranger');
  assert.equal(await codeOf(visitor), 'unauthorized');
  const { body } = await owner.call('GET', '/api/team');
  assert.equal((body.members as object[]).length, 2);
});

test('who is invited joins by signing in, in the invited role, once; who has a user already does not', async () => {
  const invite = (email: string) =>
    owner.call('POST', '/api/team/invitations', { email, role: 'developer' });
  await invite('newcomer@fernhill.example');
  account('newcomer', 'newcomer@fernhill.example');
  const visitor = browser();
  assert.equal(await enter(visitor, 'newcomer'), '/');
  const { body } = await visitor.call('GET', '/api/me');
  assert.deepEqual(
    [Object(body.user).name, Object(body.merchant).role],
    ['Robin Oak', 'developer'],
  );
  const { merchantId: other } = await newMerchant(service.running, { name: 'Another' });
  const known = await member('owner', other);
  await invite(known.email);
  account('known', known.email);
  assert.equal(await enter(browser(), 'known'), '/sign-in?problem=sso_stranger');
});

test('a session of single sign-on acts for its team alone, and reaches nothing that opens the user’s other teams', async () => {
  const { merchantId: other } = await newMerchant(service.running, { name: 'Another' });
  const { email, userId } = await member('owner', merchantId);
  await db().transaction((tx) =>
    tx.run(
      `INSERT INTO members (merchant_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', now())`,
      [other, userId],
    ),
  );
  account('kim', email);
  const visitor = browser();
  await enter(visitor, 'kim');
  assert.deepEqual(await visitor.teams(), [merchantId]);
  visitor.merchantId = other;
  assert.equal(await codeOf(visitor), 'forbidden');
  visitor.merchantId = null;
  for (const [method, path, body] of [
    ['GET', '/auth/list-sessions', undefined],
    ['POST', '/auth/revoke-other-sessions', {}],
    ['POST', '/auth/update-user', { name: 'Mallory' }],
    ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'x'.repeat(12) }],
    ['POST', '/auth/two-factor/enable', { password: PASSWORD }],
    ['POST', '/auth/passkey/generate-register-options', { password: PASSWORD }],
    ['GET', '/auth/passkey/list-user-passkeys', undefined],
  ] as const)
    assert.equal(refusalOf(await visitor.call(method, path, body)).code, 'forbidden', path);
  assert.equal((await visitor.call('POST', '/auth/sign-out', {})).status, 200);
  assert.equal(await codeOf(visitor), 'unauthorized');
});

test('where it is required a password is not enough, and an owner with a second factor is never locked out', async () => {
  const finance = await member('finance', merchantId);
  const second = await member('owner', merchantId);
  const refusedAs = async (code?: string) => {
    const { code: error, details } = refusalOf(await save({ is_required: true, code }));
    return [error, ...Object.keys(details)];
  };
  assert.deepEqual(await refusedAs(), ['second_factor_required']);
  const key = await secondFactor(owner);
  assert.deepEqual(await refusedAs(appCode(key)), ['invalid_request', 'is_required']);
  await forgetCodes();
  account('kim', finance.email);
  const visitor = browser();
  await enter(visitor, 'kim');
  const required = await save({ is_required: true, code: appCode(key) });
  await forgetCodes();
  assert.equal(required.status, 200, JSON.stringify(required.body));
  assert.equal(await codeOf(visitor), 200);
  const refused = refusalOf(await finance.visitor.call('GET', '/api/me'));
  assert.deepEqual([refused.code, refused.details.team], ['sso_required', merchantId]);
  assert.equal(await codeOf(second.visitor), 'second_factor_required');
  assert.equal(await codeOf(owner), 200);
  await provider.close();
  assert.equal(await enter(browser(), 'kim'), '/sign-in?problem=sso_failed');
  const off = await owner.call('POST', '/api/team/sso/remove', {
    password: PASSWORD,
    code: appCode(key),
  });
  assert.equal(off.status, 200, JSON.stringify(off.body));
  assert.equal(await codeOf(finance.visitor), 200);
  assert.equal(await codeOf(visitor), 'unauthorized', 'what the provider opened ends with it');
});

test('a required second factor is asked of passwords, and left to the provider of who comes through it', async () => {
  const { email, visitor } = await member('finance', merchantId);
  const code = appCode(await secondFactor(owner));
  const rules = {
    requires_second_factor: true,
    session_idle_minutes: null,
    session_longest_minutes: null,
  };
  await owner.call('PUT', '/api/team/access', { ...rules, password: PASSWORD, code });
  assert.equal(await codeOf(visitor), 'second_factor_required');
  account('kim', email);
  await enter(visitor, 'kim');
  assert.equal(await codeOf(visitor), 200);
});

test('an answer of the provider is worth nothing in another browser, nor a second time', async () => {
  const { email } = await member('finance', merchantId);
  account('kim', email);
  const victim = browser();
  const back = (await returned(victim, 'kim')).slice(`${service.baseUrl}/dashboard`.length);
  const other = browser();
  const at = async (visitor: DashboardVisitor) =>
    (await visitor.follow(back)).slice(`${service.baseUrl}/dashboard`.length);
  assert.equal(await at(other), '/sign-in?problem=sso_late');
  await returned(other, 'kim'); // a trip of its own: its state is another
  assert.equal(await at(other), '/sign-in?problem=sso_failed');
  assert.equal(await codeOf(other), 'unauthorized');
  assert.equal(await at(victim), '/');
  assert.equal(await at(victim), '/sign-in?problem=sso_late');
});

test('another site cannot start it: the person sees our page first', async () => {
  const start = `/auth/sso/${merchantId}?next=%2Fteam`;
  const shown = await browser().follow(start, 'cross-site');
  assert.equal(
    shown,
    `${service.baseUrl}/dashboard/single-sign-on?team=${merchantId}&next=%2Fteam`,
  );
  const { email } = await member('finance', merchantId);
  account('kim', email);
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example'])
    assert.equal(await enter(browser(), 'kim', `?next=${encodeURIComponent(next)}`), '/', next);
  assert.equal(await enter(browser(), 'decline'), '/sign-in?problem=sso_declined');
});

test('only an owner with their password registers a provider, and what does not answer as one is refused', async () => {
  const developer = await member('developer', merchantId);
  for (const [method, path] of [
    ['GET', '/api/team/sso'],
    ['PUT', '/api/team/sso'],
    ['POST', '/api/team/sso/remove'],
  ] as const)
    assert.equal(
      refusalOf(await developer.visitor.call(method, path, method === 'GET' ? undefined : {})).code,
      'forbidden',
    );
  const wrongField = async (change: object) => Object.keys(refusalOf(await save(change)).details);
  assert.deepEqual(await wrongField({ password: 'not the password' }), ['password']);
  for (const issuer of [
    'http://provider.example',
    'https://169.254.169.254',
    `${provider.issuer}/.well-known/openid-configuration`,
    `${provider.issuer}/elsewhere`,
    'http://127.0.0.1:9',
  ])
    assert.deepEqual(await wrongField({ issuer }), ['issuer'], issuer);
  const other = { client_id: 'another', client_secret: undefined };
  assert.deepEqual(await wrongField(other), ['client_secret']);
  assert.equal((await save({ client_secret: undefined })).status, 200, 'the stored one stays');
});
