import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Role } from '../../server/src/merchants/role.ts';
import { appCode, appKey } from '../../server/test-support/authenticator-app.ts';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { setAccount } from '../../server/test-support/settlement-account.ts';
import { PASSWORD, type TeamMember, teamMember } from '../../server/test-support/team-member.ts';

const NEXT = { name: 'Fernhill Gym Ltd', sort_code: '20-00-00', account_number: '55779911' };
const KIND = 'merchant.settlement_account_changed';

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  await service.api('PUT', `/api/v1/webhook_endpoints/${service.endpointId}`, {
    event_kinds: [KIND],
  });
});
after(() => service.close());

const person = (role: Role = 'owner') => teamMember(service, { role });

const ask = ({ visitor, proof }: TeamMember, body: object = {}) =>
  visitor.call('POST', '/api/settlement_account/changes', { ...NEXT, ...proof(), ...body });

const confirm = ({ visitor, proof }: TeamMember, id: unknown, body: object = {}) =>
  visitor.call('POST', `/api/settlement_account/changes/${id}/confirm`, { ...proof(), ...body });

const merchant = async () => (await service.api('GET', '/api/v1/merchant')).body;
const digits = async () => Object((await merchant()).settlement_account).account_number as string;
const pendingId = (body: Record<string, unknown>) => Object(body.pending).id as string;

/** Sets the account as the operator does: the start of each test. */
async function begin(): Promise<void> {
  const { platform } = service.running;
  const own = { name: 'Fernhill Gym Ltd', sortCode: '089999', accountNumber: '66374958' };
  if ((await digits()) === own.accountNumber) return;
  await setAccount(platform, service.merchantId, own);
}

async function trail(): Promise<{ toState: string; reason: string; actor: string }[]> {
  return service.db.read((tx) =>
    tx.rows(
      `SELECT to_state, reason, actor FROM state_changes WHERE object_id = $1 AND to_state LIKE 'settlement_account%'
       ORDER BY change_id`,
      [service.merchantId],
    ),
  );
}

test('no API key changes the settlement account, whatever its scopes', async () => {
  const before = await merchant();
  const answer = await service.api('PUT', '/api/v1/merchant', {
    address: '9 Elsewhere',
    settlement_account: NEXT,
  });
  assert.deepEqual([answer.status, Object(answer.body.error).code], [403, 'forbidden']);
  assert.match(Object(answer.body.error).message, /settlement account/);
  assert.deepEqual(await merchant(), before, 'nothing of the request took effect');
});

test('a session alone changes nothing: the password is asked for, and only an owner may', async () => {
  const owner = await person();
  const direct = await owner.visitor.call('PUT', '/api/v1/merchant', { settlement_account: NEXT });
  assert.deepEqual([direct.status, refusalOf(direct).code], [403, 'forbidden']);
  assert.deepEqual(refusalOf(await ask(owner, { password: 'a guess of mine' })).details, {
    password: 'is not your password',
  });
  for (const role of ['developer', 'finance', 'read_only'] as const) {
    const member = await person(role);
    assert.equal((await ask(member)).status, 403, role);
  }
  const wrong = refusalOf(await ask(owner, { sort_code: '1' }));
  assert.deepEqual([wrong.status, Object.keys(wrong.details)], [400, ['sort_code']]);
  assert.equal((await merchant()).pending_settlement_account, null);
});

test('a change is shown masked to everybody, and comes into force after 24 hours with an event', async () => {
  await begin();
  const owner = await person();
  const { userId } = owner;
  const asked = await ask(owner);
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const pending = Object((await merchant()).pending_settlement_account);
  assert.deepEqual([pending.sort_code, pending.account_number], ['••••00', '••••9911']);
  const hours = Temporal.Instant.from(pending.takes_effect_at)
    .since(Temporal.Instant.from(pending.requested_at))
    .total('hours');
  assert.equal(hours, 24);
  const other = await (await person()).visitor.call('GET', '/api/settlement_account');
  assert.equal(Object(Object(other.body.pending).requested_by).type, 'member');
  const { full_account, ...masked } = Object(other.body.pending);
  assert.deepEqual(full_account, { ...NEXT, sort_code: '200000' }, 'owners compare every digit');
  assert.doesNotMatch(JSON.stringify({ masked, changes: other.body.changes }), /55779911/);
  for (const role of ['developer', 'finance', 'read_only'] as const) {
    const seen = await (await person(role)).visitor.call('GET', '/api/settlement_account');
    assert.equal(Object(seen.body.pending).full_account, null, role);
    assert.doesNotMatch(JSON.stringify(seen.body), /55779911/, role);
  }
  assert.doesNotMatch(JSON.stringify(await merchant()), /55779911/, 'API keys see it masked');

  await service.advance('PT23H59M');
  assert.equal(await digits(), '66374958');
  await service.advance('PT2M');
  assert.equal(await digits(), '55779911');
  assert.equal((await merchant()).pending_settlement_account, null);
  const events = await service.api('GET', `/api/v1/events?limit=100`);
  const told = (events.body.data as { kind?: string; event?: string }[]).filter((event) =>
    JSON.stringify(event).includes(KIND),
  );
  assert.equal(told.length, 1);
  const sent = service.receiver.of(KIND);
  assert.equal(sent.length, 1);
  assert.match(sent[0]?.raw ?? '', /••••4958.*••••9911/);
  assert.doesNotMatch(sent[0]?.raw ?? '', /66374958|55779911/);

  const rows = (await trail()).slice(-2);
  assert.deepEqual(
    rows.map(({ toState, actor }) => [toState, actor]),
    [
      ['settlement_account_change_requested', `member:${userId}`],
      ['settlement_account_changed', 'service'],
    ],
  );
  for (const { reason } of rows) {
    assert.match(reason, /from .*••••4958 to .*••••9911/);
    assert.doesNotMatch(reason, /66374958|55779911/);
  }
});

