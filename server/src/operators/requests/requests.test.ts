import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { createUser } from '../../merchants/team/users.ts';
import { openContent } from '../../notices/notify.ts';
import { listKept } from '../../notices/store.ts';
import type { Work } from '../../platform/platform.ts';
import { onHost } from '../access/acting.ts';
import { openNotice } from '../notices/notice.ts';
import { listNotices } from '../notices/store.ts';
import { adminRoutes } from '../routes.ts';
import type { RequestInput } from './request.ts';
import { agreeWith, askFor } from './service.ts';

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let kim: AdminCaller;
let dana: AdminCaller;

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  const { distrustKey } = h.service;
  admin = await testAdmin(platform, adminRoutes({ platform, issuer, banks, distrustKey }));
  robin = await admin.as('Robin Fern');
  kim = await admin.as('Kim Ash');
  dana = await admin.as('Dana Oak');
  await robin.must('PUT', `/operators/${robin.operatorId}/email`, {
    email: 'robin@ops.example',
    ...WHY,
  });
});

after(async () => {
  await admin.app.close();
  await h.close();
});

const WHY = { reason: 'ticket 4711' };
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));
const work = <T>(doing: (work: Work) => Promise<T>): Promise<T> =>
  h.db.transaction((tx) => doing({ platform: h.platform, tx, now: h.clock.now() }));
const agree = (who: AdminCaller, id: string) => who.call('POST', `/requests/${id}/agree`, WHY);
const agreed = (who: AdminCaller, id: string) => who.must('POST', `/requests/${id}/agree`, WHY);

/** Returns what operators were told, newest first. */
const told = () =>
  h.db.read(async (tx) =>
    (await listNotices(tx, 10_000)).map((row) =>
      openNotice(h.platform.vault, row.noticeId, row.content),
    ),
  );

/** Returns the emails to people of merchants, newest first. */
const mail = () =>
  h.db.read(async (tx) =>
    (await listKept(tx, 10_000)).map((row) => ({
      kind: row.kind,
      ...openContent(h.platform.vault, row.noticeId, row.content),
    })),
  );

let made = 0;
const wanted = () => {
  const letters = 'abcdefghjkmnpqrstuvwxyz';
  const [first, second] = [Math.floor(++made / letters.length), made % letters.length];
  const name = `New Person ${letters[first]}${letters[second]}`;
  return { name, email: `p${made}@ops.example`, roles: ['security', 'payments'], ...WHY };
};

/** Makes an operator as two do, and returns them with the key that they got by email. */
async function newOperator(asker: AdminCaller, second: AdminCaller): Promise<AdminCaller> {
  const body = wanted();
  const { id } = await asker.must('POST', '/operators', body);
  await agreed(second, id);
  const letter = (await told()).find(
    ({ to, what }) => to?.email === body.email && what === 'key_created',
  );
  const key = letter?.lines.find((line) => line.startsWith('ro_')) ?? '';
  const { data } = await robin.must('GET', '/operators');
  const found = data.find((one: { name: string }) => one.name === body.name);
  return admin.withKey(body.name, found.id, key);
}

async function person(role: 'owner' | 'developer', twoFactor = false) {
  const email = `person${++made}@fernhill.example`;
  const asked = { now: h.clock.at, merchantId: h.merchantId, actorId: 'operator:test' };
  const user = { email, name: `Person ${made}`, role };
  const { userId } = await h.db.transaction((tx) => createUser(h.platform, { tx, ...asked }, user));
  if (twoFactor)
    await h.db.transaction(async (tx) => {
      await tx.run('UPDATE users SET two_factor_enabled = true WHERE id = $1', [userId]);
    });
  return { userId, email };
}

test('a new operator takes two: one asks, a second agrees, and the first key goes to the person alone', async () => {
  const body = wanted();
  const asked = await robin.must('POST', '/operators', body);
  assert.deepEqual(
    [asked.kind, asked.status, asked.asked_by, asked.role],
    ['new_operator', 'pending', 'Robin Fern', 'security'],
  );
  const names = async () =>
    (await robin.must('GET', '/operators')).data.map(({ name }: { name: string }) => name);
  assert.ok(!(await names()).includes(body.name));
  const alone = await agree(robin, asked.id);
  assert.deepEqual([alone.status, alone.body.error.code], [409, 'operation_refused']);
  const done = await agree(kim, asked.id);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.doesNotMatch(JSON.stringify(done.body), /ro_test_/);
  assert.ok((await names()).includes(body.name));
  const letter = (await told()).find(
    ({ to, what }) => to?.email === body.email && what === 'key_created',
  );
  assert.match(letter?.lines.join(' ') ?? '', /ro_test_/);
  for (const one of await told())
    if (one.to?.email !== body.email) assert.doesNotMatch(JSON.stringify(one), /ro_test_/);
});

