import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { setSecondFactor } from '../../../test-support/team-member.ts';
import type { PayeeAnswer } from '../../merchants/settlement-account/payee-check.ts';
import {
  agreeAsOperator,
  requestAsOperator,
} from '../../merchants/settlement-account/settlement-account-by-operators.ts';
import {
  cancelAccountChange,
  requestAccountChange,
} from '../../merchants/settlement-account/settlement-account-service.ts';
import { createUser } from '../../merchants/team/users.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { recordLetIn } from '../../platform/two-people/let-in-store.ts';
import { accessRoutes } from '../access/routes.ts';
import { accountRoutes } from './account-routes.ts';
import { merchantRoutes } from './routes.ts';

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let kim: AdminCaller;
let path: string;
let owner: string;

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform } = h;
  const routes = [
    ...accountRoutes({ platform, issuer: h.issuer }),
    ...[merchantRoutes, accessRoutes].flatMap((make) => make(platform)),
  ];
  admin = await testAdmin(platform, routes);
  robin = await admin.as('Robin Fern');
  kim = await admin.as('Kim Ash');
  path = `/merchants/${h.merchantId}`;
  const asked = { now: h.clock.at, merchantId: h.merchantId, actorId: 'operator:test' };
  const user = { email: 'sam@fernhill.example', name: 'Sam Hill', role: 'owner' } as const;
  owner = (await h.db.transaction((tx) => createUser(platform, { tx, ...asked }, user))).userId;
  await setSecondFactor(h.db, owner);
});

afterEach(async () => {
  const { pending_settlement_account: left } = await shown();
  if (left !== null) await decide(robin, 'take_back', left.id);
});

after(async () => {
  await admin.app.close();
  await h.close();
});

const WHY = { reason: 'Ms Elm by phone, ticket 4711' };
let digits = 55_000_000;
const another = () => ({
  name: 'Fernhill Gym Ltd',
  sort_code: '20-00-00',
  account_number: String(++digits),
});
const shown = () => robin.must('GET', path);
const ask = async (who: AdminCaller, settlement_account = another()) =>
  (await who.must('POST', `${path}/settlement_account`, { settlement_account, ...WHY }))
    .pending_settlement_account;
const decide = (who: AdminCaller, verb: 'agree' | 'take_back', change_id: string) =>
  who.call('POST', `${path}/settlement_account/${verb}`, { change_id, ...WHY });
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));
const notices = (kind: string) =>
  h.db.read((tx) =>
    tx.rows('SELECT FROM notices WHERE merchant_id = $1 AND kind = $2', [h.merchantId, kind]),
  );

test('the account that a merchant begins with is checked when an operator asks for it', async () => {
  assert.equal((await shown()).payee_check, null);
  const { payee_check } = await robin.must('POST', `${path}/settlement_account/check`, {});
  assert.equal(payee_check.result, 'match');
  assert.deepEqual((await shown()).payee_check, payee_check);
  const unknown = '/merchants/mer_0000000000000000000000/settlement_account/check';
  assert.equal((await robin.call('POST', unknown, {})).status, 404);
  const auditor = await admin.as('Alex Elm', ['auditor']);
  assert.equal((await auditor.call('POST', `${path}/settlement_account/check`, {})).status, 403);
});

test('two operators and a day change the account; the owners are told when it is asked for and when it is in force', async () => {
  const asked = await ask(robin);
  assert.deepEqual(
    [asked.asked_by, asked.by, asked.reason, asked.account_number, asked.waits_for_second],
    ['operator', 'Robin Fern', WHY.reason, String(digits), true],
  );
  const readers = 2; // the owner, and the merchant itself
  assert.equal((await notices('settlement_account_change_requested')).length, readers);
  const { body } = await decide(kim, 'agree', asked.id);
  const agreed = body.pending_settlement_account;
  assert.deepEqual([agreed.agreed_by, agreed.waits_for_second], ['Kim Ash', false]);
  await runFor({ hours: 23 });
  assert.notEqual((await shown()).pending_settlement_account, null);
  await runFor({ hours: 1 });
  const after = await shown();
  assert.deepEqual(
    [after.pending_settlement_account, after.settlement_account.account_number],
    [null, `••••${String(digits).slice(-4)}`],
  );
  assert.equal((await notices('settlement_account_changed')).length, readers);
  const trail = await h.db.read((tx) =>
    tx.rows<{ actor: string; toState: string }>(
      `SELECT actor, to_state FROM state_changes WHERE to_state LIKE 'settlement_account%' ORDER BY change_id`,
    ),
  );
  assert.deepEqual(trail, [
    { actor: 'operator:Robin Fern', toState: 'settlement_account_change_requested' },
    { actor: 'operator:Kim Ash', toState: 'settlement_account_change_agreed' },
    { actor: 'service', toState: 'settlement_account_changed' },
  ]);
});

