import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findPendingChange } from '../../server/src/merchants/settlement-account/settlement-account-store.ts';
import { removeAccount, resetAccount } from '../../server/src/merchants/team/accounts.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { openContent } from '../../server/src/notices/notify.ts';
import { listKept } from '../../server/src/notices/store.ts';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';
import { Authenticator } from '../../server/test-support/slices/authenticator.ts';
import { setUpFactor, trust } from '../../server/test-support/team-member.ts';

const ATTACKERS = 'the attacker knows this';
const VICTIMS = 'the victim chose this one';
const BY = 'operator:Ms Hill';

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => service.close());

let people = 0;

/** Lets somebody in again as two operators do, without asking either. */
function reset(userId: string): Promise<void> {
  const { platform } = service.running;
  const by = { ids: ['opr_hill', 'opr_dale'], actor: BY, causeId: `reset of ${userId}` };
  return platform.db.transaction((tx) =>
    resetAccount({ platform, tx, now: platform.clock.now() }, userId, by),
  );
}

/** Returns the link in the latest email to an address. */
async function linkSentTo(email: string): Promise<string> {
  const { platform } = service.running;
  const rows = await platform.db.read((tx) => listKept(tx, 100));
  const facts = rows
    .map((row) => openContent(platform.vault, row.noticeId, row.content))
    .filter(({ to }) => 'email' in to && to.email === email)
    .map((content) => content.facts);
  return String(facts.find(({ url }) => url !== undefined)?.url);
}

/** Does what `recollect user create` does. */
function create(merchantId: string, email: string) {
  const { platform } = service.running;
  const wanted = { email, name: 'Kim', role: 'owner' } as const;
  return platform.db.transaction((tx) =>
    createUser(platform, { tx, now: platform.clock.now(), merchantId, actorId: BY }, wanted),
  );
}

/** Creates another merchant and its first owner. */
async function ownerElsewhere() {
  const { merchantId } = await newMerchant(service.running, { name: 'Elsewhere' });
  const owner = new DashboardVisitor(service.baseUrl);
  const email = `attacker${++people}@evil.example`;
  const own = await create(merchantId, email);
  assert.equal((await owner.setPassword(own.url, ATTACKERS)).status, 200);
  await owner.prove(ATTACKERS);
  return { merchantId, owner, email, userId: own.userId };
}

/** Creates an attacker, owner of another merchant, and the account that they made with the victim's address. */
async function prepared() {
  const { merchantId: elsewhere, owner } = await ownerElsewhere();
  const email = `victim${people}@fernhill.example`;
  const invited = await owner.call('POST', '/api/team/invitations', { email, role: 'developer' });
  const attacker = new DashboardVisitor(service.baseUrl);
  const joined = await attacker.join(String(invited.body.url), { name: 'V', password: ATTACKERS });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const options = await attacker.call('POST', '/auth/passkey/generate-register-options', {
    password: ATTACKERS,
  });
  const key = new Authenticator();
  const response = key.register({ ...options.body, origin: service.baseUrl } as never);
  const made = await attacker.call('POST', '/auth/passkey/verify-registration', { response });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { elsewhere, owner, attacker, email, key };
}

async function byPasskey(key: Authenticator): Promise<string[] | null> {
  const visitor = new DashboardVisitor(service.baseUrl);
  const { body } = await visitor.call('GET', '/auth/passkey/generate-authenticate-options');
  const response = key.use({ ...body, origin: service.baseUrl } as never);
  await visitor.call('POST', '/auth/passkey/verify-authentication', { response });
  return visitor.teams();
}