test('whom two operators made has no say for 72 hours, and never one beside either of them', async () => {
  const puppet = await newOperator(robin, kim);
  const { newcomer_until: until, roles } = await puppet.must('GET', '/me');
  assert.equal(until, h.clock.at.add({ hours: 72 }).toString({ smallestUnit: 'millisecond' }));
  assert.deepEqual(roles, ['payments', 'security']);
  const ask = () => puppet.call('POST', '/operators', wanted());
  assert.equal((await ask()).status, 403, 'a newcomer asks');
  const { id } = await dana.must('POST', '/operators', wanted());
  assert.equal((await agree(puppet, id)).status, 409, 'a newcomer agrees');
  const removal = await puppet.call('DELETE', `/operators/${dana.operatorId}`);
  assert.equal(removal.status, 403, 'a newcomer removes');
  await runFor({ hours: 73 });
  assert.equal((await agree(puppet, id)).status, 409, 'asked for while they were one');
  for (const maker of [robin, kim]) {
    const mine = await puppet.must('POST', '/operators', wanted());
    assert.equal((await agree(maker, mine.id)).status, 409, `${maker.name} agrees`);
    const theirs = await maker.must('POST', '/operators', wanted());
    assert.equal((await agree(puppet, theirs.id)).status, 409, `${maker.name} asked`);
  }
  const independent = await dana.must('POST', '/operators', wanted());
  assert.equal((await agree(puppet, independent.id)).status, 200);
});

test('each way to a puppet is one: a key, an address and a role from others make a newcomer, and no pair ever', async () => {
  const target = await newOperator(robin, kim);
  await runFor({ hours: 73 });
  const ways = [
    ['POST', `/operators/${target.operatorId}/first_key`, {}],
    ['PUT', `/operators/${target.operatorId}/email`, { email: 'other@ops.example' }],
    [
      'PUT',
      `/operators/${target.operatorId}/roles`,
      { roles: ['security', 'payments', 'support'] },
    ],
  ] as const;
  const letInBy = dana;
  const second = await newOperator(robin, kim);
  await runFor({ hours: 73 });
  for (const [method, path, body] of ways) {
    const answer = await letInBy.must(method, path, { ...body, ...WHY });
    const request = answer.request ?? answer;
    assert.equal(request.status, 'pending', path);
    await agreed(second, request.id);
    const { newcomer_until: until } = await robin.must('GET', `/operators/${target.operatorId}`);
    assert.equal(until, h.clock.at.add({ hours: 72 }).toString({ smallestUnit: 'millisecond' }));
    await runFor({ hours: 73 });
    const mine = await target.must('POST', '/operators', wanted());
    assert.equal((await agree(letInBy, mine.id)).status, 409, path);
    const theirs = await letInBy.must('POST', '/operators', wanted());
    assert.equal((await agree(target, theirs.id)).status, 409, path);
  }
});

test('a request is agreed with once, expires after seven days, and is not asked for twice', async () => {
  const body = wanted();
  const { id } = await robin.must('POST', '/operators', body);
  const twice = await kim.call('POST', '/operators', body);
  assert.equal(twice.body.error.code, 'operation_refused');
  await runFor({ hours: 7 * 24 });
  assert.equal((await agree(kim, id)).status, 409);
  const again = await kim.must('POST', '/operators', body);
  assert.equal((await agree(robin, again.id)).status, 200);
  const repeated = await agree(robin, again.id);
  assert.match(repeated.body.error.message, /agreed already/);
});

test('who asked takes it back, and so does another of the role; nobody else, and nobody agrees afterwards', async () => {
  const reader = await admin.as('Pat Yew', ['auditor']);
  for (const taker of [robin, dana]) {
    const { id } = await robin.must('POST', '/operators', wanted());
    const stranger = await reader.call('POST', `/requests/${id}/take_back`, WHY);
    assert.deepEqual([stranger.status, stranger.body.error.code], [403, 'forbidden']);
    await taker.must('POST', `/requests/${id}/take_back`, WHY);
    assert.equal((await agree(kim, id)).status, 409);
  }
});

test('what somebody asked for ends when they are removed or lose the role', async () => {
  const lee = await admin.as('Lee Elm');
  const first = await lee.must('POST', '/operators', wanted());
  await robin.must('PUT', `/operators/${lee.operatorId}/roles`, { roles: ['support'], ...WHY });
  assert.equal((await agree(kim, first.id)).status, 409);
  const max = await admin.as('Max Elm');
  const second = await max.must('POST', '/operators', wanted());
  await robin.must('DELETE', `/operators/${max.operatorId}`);
  const { status } = await robin.must('GET', `/requests/${second.id}`);
  assert.equal(status, 'taken_back');
});

test('a login never agrees, and an operator of a name that reads like it does not agree with it either', async () => {
  const body = wanted();
  const asking = {
    kind: 'new_operator',
    subject: body.name,
    wish: { name: body.name, email: body.email, roles: ['auditor'] },
    ...WHY,
  } satisfies RequestInput;
  const asked = await work((one) => askFor(one, { ...onHost('x'), name: 'KIM  Аsh' }, asking)); // a Cyrillic A
  assert.equal((await agree(kim, asked.requestId)).status, 409);
  const other = await robin.must('POST', '/operators', wanted());
  await assert.rejects(
    work((one) => agreeWith(one, onHost('Dana Oak'), other.id, 'typed')),
    { code: 'operation_refused' },
  );
  assert.equal((await agree(robin, asked.requestId)).status, 200);
});