test('what the bank says of the name is shown to the second operator, and stops neither', async () => {
  const said: PayeeAnswer = {
    result: 'close_match',
    reason: 'personal_account',
    bankName: 'Fern Hill',
    evidence: 'C1',
  };
  h.issuer.payeeAnswer = said;
  const asked = await ask(robin);
  assert.deepEqual(asked.payee_check, {
    result: 'close_match',
    bank_name: 'Fern Hill',
    reason: 'personal_account',
    checked_at: asked.requested_at,
  });
  const seen = await kim.must('GET', path);
  assert.deepEqual(seen.pending_settlement_account, asked);
  assert.equal(seen.payee_check.result, 'match', 'that of the present account');
  h.issuer.down = true;
  const unchecked = await ask(kim);
  h.issuer.down = false;
  h.issuer.payeeAnswer = { ...said, result: 'match', reason: null, bankName: null };
  assert.equal(unchecked.payee_check.result, 'unavailable');
  assert.equal((await decide(robin, 'agree', unchecked.id)).status, 200);
  await runFor({ seconds: 1 });
});

test('what no second operator has agreed with lapses after a day', async () => {
  const before = await shown();
  await ask(robin);
  await runFor({ hours: 24 });
  assert.deepEqual(await shown(), before);
  const [last] = await h.db.read((tx) =>
    tx.rows<{ endedBy: string }>(
      `SELECT ended_by FROM settlement_account_changes ORDER BY change_id DESC LIMIT 1`,
    ),
  );
  assert.equal(last?.endedBy, 'service');
});

test('nobody agrees with themselves, nor with a change that was replaced or that an owner asked for', async () => {
  const first = await ask(robin);
  const alone = await decide(robin, 'agree', first.id);
  assert.deepEqual([alone.status, alone.body.error.code], [409, 'operation_refused']);
  const second = await ask(kim);
  assert.equal((await decide(kim, 'agree', first.id)).status, 404, 'Kim’s own replaced it');
  assert.equal((await decide(robin, 'agree', second.id)).status, 200);
  const account = { name: 'Mine', sortCode: '200000', accountNumber: '55000000' };
  const asOwner = { now: h.clock.at, merchantId: h.merchantId, actorId: owner };
  const own = await h.db.forMerchant(h.merchantId, (tx) =>
    requestAccountChange(h.platform, { tx, ...asOwner }, account, null),
  );
  const { pending_settlement_account: theirs } = await shown();
  assert.deepEqual(
    [theirs.asked_by, theirs.by, theirs.account_number, theirs.waits_for_second],
    ['owner', owner, '••••0000', false],
  );
  const meddling = await decide(robin, 'agree', own.changeId);
  assert.equal(meddling.body.error.code, 'operation_refused');
  assert.equal((await decide(robin, 'take_back', own.changeId)).status, 200);
});

test('an owner can cancel what operators ask for', async () => {
  const asked = await ask(robin);
  await decide(kim, 'agree', asked.id);
  const asOwner = { now: h.clock.at, merchantId: h.merchantId, actorId: owner };
  await h.db.transaction((tx) => cancelAccountChange(h.platform, { tx, ...asOwner }, asked.id), {
    actor: actorOf(owner),
  });
  assert.equal((await shown()).pending_settlement_account, null);
  assert.equal((await decide(kim, 'agree', asked.id)).status, 404);
});

test('the same account asked for again is refused by name, and the same Idempotency-Key asks once', async () => {
  const account = another();
  const body = { settlement_account: account, ...WHY };
  const headers = { 'idempotency-key': 'ask-once' };
  const first = await robin.call('POST', `${path}/settlement_account`, body, headers);
  const again = await robin.call('POST', `${path}/settlement_account`, body, headers);
  assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true']);
  const other = await kim.call('POST', `${path}/settlement_account`, body);
  assert.equal(other.status, 409);
  assert.match(other.body.error.message, /^Robin Fern asked for this account already/);
});

