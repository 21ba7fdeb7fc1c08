import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { PASSWORD, type TeamMember, teamMember } from '../../server/test-support/team-member.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => service.close());

const pathOf = ({ userId }: TeamMember): string => `/api/team/members/${userId}`;

interface Listed {
  user_id: string;
  role: string;
  leaving: { at: string; role: string | null } | null;
}

async function listed(by: TeamMember, { userId }: TeamMember): Promise<Listed | undefined> {
  const { body } = await by.visitor.call('GET', '/api/team');
  return (body.members as Listed[]).find((one) => one.user_id === userId);
}

/** Counts the notices that somebody got, by kind, whatever becomes of them. */
const noticesOf = async (kind: string): Promise<number> => {
  const row = await service.db.read((tx) =>
    tx.row<{ n: number }>('SELECT count(*) AS n FROM notices WHERE kind = $1', [kind]),
  );
  return row?.n ?? 0;
};

test('a session alone changes nobody’s place on the team and makes no strong key', async () => {
  const [owner, other] = [await teamMember(service), await teamMember(service)];
  const finance = await teamMember(service, { role: 'finance', hasFactor: false });
  const keys = await owner.visitor.call('GET', '/api/v1/api_keys');
  const [key] = keys.body.data as { id: string }[];
  const keyPath = `/api/v1/api_keys/${key?.id}`;
  const calls = [
    ['POST', '/api/team/invitations', { email: 'thief@fernhill.example', role: 'owner' }],
    ['POST', '/api/team/invitations', { email: 'thief@fernhill.example', role: 'read_only' }],
    ['PUT', pathOf(finance), { role: 'owner' }],
    ['PUT', pathOf(other), { role: 'finance' }],
    ['DELETE', pathOf(other), undefined],
    ['DELETE', pathOf(finance), undefined],
    ['DELETE', `${pathOf(finance)}/sso`, undefined],
    ['POST', `${pathOf(other)}/reset_link`, {}],
    ['POST', '/api/v1/api_keys', { name: 'all' }],
    ['POST', '/api/v1/api_keys', { name: 'm', scopes: ['merchant'] }],
    ['POST', '/api/v1/api_keys', { name: 'p', scopes: ['schedules', 'payments'] }],
    ['POST', '/api/v1/api_keys', { name: 'k', scopes: ['keys'] }],
    ['POST', `${keyPath}/rotate`, {}],
    ['PUT', keyPath, { allowed_ips: ['203.0.113.9'] }],
    ['PUT', '/api/v1/merchant', { return_url: 'https://thief.example/back' }],
    ['PUT', '/api/v1/merchant', { email: 'thief@thief.example' }],
  ] as const;
  for (const [method, path, body] of calls) {
    const refused = refusalOf(await owner.visitor.call(method, path, body));
    assert.deepEqual(
      [refused.status, refused.code],
      [403, 'proof_required'],
      `${method} ${path} ${JSON.stringify(body)}: ${refused.message}`,
    );
  }
  const weak = { name: 'reads', scopes: ['schedules'] };
  assert.equal((await owner.visitor.call('POST', '/api/v1/api_keys', weak)).status, 200);
  const proof = refusalOf(await owner.visitor.call('POST', '/auth/prove', { password: PASSWORD }));
  assert.deepEqual(Object.keys(proof.details), ['code'], 'the password alone proves nothing');
  await owner.prove();
  assert.equal((await owner.visitor.call('POST', '/api/v1/api_keys', { name: 'all' })).status, 200);
});

test('what wanted a proof is done under the same Idempotency-Key once it is given', async () => {
  const owner = await teamMember(service);
  const calls = [
    ['POST', '/api/v1/api_keys', { name: 'all' }],
    ['PUT', '/api/v1/merchant', { return_url: 'https://fernhill.example/thanks' }],
  ] as const;
  const ask = (n: number, method: 'POST' | 'PUT', path: string, body: object) =>
    owner.visitor.call(method, path, body, { 'idempotency-key': `proof-${owner.userId}-${n}` });
  for (const [n, [method, path, body]] of calls.entries())
    assert.equal(refusalOf(await ask(n, method, path, body)).code, 'proof_required');
  await owner.prove();
  for (const [n, [method, path, wanted]] of calls.entries()) {
    const { status, body } = await ask(n, method, path, wanted);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  }
});

test('a proof is the browser’s that gave it, not the session’s', async () => {
  const owner = await teamMember(service);
  const thief = new DashboardVisitor(service.baseUrl);
  thief.stealSession(owner.visitor);
  assert.notEqual(await thief.teams(), null, 'the thief has the session');
  await owner.prove();
  const stolen = refusalOf(await thief.call('POST', '/api/v1/api_keys', { name: 'all' }));
  assert.equal(stolen.code, 'proof_required');
});

