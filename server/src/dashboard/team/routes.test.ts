import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testServer } from '../../../test-support/slices/platform.ts';
import { makeUser, openPlace, type Place, Visitor } from '../../../test-support/slices/visitor.ts';
import { trust } from '../../../test-support/team-member.ts';
import type { Role } from '../../merchants/role.ts';
import { addMember, membershipsOf } from '../../merchants/team/service.ts';
import { teamRoutes } from './routes.ts';
import type { NewInvitationView, TeamView } from './view.ts';

let place: Place;
let app: FastifyInstance;

before(async () => {
  place = await openPlace();
  app = await testServer(place.platform, {
    routes: teamRoutes({
      platform: place.platform,
      authenticator: { distrust: () => undefined },
    }),
    authenticate: async (token) => {
      const [merchantId = '', actorId = ''] = token.split('.');
      return { merchantId, actorId };
    },
  });
});
after(async () => {
  await app.close();
  await place.close();
});

interface Person {
  userId: string;
  email: string;
  merchantId: string;
}

/** Returns the response to a member's call on behalf of a merchant. */
async function call<T = Record<string, unknown>>(
  who: Person,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<{ status: number; body: T }> {
  const response = await app.inject({
    method,
    url: `/api/team${path}`,
    headers: { authorization: `Bearer ${who.merchantId}.${who.userId}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: response.statusCode, body: response.json() as T };
}

const codeOf = (answer: { body: Record<string, unknown> }) => Object(answer.body.error).code;

const team = async (who: Person) => (await call<TeamView>(who, 'GET', '')).body;

const mate = (who: Person, role: Role) => makeUser(place, role, who.merchantId);

const rolesOf = async (userId: string) =>
  (await place.platform.db.read((tx) => membershipsOf(tx, userId))).map(({ role }) => role);

test('the team is listed with roles and who has a second factor', async () => {
  const owner = await makeUser(place);
  const finance = await mate(owner, 'finance');
  const { members, invitations } = await team(owner);
  assert.deepEqual(
    members.map((m) => [m.user_id, m.email, m.role, m.two_factor, m.last_seen_at]),
    [
      [owner.userId, owner.email, 'owner', false, null],
      [finance.userId, finance.email, 'finance', false, null],
    ],
  );
  assert.deepEqual(invitations, []);
});

test('an invitation is made with a link that is shown once, listed without it, and withdrawn', async () => {
  const owner = await makeUser(place);
  const invited = { email: ' Guest@Fernhill.example', role: 'developer' };
  const made = await call<NewInvitationView>(owner, 'POST', '/invitations', invited);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { url, ...shown } = made.body;
  assert.match(url, /^http:\/\/localhost:4000\/dashboard\/join\?token=[\w-]{65}$/);
  assert.deepEqual([shown.email, shown.role], ['guest@fernhill.example', 'developer']);
  assert.match(shown.invited_by, /^Person /);
  assert.deepEqual((await team(owner)).invitations, [shown]);
  const withdraw = () => call(owner, 'DELETE', `/invitations/${shown.id}`);
  assert.deepEqual(await withdraw(), { status: 200, body: { id: shown.id, deleted: true } });
  assert.equal(codeOf(await withdraw()), 'not_found');
  assert.deepEqual((await team(owner)).invitations, []);
});

test('nobody is invited who is a member, or whose address could never sign in', async () => {
  const owner = await makeUser(place);
  for (const email of [owner.email.toUpperCase(), 'no address', 'a@b', 'ü@fernhill.example']) {
    const answer = await call(owner, 'POST', '/invitations', { email, role: 'owner' });
    assert.deepEqual(Object.keys(Object(answer.body.error).details), ['email'], email);
  }
  const unknown = await call(owner, 'POST', '/invitations', { email: 'a@b.example', role: 'cook' });
  assert.deepEqual(Object.keys(Object(unknown.body.error).details), ['role']);
  const both = await call(owner, 'POST', '/invitations', { email: 'a@b', role: 'cook' });
  assert.deepEqual(Object.keys(Object(both.body.error).details).sort(), ['email', 'role']);
});

test('the only owner is neither removed nor demoted; with a second one either may go', async () => {
  const owner = await makeUser(place);
  const second = await mate(owner, 'developer');
  const demote = (userId: string) =>
    call(owner, 'PUT', `/members/${userId}`, { role: 'read_only' });
  assert.equal(codeOf(await demote(owner.userId)), 'last_owner');
  const removal = await call(owner, 'DELETE', `/members/${owner.userId}`);
  assert.deepEqual([removal.status, codeOf(removal)], [409, 'last_owner']);
  const promoted = await call(owner, 'PUT', `/members/${second.userId}`, { role: 'owner' });
  assert.equal(promoted.body.role, 'owner');
  assert.equal((await demote(owner.userId)).status, 200);
  assert.deepEqual(await rolesOf(owner.userId), ['read_only']);
  assert.equal(codeOf(await demote(second.userId)), 'last_owner');
});

test('two owners who remove each other at once leave one', async () => {
  for (let i = 0; i < 5; i++) {
    const one = await makeUser(place);
    const other = await mate(one, 'owner');
    const answers = await Promise.all([
      call(one, 'DELETE', `/members/${other.userId}`),
      call(other, 'DELETE', `/members/${one.userId}`),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  }
});

test('who is taken off the team is out at once, though their session goes on', async () => {
  const owner = await makeUser(place);
  const member = await mate(owner, 'finance');
  const visitor = new Visitor(place);
  await visitor.signIn(member.email);
  assert.deepEqual(await rolesOf(member.userId), ['finance']);
  assert.equal((await call(owner, 'DELETE', `/members/${member.userId}`)).status, 200);
  assert.deepEqual(await rolesOf(member.userId), []);
  assert.equal(codeOf(await call(owner, 'DELETE', `/members/${member.userId}`)), 'not_found');
});

test('a reset link sets a member’s password, but not that of who works for another merchant too', async () => {
  const owner = await makeUser(place);
  const member = await mate(owner, 'developer');
  const path = `/members/${member.userId}/reset_link`;
  const { status, body } = await call(owner, 'POST', path, {});
  assert.equal(status, 200, JSON.stringify(body));
  const token = new URL(String(body.url)).searchParams.get('token') ?? '';
  const visitor = new Visitor(place);
  const sent = { token, password: 'a quite different one' };
  assert.equal((await visitor.send('POST', '/password', sent)).status, 200);
  assert.equal(await visitor.is(), member.userId);

  const elsewhere = await makeUser(place);
  const { platform } = place;
  const actor = { merchantId: elsewhere.merchantId, actorId: 'test' };
  await platform.db.transaction((tx) =>
    addMember(platform, { tx, now: platform.clock.now(), ...actor }, member.userId, 'owner'),
  );
  const refused = await call(owner, 'POST', path, {});
  assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden']);
});

test('a link for a new password ends with the power of who made it', async () => {
  const { platform } = place;
  const makeLink = async (by: Person, of: Person): Promise<string> => {
    const { body } = await call(by, 'POST', `/members/${of.userId}/reset_link`, {});
    return new URL(String(body.url)).searchParams.get('token') ?? '';
  };
  const use = async (token: string): Promise<number> => {
    const sent = { token, password: 'a quite different one' };
    return (await new Visitor(place).send('POST', '/password', sent)).status;
  };
  const boss = await makeUser(place);
  const other = await mate(boss, 'owner');
  const member = await mate(boss, 'developer');
  const path = `/members/${other.userId}`;

  const first = await makeLink(other, boss);
  await call(other, 'PUT', path, { role: 'developer' });
  assert.equal(await use(first), 404, 'who made it is no owner any more');

  await call(boss, 'PUT', path, { role: 'owner' });
  await trust(platform.db, other.userId);
  const second = await makeLink(other, boss);
  await call(other, 'DELETE', path);
  assert.equal(await use(second), 404, 'who made it is off the team');

  const third = await makeLink(boss, member);
  const { merchantId } = await makeUser(place);
  await platform.db.transaction((tx) =>
    addMember(
      platform,
      { tx, now: platform.clock.now(), merchantId, actorId: 'test' },
      member.userId,
      'owner',
    ),
  );
  assert.equal(await use(third), 404, 'its member works for another merchant too');
});

test('another merchant’s team cannot be seen or touched', async () => {
  const owner = await makeUser(place);
  const other = await makeUser(place);
  const open = await call<NewInvitationView>(other, 'POST', '/invitations', {
    email: 'guest@fernhill.example',
    role: 'owner',
  });
  const seen = JSON.stringify(await team(owner));
  for (const theirs of [other.userId, other.email, open.body.id]) assert.ok(!seen.includes(theirs));
  const member = `/members/${other.userId}`;
  for (const answer of [
    await call(owner, 'PUT', member, { role: 'read_only' }),
    await call(owner, 'DELETE', member),
    await call(owner, 'POST', `${member}/reset_link`, {}),
    await call(owner, 'DELETE', `/invitations/${open.body.id}`),
  ])
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found']);
  assert.deepEqual(await rolesOf(other.userId), ['owner']);
});

test('every change of the team stands in the audit trail with who made it', async () => {
  const owner = await makeUser(place);
  const member = await mate(owner, 'finance');
  await call(owner, 'POST', '/invitations', { email: 'guest@fernhill.example', role: 'owner' });
  await call(owner, 'POST', '/invitations', { email: 'guest@fernhill.example', role: 'finance' });
  await call(owner, 'PUT', `/members/${member.userId}`, { role: 'developer' });
  await call(owner, 'PUT', `/members/${member.userId}`, { role: 'developer' });
  await call(owner, 'POST', `/members/${member.userId}/reset_link`, {});
  await call(owner, 'DELETE', `/members/${member.userId}`);
  const changes = await place.platform.db.read((tx) =>
    tx.rows<{ fromState: string; toState: string }>(
      'SELECT from_state, to_state FROM state_changes WHERE merchant_id = $1 AND reason = $2 ORDER BY change_id',
      [owner.merchantId, `by ${owner.userId}`],
    ),
  );
  assert.deepEqual(
    changes.map((c) => `${c.fromState} → ${c.toState}`),
    [
      'null → invited',
      'invited → withdrawn',
      'null → invited',
      'finance → developer',
      'null → reset_link_made',
      'developer → removed',
    ],
  );
});