test('two operators who ask at the same moment leave one change, and two who agree are one second', async () => {
  await Promise.all([ask(robin), ask(kim)]);
  const { pending_settlement_account: left } = await shown();
  const others = await Promise.all(['Jo Elm', 'Lee Oak'].map((name) => admin.as(name)));
  const answers = await Promise.all(others.map((one) => decide(one, 'agree', left.id)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const seconds = new Set(answers.map(({ body }) => body.pending_settlement_account.agreed_by));
  assert.equal(seconds.size, 1);
});

test('the word of an operator who is removed counts no more', async () => {
  const dana = await admin.as('Dana Oak');
  const asked = await ask(robin);
  await decide(dana, 'agree', asked.id);
  await robin.must('DELETE', `/operators/${dana.operatorId}`);
  assert.equal((await shown()).pending_settlement_account, null);
  assert.equal((await decide(dana, 'agree', asked.id)).status, 401);
});

/** Makes an operator whom these two let in: each is a puppet of either. */
async function letIn(by: readonly AdminCaller[]): Promise<AdminCaller> {
  const puppet = await admin.as(`Puppet ${++puppets}`);
  await h.db.transaction(async (tx) => {
    for (const { operatorId: byId } of by)
      await recordLetIn(tx, {
        personId: puppet.operatorId,
        byId,
        how: 'made',
        merchantId: null,
        at: h.clock.at,
      });
  });
  return puppet;
}
let puppets = 100;

test('one operator cannot be two, in either order and however long after: a newcomer neither asks nor agrees', async () => {
  const puppet = await letIn([robin]);
  const early = await puppet.call('POST', `${path}/settlement_account`, {
    settlement_account: another(),
    ...WHY,
  });
  assert.deepEqual([early.status, early.body.error.code], [403, 'forbidden']);
  assert.match(early.body.error.message, /less than 72 hours ago/);
  const asked = await ask(robin);
  const agreed = await decide(puppet, 'agree', asked.id);
  assert.deepEqual([agreed.status, agreed.body.error.code], [409, 'operation_refused']);
  await runFor({ hours: 73 });
  const byPuppet = await ask(puppet);
  const maker = await decide(robin, 'agree', byPuppet.id);
  assert.equal(maker.status, 409, 'the maker agrees');
  assert.match(maker.body.error.message, /let the other in/);
  const byMaker = await ask(robin);
  assert.equal((await decide(puppet, 'agree', byMaker.id)).status, 409, 'the puppet agrees');
  assert.equal((await decide(kim, 'agree', byMaker.id)).status, 200, 'a third one does');
});

test('what was asked for while the second was a newcomer is agreed by nobody who was one then', async () => {
  const puppet = await letIn([robin]);
  await runFor({ hours: 71 });
  const asked = await ask(kim);
  await runFor({ hours: 2 });
  assert.equal((await decide(puppet, 'agree', asked.id)).status, 409);
});

test('the puppet of a puppet is one too', async () => {
  const first = await letIn([robin]);
  const second = await letIn([first]);
  await runFor({ hours: 73 });
  assert.equal((await decide(second, 'agree', (await ask(robin)).id)).status, 409);
  assert.equal((await decide(robin, 'agree', (await ask(second)).id)).status, 409);
});

test('a name that was typed asks and never agrees, and is not the operator of that name', async () => {
  const typed = { id: 'shell:kim ash', by: 'kim ash', reason: WHY.reason };
  const asked = { now: h.clock.at, merchantId: h.merchantId };
  const change = await h.db.transaction((tx) =>
    requestAsOperator(
      h.platform,
      { tx, ...asked },
      { name: 'Fernhill', sortCode: '200000', accountNumber: String(++digits) },
      typed,
      null,
    ),
  );
  const same = await decide(kim, 'agree', change.changeId);
  assert.match(same.body.error.message, /another person/, 'the same name, behind two ids');
  assert.equal((await decide(robin, 'agree', change.changeId)).status, 200);
  const next = await ask(robin);
  const word = { id: 'shell:Dana Oak', by: 'Dana Oak', reason: WHY.reason };
  await assert.rejects(
    h.db.transaction((tx) => agreeAsOperator(h.platform, { tx, ...asked }, next.id, word)),
    { code: 'operation_refused' },
  );
});

test('the word of an operator who loses the role counts no more', async () => {
  const dana = await admin.as('Dana Ash');
  const asked = await ask(robin);
  await decide(dana, 'agree', asked.id);
  await robin.must('PUT', `/operators/${dana.operatorId}/roles`, { roles: ['support'], ...WHY });
  assert.equal((await shown()).pending_settlement_account, null);
  assert.equal((await decide(dana, 'agree', asked.id)).status, 403);
});

test('wrong fields are named, and a merchant that is not there is not found', async () => {
  const named = async (body: object) =>
    Object.keys(
      (await robin.call('POST', `${path}/settlement_account`, body)).body.error.details,
    ).sort();
  const wrong = { name: ' ', sort_code: '1', account_number: 'x' };
  assert.deepEqual(await named({ settlement_account: wrong }), [
    'reason',
    'settlement_account.account_number',
    'settlement_account.name',
    'settlement_account.sort_code',
  ]);
  const body = { settlement_account: another(), ...WHY };
  const elsewhere = await robin.call('POST', '/merchants/mer_x/settlement_account', body);
  assert.equal(elsewhere.status, 404);
  assert.equal((await decide(kim, 'agree', 'sac_x')).status, 404);
});
