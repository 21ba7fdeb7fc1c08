import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Role } from '../../server/src/merchants/role.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { appCode, appKey } from '../../server/test-support/authenticator-app.ts';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';

const PASSWORD = 'correct horse battery';
const NO_RULES = {
  requires_second_factor: false,
  session_idle_minutes: null,
  session_longest_minutes: null,
};

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => service.close());

let people = 0;

/** Signs a new member of a team in; by default the owner of a new one. */
async function member(role: Role = 'owner', team?: string) {
  const { platform } = service.running;
  const merchantId = team ?? (await newMerchant(service.running, { name: 'Elsewhere' })).merchantId;
  const email = `member${++people}@fernhill.example`;
  const { url, userId } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now: platform.clock.now(), merchantId, actorId: 'operator:Ms Hill' },
      { email, name: 'Kim', role },
    ),
  );
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.setPassword(url, PASSWORD)).status, 200);
  return { merchantId, email, userId, visitor };
}

/** Turns the second factor on; returns its key. */
async function secondFactor(visitor: DashboardVisitor): Promise<Buffer> {
  const { body } = await visitor.call('POST', '/auth/two-factor/enable', { password: PASSWORD });
  const key = appKey(new URL(String(body.totpURI)).searchParams.get('secret') ?? '');
  const code = appCode(key);
  const on = await visitor.call('POST', '/auth/two-factor/verify-totp', { code });
  assert.equal(on.status, 200, JSON.stringify(on.body));
  return key;
}

const change = (visitor: DashboardVisitor, rules: object, code?: string) =>
  visitor.call('PUT', '/api/team/access', {
    ...NO_RULES,
    ...rules,
    password: PASSWORD,
    ...(code === undefined ? {} : { code }),
  });

const codeOf = async (visitor: DashboardVisitor): Promise<string | number> => {
  const answer = await visitor.call('GET', '/api/me');
  return refusalOf(answer).code ?? answer.status;
};

/** Makes a user's session older, or longer unused, than it is. */
async function age(userId: string, by: { opened?: number; used?: number }): Promise<void> {
  await service.running.platform.db.transaction((tx) =>
    tx.run(
      `UPDATE sessions SET created_at = created_at - $2 * interval '1 minute',
         used_at = coalesce(used_at, created_at) - $3 * interval '1 minute' WHERE user_id = $1`,
      [userId, by.opened ?? 0, by.used ?? 0],
    ),
  );
}

test('a member without the required second factor can do nothing but set it up, and everything afterwards', async () => {
  const owner = await member();
  const other = await member('finance', owner.merchantId);
  const key = await secondFactor(owner.visitor);
  assert.equal(await codeOf(other.visitor), 200);
  const changed = await change(owner.visitor, { requires_second_factor: true }, appCode(key, 1));
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(changed.body.members_without_second_factor, 1);

  for (const path of ['/api/me', '/api/pulse', '/api/v1/schedules', '/api/v1/payments'])
    assert.equal(
      refusalOf(await other.visitor.call('GET', path)).code,
      'second_factor_required',
      path,
    );
  const create = await other.visitor.call('POST', '/api/v1/schedules', {});
  assert.equal(refusalOf(create).code, 'second_factor_required');
  assert.equal(await codeOf(owner.visitor), 200, 'whoever has one goes on');

  await secondFactor(other.visitor);
  assert.equal(await codeOf(other.visitor), 200);
});

test('an owner without a second factor cannot require one, and so cannot lock themselves out', async () => {
  const { visitor } = await member();
  const refused = refusalOf(await change(visitor, { requires_second_factor: true }));
  assert.deepEqual([refused.status, refused.code], [403, 'second_factor_required']);
  assert.equal(await codeOf(visitor), 200);
});

test('who turns their second factor off is led to set it up again, and gets back in', async () => {
  const { visitor } = await member();
  const key = await secondFactor(visitor);
  await change(visitor, { requires_second_factor: true }, appCode(key, 1));
  const { platform } = service.running;
  await platform.db.transaction((tx) => tx.run('DELETE FROM used_codes'));
  const off = await visitor.call('POST', '/auth/two-factor/disable', {
    password: PASSWORD,
    code: appCode(key),
  });
  assert.equal(off.status, 200, JSON.stringify(off.body));
  assert.equal(await codeOf(visitor), 'second_factor_required');
  await platform.db.transaction((tx) => tx.run('DELETE FROM used_codes'));
  await secondFactor(visitor);
  assert.equal(await codeOf(visitor), 200);
});