test('any owner takes a change back while it waits, and it never comes into force', async () => {
  await begin();
  const asked = await ask(await person());
  const other = await person();
  const id = pendingId(asked.body);
  const path = `/api/settlement_account/changes/${id}`;
  assert.equal((await (await person('finance')).visitor.call('DELETE', path)).status, 403);
  assert.equal((await other.visitor.call('DELETE', path)).status, 200);
  assert.equal((await other.visitor.call('DELETE', path)).status, 404);
  await service.advance('P2D');
  assert.equal(await digits(), '66374958');
  assert.equal((await trail()).at(-1)?.toState, 'settlement_account_change_taken_back');
});

test('a second owner puts it into force at once; the first does not', async () => {
  await begin();
  const [first, second] = [await person(), await person()];
  const id = pendingId((await ask(first)).body);
  const own = refusalOf(await confirm(first, id));
  assert.deepEqual([own.status, own.code], [403, 'forbidden']);
  const wrong = await confirm(second, id, { password: 'a guess of mine' });
  assert.equal(wrong.status, 400);
  assert.equal(await digits(), '66374958');
  assert.equal((await confirm(second, id)).status, 200);
  assert.equal(await digits(), '55779911');
  assert.equal((await confirm(second, id)).status, 404);
});

test('whoever has no second factor neither asks for a change nor confirms one', async () => {
  await begin();
  const bare = await teamMember(service, { hasFactor: false });
  const refused = refusalOf(await ask(bare));
  assert.deepEqual([refused.status, refused.code], [403, 'second_factor_required']);
  const id = pendingId((await ask(await person())).body);
  const second = refusalOf(await confirm(bare, id));
  assert.deepEqual([second.status, second.code], [403, 'second_factor_required']);
  const shown = await bare.visitor.call('GET', '/api/settlement_account');
  assert.match(Object(shown.body.pending).why_not_confirm, /second factor/);
  await bare.visitor.call('DELETE', `/api/settlement_account/changes/${id}`);
});

test('its code is asked for, each counts once, and a password alone does not turn the factor off', async () => {
  await begin();
  const owner = await teamMember(service, { hasFactor: false });
  const { visitor } = owner;
  const enabled = await visitor.call('POST', '/auth/two-factor/enable', { password: PASSWORD });
  const key = appKey(new URL(String(enabled.body.totpURI)).searchParams.get('secret') ?? '');
  const on = await visitor.call('POST', '/auth/two-factor/verify-totp', { code: appCode(key) });
  assert.equal(on.status, 200, JSON.stringify(on.body));

  assert.ok('code' in refusalOf(await ask(owner)).details);
  assert.ok('code' in refusalOf(await ask(owner, { code: '000000' })).details);
  for (const path of ['/auth/two-factor/disable', '/auth/two-factor/generate-backup-codes']) {
    const around = refusalOf(await visitor.call('POST', path, { password: PASSWORD }));
    assert.deepEqual([around.status, Object.keys(around.details)], [400, ['code']], path);
  }
  const code = appCode(key, 1);
  const asked = await ask(owner, { code });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  assert.ok('code' in refusalOf(await ask(owner, { code, account_number: '11112222' })).details);
  const backup = (enabled.body.backupCodes as string[])[0];
  const again = await ask(owner, { code: backup, account_number: '33334444' });
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.equal((await ask(owner, { code: backup })).status, 400);
  await visitor.call('DELETE', `/api/settlement_account/changes/${pendingId(again.body)}`);
});

test('a change ends with the power of the owner who asked for it', async () => {
  await begin();
  const boss = await person();
  await boss.prove();
  for (const end of ['PUT', 'DELETE'] as const) {
    const gone = await person();
    assert.equal((await ask(gone)).status, 200);
    const path = `/api/team/members/${gone.userId}`;
    const body = end === 'PUT' ? { role: 'finance' } : undefined;
    assert.equal((await boss.visitor.call(end, path, body)).status, 200);
    assert.equal((await merchant()).pending_settlement_account, null);
  }
  await service.advance('P2D');
  assert.equal(await digits(), '66374958');
});

