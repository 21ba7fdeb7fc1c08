import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bareMerchant } from '../../../test-support/slices/platform.ts';
import {
  makeUser,
  openPlace,
  PASSWORD,
  type Place,
  Visitor,
} from '../../../test-support/slices/visitor.ts';
import { invite, withdrawInvitation } from '../team/invitations.ts';
import { membershipsOf } from '../team/service.ts';

let place: Place;
before(async () => {
  place = await openPlace();
});
after(() => place.close());

let invited = 0;

/** Creates an invitation to a merchant's team, for a new address by default. */
async function invitation(email = `guest${++invited}@fernhill.example`) {
  const { platform } = place;
  const owner = await makeUser(place);
  const actor = { merchantId: owner.merchantId, actorId: owner.userId };
  const now = platform.clock.now();
  const made = await platform.db.forMerchant(owner.merchantId, (tx) =>
    invite(platform, { tx, now, ...actor }, { email, role: 'finance' }),
  );
  const token = new URL(made.url).searchParams.get('token') ?? '';
  return { token, actor, ...made.invitation };
}

const accept = (visitor: Visitor, body: object) => visitor.send('POST', '/invitation', body);

const teams = (userId: string | null) =>
  place.platform.db.read((tx) => membershipsOf(tx, userId ?? ''));

test('an invitation says who invites to what, and to whom', async () => {
  const { token, email } = await invitation();
  const { status, body } = await new Visitor(place).send('GET', `/invitation?token=${token}`);
  assert.equal(status, 200);
  const { expires_at: end, ...rest } = body;
  assert.deepEqual(rest, {
    email,
    role: 'finance',
    merchant_name: 'Bare',
  });
  const days = Temporal.Instant.from(String(end)).since(Temporal.Now.instant()).total('hours') / 24;
  assert.ok(days > 6.99 && days <= 7, String(days));
});

test('an invitation tells whoever holds it nothing of an account with its address', async () => {
  const known = await invitation((await makeUser(place)).email);
  const unknown = await invitation();
  const seen = async ({ token, email }: { token: string; email: string }) => {
    const visitor = new Visitor(place);
    const shown = await visitor.send('GET', `/invitation?token=${token}`);
    const { email: _, expires_at: __, ...rest } = shown.body;
    const tries = [];
    for (const body of [{}, { password: 'a guess of mine' }, { name: 'Eve', password: 'short' }])
      tries.push(await accept(visitor, { token, ...body }));
    assert.equal(shown.body.email, email);
    return [rest, ...tries.map(({ status, body }) => [status, body])];
  };
  assert.deepEqual(await seen(known), await seen(unknown));
});

test('a new member chooses a name and a password, is signed in and on the team', async () => {
  const { token, email, merchantId } = await invitation();
  const visitor = new Visitor(place);
  const nameless = await accept(visitor, { token, password: PASSWORD });
  assert.equal(nameless.status, 401, 'without a name somebody says that they have an account');
  const weak = await accept(visitor, { token, name: 'Gus', password: 'short' });
  assert.equal(weak.status, 400);
  const joined = await accept(visitor, { token, name: ' Gus ', password: PASSWORD });
  assert.deepEqual([joined.status, joined.body], [200, { email, two_factor: false }]);
  const userId = await visitor.is();
  const [team] = await teams(userId);
  assert.deepEqual([team?.merchantId, team?.role], [merchantId, 'finance']);
  assert.equal((await new Visitor(place).signIn(email)).status, 200);
});

test('an invitation is used once', async () => {
  const { token } = await invitation();
  await accept(new Visitor(place), { token, name: 'Gus', password: PASSWORD });
  const late = new Visitor(place);
  assert.equal((await late.send('GET', `/invitation?token=${token}`)).status, 404);
  const second = await accept(late, { token, name: 'Eve', password: PASSWORD });
  assert.deepEqual([second.status, Object(second.body.error).code], [404, 'not_found']);
  assert.equal(await late.is(), null);
});

test('two who accept one invitation at once become one member', async () => {
  const { token, email, merchantId } = await invitation();
  const visitors = [new Visitor(place), new Visitor(place)];
  const answers = await Promise.all(
    visitors.map((visitor) => accept(visitor, { token, name: 'Gus', password: PASSWORD })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const row = await place.platform.db.read((tx) =>
    tx.row<{ members: number }>(
      `SELECT count(*) AS members FROM members m JOIN users u ON u.id = m.user_id
       WHERE m.merchant_id = $1 AND u.email = $2`,
      [merchantId, email],
    ),
  );
  assert.equal(row?.members, 1);
});

test('an invitation that has expired, was withdrawn or replaced, or is made up, is none', async () => {
  const { platform } = place;
  const expired = await invitation();
  await platform.db.transaction((tx) =>
    tx.run(
      `UPDATE invitations SET expires_at = now() - interval '1 second' WHERE merchant_id = $1`,
      [expired.merchantId],
    ),
  );
  const withdrawn = await invitation();
  await platform.db.forMerchant(withdrawn.merchantId, (tx) =>
    withdrawInvitation(
      { tx, now: platform.clock.now(), ...withdrawn.actor },
      withdrawn.invitationId,
    ),
  );
  const replaced = await invitation();
  await platform.db.forMerchant(replaced.merchantId, (tx) =>
    invite(
      platform,
      { tx, now: platform.clock.now(), ...replaced.actor },
      { ...replaced, role: 'owner' },
    ),
  );
  const stranger = await bareMerchant(platform);
  const moved = `${stranger.slice('mer_'.length)}${(await invitation()).token.slice(22)}`;
  for (const token of [expired.token, withdrawn.token, replaced.token, moved, 'x', '']) {
    const visitor = new Visitor(place);
    assert.equal((await visitor.send('GET', `/invitation?token=${token}`)).status, 404);
    const answer = await accept(visitor, { token, name: 'Gus', password: PASSWORD });
    assert.equal(answer.status, 404, token);
  }
});

test('who has an account joins with its password, and works for both merchants', async () => {
  const { userId, email, merchantId } = await makeUser(place);
  const { token, merchantId: second } = await invitation(email);
  const visitor = new Visitor(place);
  for (const body of [{ token }, { token, name: 'Eve', password: 'a password of my own' }]) {
    const wrong = await accept(visitor, body);
    assert.deepEqual([wrong.status, Object(wrong.body.error).code], [401, 'unauthorized']);
    assert.equal(await visitor.is(), null);
  }
  assert.equal((await accept(visitor, { token, password: PASSWORD })).status, 200);
  assert.equal(await visitor.is(), userId);
  const merchants = (await teams(userId)).map((team) => team.merchantId);
  assert.deepEqual(merchants.sort(), [merchantId, second].sort());
});

test('who is signed in with the invited address joins with their password; a session alone does not', async () => {
  const { userId, email } = await makeUser(place);
  const stranger = await makeUser(place);
  const { token, merchantId } = await invitation(email);
  const other = new Visitor(place);
  await other.signIn(stranger.email);
  assert.equal((await accept(other, { token })).status, 401);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  assert.equal((await accept(visitor, { token })).status, 401, 'it may have been handed to them');
  assert.equal((await accept(visitor, { token, password: PASSWORD })).status, 200);
  assert.equal(await visitor.is(), userId);
  assert.ok((await teams(userId)).some((team) => team.merchantId === merchantId));
  assert.ok(!(await teams(stranger.userId)).some((team) => team.merchantId === merchantId));
});