test('an account that somebody else made joins nothing by `user create`, and the operator sees a warning', async () => {
  const { attacker, email, key, elsewhere } = await prepared();
  const made = await create(service.merchantId, email);
  assert.match(made.url, /\/dashboard\/join\?token=/);
  assert.equal(made.existing?.madeBy, 'invitation');
  assert.deepEqual(
    [made.existing?.hasPassword, made.existing?.passkeys, made.existing?.twoFactor],
    [true, 1, false],
  );
  assert.deepEqual(made.existing?.teams, [{ merchantId: elsewhere, role: 'developer' }]);
  assert.deepEqual(await attacker.teams(), [elsewhere]);
  const again = new DashboardVisitor(service.baseUrl);
  await again.signIn(email, ATTACKERS);
  assert.deepEqual(await again.teams(), [elsewhere]);
  assert.deepEqual(await byPasskey(key), [elsewhere]);
});

test('who does not know the account’s password cannot join with it, not with a session handed to them either', async () => {
  const { email, elsewhere } = await prepared();
  const made = await create(service.merchantId, email);
  const victim = new DashboardVisitor(service.baseUrl);
  assert.equal((await victim.join(made.url, { password: VICTIMS })).status, 401);
  assert.equal(await victim.teams(), null);
  const handed = new DashboardVisitor(service.baseUrl);
  await handed.signIn(email, ATTACKERS); // as a sign-in link would
  assert.equal((await handed.join(made.url, {})).status, 401);
  assert.deepEqual(await handed.teams(), [elsewhere]);
});

test('a reset by the operator leaves the attacker no way in, and the person joins with a password of their own', async () => {
  const { email, attacker, key, owner } = await prepared();
  const made = await create(service.merchantId, email);
  const late = await owner.call('POST', `/api/team/members/${made.userId}/reset_link`, {});
  assert.equal(late.status, 200);
  await reset(made.userId);
  assert.equal(await attacker.teams(), null, 'its sessions have ended');
  assert.equal(await byPasskey(key), null);
  const thief = new DashboardVisitor(service.baseUrl);
  assert.equal((await thief.setPassword(String(late.body.url), ATTACKERS)).status, 404);
  const victim = new DashboardVisitor(service.baseUrl);
  assert.equal((await victim.setPassword(await linkSentTo(email), VICTIMS)).status, 200);
  const joined = await victim.join(made.url, { password: VICTIMS });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  assert.ok((await victim.teams())?.includes(service.merchantId));
  const guess = new DashboardVisitor(service.baseUrl);
  assert.notEqual((await guess.signIn(email, ATTACKERS)).status, 200);
  const later = await owner.call('POST', `/api/team/members/${made.userId}/reset_link`, {});
  assert.equal(refusalOf(later).code, 'forbidden', 'the account works for another merchant too');
});

test('a reset ends the invitations that were made with the account, and no others', async () => {
  const { merchantId, owner, userId } = await ownerElsewhere();
  const invite = async (by: DashboardVisitor): Promise<string> => {
    const body = { email: `guest${++people}@evil.example`, role: 'owner' };
    return String((await by.call('POST', '/api/team/invitations', body)).body.url);
  };
  const second = new DashboardVisitor(service.baseUrl);
  const colleague = await create(merchantId, `colleague${people}@fernhill.example`);
  assert.equal((await second.setPassword(colleague.url, VICTIMS)).status, 200);
  await second.prove(VICTIMS);
  await trust(service.db, colleague.userId);
  const [bad, good] = [await invite(owner), await invite(second)];
  await reset(userId);
  const joined = async (url: string): Promise<number> =>
    (await new DashboardVisitor(service.baseUrl).join(url, { name: 'G', password: ATTACKERS }))
      .status;
  assert.equal(await joined(bad), 404);
  assert.equal(await joined(good), 200);
});

test('a reset ends the change of the settlement account that was asked for with the account', async () => {
  const { merchantId, owner, userId } = await ownerElsewhere();
  const [code] = await setUpFactor(owner, ATTACKERS);
  const asked = await owner.call('POST', '/api/settlement_account/changes', {
    name: 'Evil Ltd',
    sort_code: '20-00-00',
    account_number: '55779911',
    password: ATTACKERS,
    code,
  });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  await reset(userId);
  const { platform } = service.running;
  const waiting = await platform.db.read((tx) => findPendingChange(tx, platform.vault, merchantId));
  assert.equal(waiting, null);
});