test('an invitation ends with the ownership of whoever made it', async () => {
  const boss = await person();
  await boss.prove();
  for (const end of ['PUT', 'DELETE'] as const) {
    const gone = await person();
    await gone.prove();
    const email = `friend-${end.toLowerCase()}@fernhill.example`;
    const invited = await gone.visitor.call('POST', '/api/team/invitations', {
      email,
      role: 'owner',
    });
    assert.equal(invited.status, 200, JSON.stringify(invited.body));
    const kept = await boss.visitor.call('POST', '/api/team/invitations', {
      email: `kept-${email}`,
      role: 'finance',
    });
    const body = end === 'PUT' ? { role: 'finance' } : undefined;
    const path = `/api/team/members/${gone.userId}`;
    assert.equal((await boss.visitor.call(end, path, body)).status, 200);
    const friend = new DashboardVisitor(service.baseUrl);
    const refused = await friend.join(String(invited.body.url), { name: 'F', password: PASSWORD });
    assert.equal(refused.status, 404, JSON.stringify(refused.body));
    const team = await boss.visitor.call('GET', '/api/team');
    const open = (team.body.invitations as { email: string }[]).map((one) => one.email);
    assert.ok(!open.includes(email));
    assert.ok(open.includes(`kept-${email}`), 'those of other owners stay');
    const welcome = new DashboardVisitor(service.baseUrl);
    const joined = await welcome.join(String(kept.body.url), { name: 'K', password: PASSWORD });
    assert.equal(joined.status, 200, JSON.stringify(joined.body));
  }
});

test('pay-outs wait until 72 hours have passed since one owner alone asked for the account', async () => {
  await begin();
  const { visitor, proof } = await person();
  assert.equal((await ask({ visitor, proof } as TeamMember)).status, 200);
  await service.advance('P1DT1H');
  assert.equal(await digits(), '55779911');
  const held = await merchant();
  assert.notEqual(held.pay_outs_held_since, null);
  const until = Temporal.Instant.from(String(held.pay_outs_held_until));
  const changed = Temporal.Instant.from(String(held.pay_outs_held_since));
  assert.equal(until.since(changed).total('hours'), 48);
  const { body } = await visitor.call('GET', '/api/settlement_account');
  const path = `/api/settlement_account/changes/${Object(body.hold).change_id}/release`;
  const own = await visitor.call('POST', path, proof());
  assert.equal(own.status, 403, 'whoever asked does not release what waits for their account');
  await service.advance('P2D');
  assert.deepEqual(
    [(await merchant()).pay_outs_held_since, (await merchant()).pay_outs_held_until],
    [null, null],
  );
});

test('a second owner who confirms the account releases the pay-outs at once', async () => {
  await begin();
  const [first, second] = [await person(), await person()];
  assert.equal((await ask(first)).status, 200);
  await service.advance('P1DT1H');
  const shown = await second.visitor.call('GET', '/api/settlement_account');
  const hold = Object(shown.body.hold);
  assert.equal(hold.why_not_release, null);
  assert.equal(hold.full_account.account_number, '55779911', 'every digit can be compared');
  const other = '/api/settlement_account/changes/sac_0355JIQ0000000000000aa/release';
  assert.equal((await second.visitor.call('POST', other, second.proof())).status, 404);
  const path = `/api/settlement_account/changes/${hold.change_id}/release`;
  assert.equal((await second.visitor.call('POST', path, { password: PASSWORD })).status, 400);
  const released = await second.visitor.call('POST', path, second.proof());
  assert.equal(released.status, 200, JSON.stringify(released.body));
  assert.equal((await merchant()).pay_outs_held_since, null);
  assert.equal((await second.visitor.call('POST', path, second.proof())).status, 404);
});

test('what two owners agreed on holds nothing', async () => {
  await begin();
  const [first, second] = [await person(), await person()];
  const id = pendingId((await ask(first)).body);
  assert.equal((await confirm(second, id)).status, 200);
  assert.equal((await merchant()).pay_outs_held_since, null);
});

test('a settlement that was opened keeps its destination', async () => {
  await begin();
  const created = await service.api<{ id: string }>('POST', '/api/v1/schedules', {
    customer: { type: 'phone', value: '+447700900555' },
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'weekly', day: 1 },
    description: 'Membership',
  });
  await service.grant(created.body.id);
  await service.advance('P10D');
  const { body } = await service.api('GET', '/api/v1/settlements');
  const [settlement] = body.data as {
    id: string;
    destination_account: { account_number: string };
  }[];
  assert.ok(settlement);
  const { platform } = service.running;
  const account = { name: 'Fernhill Gym Ltd', sortCode: '200000', accountNumber: '77778888' };
  await setAccount(platform, service.merchantId, account);
  const path = `/api/v1/settlements/${settlement.id}`;
  const after = await service.api<typeof settlement>('GET', path);
  assert.equal(after.body.destination_account.account_number, '66374958');
});