test('an owner whom another one removes stays one for 24 hours, and everybody concerned hears of it', async () => {
  const [owner, other] = [await teamMember(service), await teamMember(service)];
  await owner.prove();
  const before = await noticesOf('owners_changed');
  const asked = await owner.visitor.call('DELETE', pathOf(other));
  assert.deepEqual([asked.status, asked.body.deleted], [200, false], JSON.stringify(asked.body));
  assert.equal((await listed(owner, other))?.leaving?.role, null);
  assert.ok((await noticesOf('owners_changed')) > before);
  const again = refusalOf(await owner.visitor.call('PUT', pathOf(other), { role: 'finance' }));
  assert.equal(again.code, 'operation_refused');
  await service.advance('PT23H');
  assert.equal((await other.visitor.call('GET', '/api/team')).status, 200, 'still an owner');
  await service.advance('PT2H');
  assert.equal((await other.visitor.call('GET', '/api/team')).status, 403);
  assert.equal(await listed(owner, other), undefined);
});

test('an owner whom another one demotes can take it back, as can the one who asked; nobody else', async () => {
  const [owner, other, third] = [
    await teamMember(service),
    await teamMember(service),
    await teamMember(service),
  ];
  await owner.prove();
  for (const keeper of [other, owner]) {
    const asked = await owner.visitor.call('PUT', pathOf(other), { role: 'finance' });
    assert.equal(Object(asked.body.leaving).role, 'finance', JSON.stringify(asked.body));
    const path = `${pathOf(other)}/leaving`;
    assert.equal((await third.visitor.call('DELETE', path)).status, 403);
    assert.equal((await keeper.visitor.call('DELETE', path)).status, 200);
    assert.equal((await keeper.visitor.call('DELETE', path)).status, 404);
  }
  await service.advance('P2D');
  assert.equal((await listed(owner, other))?.role, 'owner');
});

test('whom another member made an owner cannot take it back, and is off before they have a say', async () => {
  const owner = await teamMember(service);
  const fresh = await teamMember(service, { isNewcomer: true });
  await owner.prove();
  assert.equal((await owner.visitor.call('DELETE', pathOf(fresh))).status, 200);
  const back = refusalOf(await fresh.visitor.call('DELETE', `${pathOf(fresh)}/leaving`));
  assert.deepEqual([back.status, back.code], [403, 'forbidden']);
  await service.advance('P1DT1H');
  assert.equal(await listed(owner, fresh), undefined);
});

test('two owners who remove each other do not leave the team without one', async () => {
  const [owner, other] = [await teamMember(service), await teamMember(service)];
  const { body } = await owner.visitor.call('GET', '/api/team');
  await owner.prove();
  for (const { user_id, role } of body.members as Listed[])
    if (role === 'owner' && user_id !== owner.userId && user_id !== other.userId)
      await owner.visitor.call('DELETE', `/api/team/members/${user_id}`);
  await service.advance('P1DT1H');
  await other.prove();
  assert.equal((await owner.visitor.call('DELETE', pathOf(other))).status, 200);
  const last = refusalOf(await other.visitor.call('DELETE', pathOf(owner)));
  assert.equal(last.code, 'last_owner');
  const own = refusalOf(await owner.visitor.call('DELETE', pathOf(owner)));
  assert.equal(own.code, 'last_owner');
});

test('whoever leaves on their own is off at once', async () => {
  const other = await teamMember(service);
  await other.prove();
  const left = await other.visitor.call('DELETE', pathOf(other));
  assert.deepEqual([left.status, left.body.deleted], [200, true], JSON.stringify(left.body));
  assert.equal((await other.visitor.call('GET', '/api/team')).status, 403);
});

test('who was an owner lately, and the merchant itself, hear of a change of the account', async () => {
  const { running, merchantId } = service;
  const gone = await teamMember(service);
  await gone.prove();
  await gone.visitor.call('DELETE', pathOf(gone));
  const asker = await teamMember(service);
  const readers = async (): Promise<string[]> => {
    const rows = await service.db.read((tx) =>
      tx.rows<{ noticeId: string; content: string }>(
        `SELECT notice_id, content FROM notices
         WHERE merchant_id = $1 AND kind = 'settlement_account_change_requested' ORDER BY notice_id`,
        [merchantId],
      ),
    );
    return rows.map(({ noticeId, content }) => {
      const text = running.platform.vault.open(content, `notice:${noticeId}`);
      return Object(JSON.parse(text).to).email as string;
    });
  };
  const ask = async (account_number: string): Promise<string[]> => {
    const before = (await readers()).length;
    const body = { name: 'Next', sort_code: '20-00-00', account_number, ...asker.proof() };
    const asked = await asker.visitor.call('POST', '/api/settlement_account/changes', body);
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    return (await readers()).slice(before);
  };
  const told = await ask('55779911');
  const merchant = await service.api('GET', '/api/v1/merchant');
  for (const reader of [gone.email, asker.email, String(merchant.body.email)])
    assert.ok(told.includes(reader), `${reader} of ${told.join(', ')}`);
  await service.advance('P31D');
  assert.ok(!(await ask('55779922')).includes(gone.email), 'after 30 days no more');
});
