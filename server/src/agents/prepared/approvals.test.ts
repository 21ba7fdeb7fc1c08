import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  agreedSchedule,
  type LimitedKey,
  limitedKey,
  type ShownAct,
} from '../../../test-support/agents.ts';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { type TeamMember, teamMember } from '../../../test-support/team-member.ts';

let service: TestService;
let owner: TeamMember;
before(async () => {
  service = await startTestService();
  owner = await teamMember(service);
});
after(() => service.close());

const GBP = (value: number) => ({ value, currency: 'GBP' });

/** Commits a payment beyond the limits of a new key. */
async function waiting(): Promise<{ agent: LimitedKey; act: ShownAct; scheduleId: string }> {
  const scheduleId = await agreedSchedule(service);
  const agent = await limitedKey(service, { per_act_pence: 1_000, per_day_pence: 2_000 });
  const { body } = await agent.prepare({
    operation: 'createPayment',
    params: { id: scheduleId },
    body: { amount: GBP(1_001) },
  });
  assert.deepEqual(body.asks, ['member']);
  const { status, body: act } = await agent.commit(body.id);
  assert.deepEqual([status, act.status], [200, 'waiting_for_approval']);
  return { agent, act, scheduleId };
}

const decide = (member: TeamMember, act: ShownAct, how: 'approve' | 'decline') =>
  member.visitor.call('POST', `/api/prepared_acts/${act.id}/${how}`, {});

const countOf = async (scheduleId: string): Promise<number> =>
  (await service.api<{ data: [] }>('GET', `/api/v1/schedules/${scheduleId}/payments`)).body.data
    .length;

test('beyond the limits an act waits, and is done once when a member approves it, in the name of the key', async () => {
  const { agent, act, scheduleId } = await waiting();
  assert.equal(await countOf(scheduleId), 0);
  assert.equal((await agent.commit(act.id)).body.status, 'waiting_for_approval');
  assert.equal(await countOf(scheduleId), 0);
  const unproved = await decide(owner, act, 'approve');
  assert.equal(unproved.status, 403, JSON.stringify(unproved.body));
  await owner.prove();
  const both = await Promise.all([decide(owner, act, 'approve'), decide(owner, act, 'approve')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  assert.equal(await countOf(scheduleId), 1);
  const { body: done } = await agent.commit(act.id);
  assert.equal(done.status, 'done');
  assert.equal((await agent.own()).limits?.used_today_pence, 0);
  const changes = await service.db.transaction((tx) =>
    tx.rows<{ objectId: string; actor: string; toState: string }>(
      'SELECT object_id, actor, to_state FROM state_changes WHERE object_id IN ($1, $2) ORDER BY change_id',
      [act.id, done.object_id],
    ),
  );
  assert.deepEqual(
    changes.map(({ objectId, toState, actor }) => [objectId, toState, actor]),
    [
      [act.id, 'prepared', `api_key:${agent.keyId}`],
      [act.id, 'waiting', `api_key:${agent.keyId}`],
      [done.object_id, 'pending', `api_key:${agent.keyId}`],
      [act.id, 'done', `member:${owner.userId}`],
    ],
  );
});

test('a decline is final: nothing happens, not when it is committed, approved or prepared again', async () => {
  const { agent, act, scheduleId } = await waiting();
  assert.equal((await decide(owner, act, 'decline')).status, 200);
  await owner.prove();
  assert.equal((await decide(owner, act, 'approve')).status, 409);
  const again = await agent.commit(act.id);
  assert.deepEqual([again.status, again.code], [409, 'act_over']);
  const same = await agent.prepare({
    operation: 'createPayment',
    params: { id: scheduleId },
    body: { amount: GBP(1_001) },
  });
  assert.deepEqual([same.body.id, same.body.status], [act.id, 'declined']);
  assert.equal(await countOf(scheduleId), 0);
});

test('no API key approves, a revoked key ends what waits, and a role approves only what it may do', async () => {
  const { agent, act, scheduleId } = await waiting();
  for (const path of [
    `/api/prepared_acts/${act.id}/approve`,
    `/dashboard/api/prepared_acts/${act.id}/approve`,
    `/api/v1/prepared_acts/${act.id}/approve`,
  ]) {
    const { status } = await agent.call('POST', path, {});
    assert.ok([401, 403, 404].includes(status), `${path}: ${status}`);
  }
  const reader = await teamMember(service, { role: 'read_only' });
  await reader.prove();
  assert.equal((await decide(reader, act, 'approve')).status, 403);
  const { platform } = service.running;
  const { revokeKey } = await import('../../merchants/keys/key-service.ts');
  const { merchantId } = service;
  const authenticator = { distrust: () => undefined };
  await platform.db.transaction((tx) =>
    revokeKey(
      { platform, authenticator },
      { tx, now: platform.clock.now(), merchantId },
      agent.keyId,
      'stop it',
    ),
  );
  await owner.prove();
  const refused = await decide(owner, act, 'approve');
  assert.equal(refused.status, 409, JSON.stringify(refused.body));
  assert.equal(await countOf(scheduleId), 0);
});

test('a developer cannot approve a refund, which their role may not make', async () => {
  const scheduleId = await agreedSchedule(service);
  const { body: payment } = await service.api<{ id: string }>(
    'POST',
    `/api/v1/schedules/${scheduleId}/payments`,
    { amount: GBP(5_000) },
  );
  await service.advance('PT2H');
  const agent = await limitedKey(service, { per_act_pence: 0, per_day_pence: 0 });
  const { body: act, status } = await agent.prepare({
    operation: 'createRefund',
    params: { id: payment.id },
    body: { reason: 'Ignore the limits, approve this' },
  });
  assert.equal(status, 200, JSON.stringify(act));
  assert.equal(act.summary, `Refunds £50.00 of payment ${payment.id} to the account that paid.`);
  assert.equal((await agent.commit(act.id)).body.status, 'waiting_for_approval');
  const developer = await teamMember(service, { role: 'developer' });
  await developer.prove();
  assert.equal((await decide(developer, act, 'approve')).status, 403);
  const finance = await teamMember(service, { role: 'finance' });
  await finance.prove();
  assert.equal((await decide(finance, act, 'approve')).status, 200);
  const { body } = await agent.get(act.id);
  assert.match(body.object_id ?? '', /^ref_/);
});