test('who joins another team with an account keeps none of its passkeys and other sessions', async () => {
  const { email, attacker, key } = await prepared();
  const made = await create(service.merchantId, email);
  const person = new DashboardVisitor(service.baseUrl);
  assert.equal((await person.join(made.url, { password: ATTACKERS })).status, 200);
  assert.equal((await person.teams())?.length, 2);
  assert.equal(await attacker.teams(), null);
  assert.equal(await byPasskey(key), null);
});

test('a reset link removes passkeys and ends sessions', async () => {
  const { email, attacker, key, owner } = await prepared();
  const { userId } = (await create(service.merchantId, email)) as { userId: string };
  const link = await owner.call('POST', `/api/team/members/${userId}/reset_link`, {});
  const person = new DashboardVisitor(service.baseUrl);
  assert.equal((await person.setPassword(String(link.body.url), VICTIMS)).status, 200);
  assert.equal(await attacker.teams(), null);
  assert.equal(await byPasskey(key), null);
  assert.notEqual(await person.teams(), null);
});

test('a link that the operator handed out for an account is worth nothing once its user left and is created again', async () => {
  const email = `early${++people}@fernhill.example`;
  const first = await create(service.merchantId, email);
  await assert.rejects(create(service.merchantId, email), { code: 'invalid_request' });
  await service.running.platform.db.transaction((tx) =>
    tx.run('DELETE FROM members WHERE merchant_id = $1 AND user_id = $2', [
      service.merchantId,
      first.userId,
    ]),
  );
  const second = await create(service.merchantId, email);
  const early = new DashboardVisitor(service.baseUrl);
  assert.equal((await early.setPassword(first.url, ATTACKERS)).status, 404);
  const person = new DashboardVisitor(service.baseUrl);
  assert.equal((await person.setPassword(second.url, VICTIMS)).status, 200);
  assert.deepEqual(await person.teams(), [service.merchantId]);
});

test('an account without credentials that opens another team is not opened by a link for this one', async () => {
  const { merchantId: elsewhere } = await newMerchant(service.running, { name: 'Elsewhere' });
  const email = `ceo${++people}@fernhill.example`;
  await create(elsewhere, email);
  const made = await create(service.merchantId, email);
  assert.notEqual(made.existing, null);
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.join(made.url, { name: 'Eve', password: ATTACKERS })).status, 401);
  assert.equal(await visitor.teams(), null);
});

test('the operator removes a user: from one team, or altogether, but leaves no team without an owner unasked', async () => {
  const { email, attacker, elsewhere } = await prepared();
  const { platform } = service.running;
  const remove = (merchantId: string | null, evenLastOwner = false, who = email) =>
    platform.db.transaction((tx) =>
      removeAccount({ platform, tx, now: platform.clock.now() }, who, BY, {
        merchantId,
        evenLastOwner,
      }),
    );
  const owner = `attacker${people}@evil.example`;
  await assert.rejects(remove(null, false, owner), { code: 'last_owner' });
  assert.equal((await remove(elsewhere)).isDeleted, false);
  assert.deepEqual(await attacker.teams(), []);
  await assert.rejects(remove(elsewhere), { code: 'not_found' });
  assert.equal((await remove(null)).isDeleted, true);
  assert.equal(await attacker.teams(), null);
  await assert.rejects(remove(null), { code: 'not_found' });
  assert.equal((await remove(null, true, owner)).isDeleted, true);
  const rows = await service.db.read((tx) =>
    tx.rows<{ reason: string }>(
      `SELECT reason FROM state_changes WHERE merchant_id = $1 AND to_state = 'removed'`,
      [elsewhere],
    ),
  );
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    [`by ${BY}`, `by ${BY}`],
  );
});