test('a reset takes two, shows no link to anybody, and sends it to the person; the second factor stays', async () => {
  const { userId, email } = await person('owner', true);
  const asked = await robin.must('POST', `/users/${userId}/reset`, WHY);
  assert.equal(asked.status, 'pending');
  const user = () => robin.must('GET', `/users/${userId}`);
  const done = await agree(kim, asked.id);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  for (const shown of [
    asked,
    done.body,
    await user(),
    await robin.must('GET', '/requests?status=all'),
  ])
    assert.doesNotMatch(JSON.stringify(shown), /token=/);
  const sent = (await mail()).filter(({ to }) => 'email' in to && to.email === email);
  const letter = sent.find(({ kind }) => kind === 'account_reset');
  assert.match(letter?.facts.url ?? '', /\/dashboard\/new-password\?token=/);
  assert.equal((await user()).two_factor, true);
  assert.equal((await user()).has_password, false);
  for (const one of await told()) assert.doesNotMatch(JSON.stringify(one), /token=/);
  const toOwners = (await mail()).filter(({ kind }) => kind === 'sign_in_reset');
  assert.ok(toOwners.some(({ to }) => 'email' in to && to.email === email));
});

test('whom two operators reset is a newcomer on every team for 72 hours', async () => {
  const { userId } = await person('owner');
  const { id } = await robin.must('POST', `/users/${userId}/reset`, WHY);
  await agreed(kim, id);
  const rows = await h.db.read((tx) =>
    tx.rows<{ byId: string; how: string }>(
      'SELECT by_id, how FROM let_ins WHERE person_id = $1 AND merchant_id IS NULL ORDER BY by_id',
      [userId],
    ),
  );
  const ids = [robin.operatorId, kim.operatorId].sort();
  assert.deepEqual(
    rows,
    ids.map((by_id) => ({ byId: by_id, how: 'reset' })),
  );
});

test('a second factor is removed by a request of its own, and there is none for who has none', async () => {
  const { userId } = await person('owner', true);
  const path = `/users/${userId}/second_factor/remove`;
  const { id, kind } = await robin.must('POST', path, WHY);
  assert.equal(kind, 'user_second_factor');
  await agreed(kim, id);
  assert.equal((await robin.must('GET', `/users/${userId}`)).two_factor, false);
  assert.equal((await robin.call('POST', path, WHY)).body.error.code, 'operation_refused');
});

test('an owner is removed by two', async () => {
  const { userId } = await person('owner');
  const asked = await robin.must('POST', `/users/${userId}/remove`, WHY);
  assert.deepEqual([asked.is_deleted, asked.request.status], [false, 'pending']);
  assert.equal((await robin.call('GET', `/users/${userId}`)).status, 200);
  await agreed(kim, asked.request.id);
  assert.equal((await robin.call('GET', `/users/${userId}`)).status, 404);
});

test('without a mail server a live service refuses what lets somebody in, and says so', async () => {
  const { userId } = await person('owner');
  const live = { ...h.platform, config: { ...h.platform.config, mode: 'live' as const } };
  const asking = { kind: 'user_reset', wish: {}, subject: userId, ...WHY } as const;
  const asker = { id: robin.operatorId, name: robin.name, roles: ['security' as const] };
  await assert.rejects(
    work((one) => askFor({ ...one, platform: live }, asker, asking)),
    (error: Error & { code?: string }) =>
      error.code === 'operation_refused' && /SMTP_URL/.test(error.message),
  );
});

test('fees above what one operator sets alone take two', async () => {
  const path = `/merchants/${h.merchantId}/fees`;
  const high = { fixed_pence: 0, basis_points: 900 };
  const alone = await robin.call('POST', path, high);
  assert.deepEqual([alone.status, alone.body.error.code], [409, 'operation_refused']);
  await robin.must('POST', path, { fixed_pence: 20, basis_points: 125 });
  const asked = await robin.must('POST', `${path}/ask`, { ...high, ...WHY });
  await agreed(kim, asked.id);
  const { fees } = await robin.must('GET', `/merchants/${h.merchantId}`);
  assert.ok(fees.some((one: { basis_points: number }) => one.basis_points === 900));
});

test('every act is told to the operators of security who have an address, and to the log', async () => {
  const body = wanted();
  const { id } = await kim.must('POST', '/operators', body);
  await agreed(dana, id);
  const about = (await told()).filter(({ subject }) => subject.includes(body.name));
  for (const what of ['request_asked', 'request_agreed'])
    for (const email of [null, 'robin@ops.example'])
      assert.equal(
        about.filter((one) => one.what === what && (one.to?.email ?? null) === email).length,
        1,
        `${what} to ${email}`,
      );
});