test('one team’s requirement does not concern the other teams of a member', async () => {
  const { visitor, merchantId } = await member();
  const key = await secondFactor(visitor);
  await change(visitor, { requires_second_factor: true }, appCode(key, 1));
  const other = await member();
  const { platform } = service.running;
  await platform.db.transaction((tx) =>
    tx.run(
      `INSERT INTO members (merchant_id, user_id, role, joined_at) VALUES ($1, $2, 'finance', now())`,
      [merchantId, other.userId],
    ),
  );
  other.visitor.merchantId = merchantId;
  assert.equal(await codeOf(other.visitor), 'second_factor_required');
  other.visitor.merchantId = other.merchantId;
  assert.equal(await codeOf(other.visitor), 200);
});

test('a session ends after its time, and nothing at all accepts its cookie afterwards', async () => {
  const owner = await member();
  await change(owner.visitor, { session_longest_minutes: 60 });
  await age(owner.userId, { opened: 59 });
  assert.equal(await codeOf(owner.visitor), 200);
  await age(owner.userId, { opened: 1 });
  const own = await owner.visitor.call('GET', '/auth/get-session');
  assert.deepEqual([own.status, own.body], [200, {}], 'the library is not asked about it either');
  assert.equal(await codeOf(owner.visitor), 'unauthorized');
  await owner.visitor.signIn(owner.email, PASSWORD);
  assert.equal(await codeOf(owner.visitor), 200);
});

test('a session in use goes on, and one that nobody uses ends', async () => {
  const owner = await member();
  await change(owner.visitor, { session_idle_minutes: 15 });
  await age(owner.userId, { used: 10 });
  assert.equal(await codeOf(owner.visitor), 200);
  await age(owner.userId, { used: 14 });
  assert.equal(await codeOf(owner.visitor), 200, 'the call before was a use');
  await age(owner.userId, { used: 17 });
  assert.equal(await codeOf(owner.visitor), 'unauthorized');
});

test('the shortest limits of all their teams hold for a member', async () => {
  const strict = await member();
  await change(strict.visitor, { session_longest_minutes: 60 });
  const other = await member();
  const { platform } = service.running;
  await platform.db.transaction((tx) =>
    tx.run(
      `INSERT INTO members (merchant_id, user_id, role, joined_at) VALUES ($1, $2, 'finance', now())`,
      [strict.merchantId, other.userId],
    ),
  );
  other.visitor.merchantId = other.merchantId;
  await age(other.userId, { opened: 61 });
  assert.equal(await codeOf(other.visitor), 'unauthorized');
});

test('the rules are an owner’s, with password and code, within bounds, and in the activity', async () => {
  const owner = await member();
  const developer = await member('developer', owner.merchantId);
  assert.equal(refusalOf(await change(developer.visitor, {})).code, 'forbidden');
  const wrong = await owner.visitor.call('PUT', '/api/team/access', {
    ...NO_RULES,
    password: 'not the password',
  });
  assert.deepEqual(Object.keys(refusalOf(wrong).details), ['password']);
  for (const [rules, field] of [
    [{ session_idle_minutes: 4 }, 'session_idle_minutes'],
    [{ session_idle_minutes: 10_081 }, 'session_idle_minutes'],
    [{ session_longest_minutes: 59 }, 'session_longest_minutes'],
    [{ session_longest_minutes: 43_201 }, 'session_longest_minutes'],
    [{ session_longest_minutes: 60, session_idle_minutes: 61 }, 'session_idle_minutes'],
    [{ session_longest_minutes: 60.5 }, 'session_longest_minutes'],
    [{ requires_second_factor: 'yes' }, 'requires_second_factor'],
  ] as const)
    assert.deepEqual(Object.keys(refusalOf(await change(owner.visitor, rules)).details), [field]);
  await change(owner.visitor, { session_idle_minutes: 30, session_longest_minutes: 720 });
  const { body } = await owner.visitor.call('GET', '/api/activity?limit=5');
  const [latest] = body.data as { title: string; reason: string }[];
  assert.equal(latest?.title, 'Sign-in rules changed');
  assert.match(
    latest?.reason ?? '',
    /Sessions end after 30 minutes without use, and 12 hours after signing in\./,
  );
});
