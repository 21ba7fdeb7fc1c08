import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  memberWith,
  PASSWORD,
  setUpFactor,
  type TeamMember,
  teamMember,
} from '../../server/test-support/team-member.ts';

const NEXT = { name: 'Mule', sort_code: '20-00-00', account_number: '55779911' };

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => service.close());

const ask = ({ visitor, proof }: TeamMember) =>
  visitor.call('POST', '/api/settlement_account/changes', { ...NEXT, ...proof() });
const confirm = ({ visitor, proof }: TeamMember, id: string) =>
  visitor.call('POST', `/api/settlement_account/changes/${id}/confirm`, proof());
const pendingId = (body: Record<string, unknown>) => Object(body.pending).id as string;
const takeBack = ({ visitor }: TeamMember, id: string) =>
  visitor.call('DELETE', `/api/settlement_account/changes/${id}`);

/** Joins by an owner's invitation, with a password and an authenticator of their own. */
async function invite(owner: TeamMember, email: string, role = 'owner'): Promise<TeamMember> {
  await owner.prove();
  const invited = await owner.visitor.call('POST', '/api/team/invitations', { email, role });
  assert.equal(invited.status, 200, JSON.stringify(invited.body));
  const visitor = new DashboardVisitor(service.baseUrl);
  const joined = await visitor.join(String(invited.body.url), { name: 'P', password: PASSWORD });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const userId = String(Object((await visitor.call('GET', '/api/me')).body.user).id);
  return memberWith(visitor, { email, userId }, await setUpFactor(visitor));
}

/** Every way in which one owner makes a puppet of another account. */
const PUPPETS: Readonly<Record<string, (owner: TeamMember) => Promise<TeamMember>>> = {
  'somebody whom they invited': (owner) => invite(owner, 'shadow@fernhill.example'),
  'a second address of their own': (owner) =>
    invite(owner, owner.email.replace('@', '+second@')),
  'a member whom they promoted': async (owner) => {
    const member = await teamMember(service, { role: 'finance' });
    await owner.prove();
    const path = `/api/team/members/${member.userId}`;
    assert.equal((await owner.visitor.call('PUT', path, { role: 'owner' })).status, 200);
    return member;
  },
  'a member whom they invited and promoted': async (owner) => {
    const member = await invite(owner, 'climber@fernhill.example', 'read_only');
    const path = `/api/team/members/${member.userId}`;
    assert.equal((await owner.visitor.call('PUT', path, { role: 'owner' })).status, 200);
    return member;
  },
  'an owner for whom they made a password link': async (owner) => {
    const other = await teamMember(service, { hasFactor: false });
    await owner.prove();
    const path = `/api/team/members/${other.userId}/reset_link`;
    const link = await owner.visitor.call('POST', path, {});
    assert.equal(link.status, 200, JSON.stringify(link.body));
    const visitor = new DashboardVisitor(service.baseUrl);
    assert.equal((await visitor.setPassword(String(link.body.url), PASSWORD)).status, 200);
    return memberWith(visitor, other, await setUpFactor(visitor));
  },
};

for (const [who, make] of Object.entries(PUPPETS))
  test(`one owner is not two with ${who}: not at once, not after 72 hours, in neither order`, async () => {
    const owner = await teamMember(service);
    const puppet = await make(owner);
    const early = refusalOf(await ask(puppet));
    assert.deepEqual([early.status, early.code], [403, 'forbidden']);
    assert.match(early.message, /72 hours/);

    const waiting = pendingId((await ask(owner)).body);
    assert.equal((await confirm(puppet, waiting)).status, 403);
    await takeBack(owner, waiting);

    await service.advance('PT73H');
    const [older, newer] = [await ask(owner), () => ask(puppet)];
    assert.equal((await confirm(puppet, pendingId(older.body))).status, 403);
    const asked = await newer();
    assert.equal(asked.status, 200, 'after 72 hours they ask like any owner');
    const refused = refusalOf(await confirm(owner, pendingId(asked.body)));
    assert.deepEqual([refused.status, refused.code], [403, 'forbidden']);
    await takeBack(owner, pendingId(asked.body));
  });

test('a puppet of a puppet is none either', async () => {
  const owner = await teamMember(service);
  const puppet = await invite(owner, 'first-puppet@fernhill.example');
  await service.advance('PT73H');
  const second = await invite(puppet, 'second-puppet@fernhill.example');
  await service.advance('PT73H');
  const id = pendingId((await ask(second)).body);
  assert.equal((await confirm(owner, id)).status, 403);
  const stranger = await teamMember(service);
  assert.equal((await confirm(stranger, id)).status, 200, 'somebody of their own confirms it');
});

test('what an owner asked for ends when somebody else gives them a new password', async () => {
  const [owner, other] = [await teamMember(service), await teamMember(service, { hasFactor: true })];
  const id = pendingId((await ask(other)).body);
  await owner.prove();
  const path = `/api/team/members/${other.userId}/reset_link`;
  const link = await owner.visitor.call('POST', path, {});
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.setPassword(String(link.body.url), PASSWORD)).status, 200);
  const now = await owner.visitor.call('GET', '/api/settlement_account');
  assert.equal(now.body.pending, null);
  assert.equal((await confirm(owner, id)).status, 404);
});

test('a newcomer lets nobody in, gives nobody a role or a link, and removes nobody', async () => {
  const owner = await teamMember(service);
  const fresh = await teamMember(service, { isNewcomer: true });
  await fresh.prove();
  const { userId } = await teamMember(service, { role: 'finance' });
  const calls = [
    ['POST', '/api/team/invitations', { email: 'friend@fernhill.example', role: 'read_only' }],
    ['PUT', `/api/team/members/${userId}`, { role: 'owner' }],
    ['PUT', `/api/team/members/${userId}`, { role: 'read_only' }],
    ['PUT', `/api/team/members/${owner.userId}`, { role: 'read_only' }],
    ['DELETE', `/api/team/members/${owner.userId}`, undefined],
    ['DELETE', `/api/team/members/${userId}`, undefined],
    ['POST', `/api/team/members/${userId}/reset_link`, {}],
    ['DELETE', `/api/team/members/${userId}/sso`, undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    const refused = refusalOf(await fresh.visitor.call(method, path, body));
    assert.deepEqual([refused.status, refused.code], [403, 'forbidden'], `${method} ${path}`);
    assert.match(refused.message, /72 hours/, `${method} ${path}`);
  }
});
