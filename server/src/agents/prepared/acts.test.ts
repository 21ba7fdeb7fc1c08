import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  agreedSchedule,
  type LimitedKey,
  limitedKey,
  type ShownAct,
} from '../../../test-support/agents.ts';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { SCOPES } from '../../platform/http/calls/access.ts';
import { createRefund } from '../../refunds/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const GBP = (value: number) => ({ value, currency: 'GBP' });
const LIMITS = { per_act_pence: 10_000, per_day_pence: 25_000 };

const agreed = (): Promise<string> => agreedSchedule(service);

const oneOff = (id: string, amount: number, purpose?: string) => ({
  operation: 'createPayment',
  params: { id },
  body: { amount: GBP(amount) },
  ...(purpose === undefined ? {} : { purpose }),
});

const paymentsOf = async (id: string): Promise<{ id: string; amount: { value: number } }[]> =>
  (
    await service.api<{ data: { id: string; amount: { value: number } }[] }>(
      'GET',
      `/api/v1/schedules/${id}/payments`,
    )
  ).body.data;

const actors = (objectId: string): Promise<{ actor: string; toState: string }[]> =>
  service.db.transaction((tx) =>
    tx.rows('SELECT actor, to_state FROM state_changes WHERE object_id = $1 ORDER BY change_id', [
      objectId,
    ]),
  );

const key = (limits: object | null = LIMITS): Promise<LimitedKey> => limitedKey(service, limits);

test('an act is prepared without effect, says what will happen, and is done once when it is committed', async () => {
  const [id, agent] = [await agreed(), await key()];
  const { status, body: act } = await agent.prepare(oneOff(id, 1_250));
  assert.equal(status, 200, JSON.stringify(act));
  assert.equal(act.status, 'prepared');
  assert.equal(act.summary, `Collects £12.50 once for schedule ${id}, now.`);
  assert.deepEqual([act.amount, act.asks], [GBP(1_250), []]);
  assert.deepEqual(act.limits, { ...LIMITS, used_today_pence: 0 });
  assert.deepEqual(await paymentsOf(id), []);
  const done = await agent.commit(act.id);
  assert.equal(done.body.status, 'done');
  const again = await agent.commit(act.id);
  assert.deepEqual(
    [again.body.object_id, again.body.ended_at],
    [done.body.object_id, done.body.ended_at],
  );
  assert.deepEqual(
    (await paymentsOf(id)).map((payment) => payment.id),
    [done.body.object_id],
  );
  assert.equal((await agent.own()).limits?.used_today_pence, 1_250);
});

test('an act that is committed by many at once is done once', async () => {
  const [id, agent] = [await agreed(), await key()];
  const { body: act } = await agent.prepare(oneOff(id, 2_000));
  const answers = await Promise.all(Array.from({ length: 12 }, () => agent.commit(act.id)));
  assert.deepEqual([...new Set(answers.map(({ body }) => body.status))], ['done']);
  assert.equal((await paymentsOf(id)).length, 1);
  assert.equal((await agent.own()).limits?.used_today_pence, 2_000);
});

test('the same act is prepared once, also by many at once and after it is done; another purpose is another act', async () => {
  const [id, agent] = [await agreed(), await key()];
  const wanted = oneOff(id, 700);
  const prepared = await Promise.all(Array.from({ length: 6 }, () => agent.prepare(wanted)));
  const ids = new Set(prepared.map(({ body }) => body.id));
  assert.equal(ids.size, 1);
  const [actId = ''] = ids;
  await agent.commit(actId);
  const forgotten = await agent.prepare(wanted);
  assert.deepEqual([forgotten.body.id, forgotten.body.status], [actId, 'done']);
  const meant = await agent.prepare({ ...wanted, purpose: 'a second guest' });
  assert.equal(meant.body.status, 'prepared');
  await service.advance('PT25H');
  assert.equal((await agent.prepare(wanted)).body.status, 'prepared');
});

test('a purpose is fulfilled once: another plan for it takes the place of what was not done, and is refused after', async () => {
  const [id, agent] = [await agreed(), await key()];
  const first = await agent.prepare(oneOff(id, 700, 'invoice 1041'));
  const second = await agent.prepare(oneOff(id, 800, 'invoice 1041'));
  assert.notEqual(second.body.id, first.body.id);
  const late = await agent.commit(first.body.id);
  assert.deepEqual([late.status, late.code], [409, 'act_over']);
  assert.equal((await agent.commit(second.body.id)).body.status, 'done');
  const third = await agent.prepare(oneOff(id, 900, 'invoice 1041'));
  assert.deepEqual([third.status, third.code], [409, 'act_done_already']);
  assert.deepEqual(
    (await paymentsOf(id)).map(({ amount }) => amount.value),
    [800],
  );
});

test('two acts at once cannot pass the limit of the day together, whether by acts or by plain requests', async () => {
  const agent = await key();
  const ids = await Promise.all([1, 2, 3, 4, 5].map(() => agreed()));
  const acts = await Promise.all(ids.map((id) => agent.prepare(oneOff(id, 7_000))));
  const [done, plain] = await Promise.all([
    Promise.all(acts.map(({ body }) => agent.commit(body.id))),
    Promise.all(
      ids.map((id) =>
        agent.call('POST', `/api/v1/schedules/${id}/payments`, { amount: GBP(7_000) }),
      ),
    ),
  ]);
  const acted = done.filter(({ body }) => body.status === 'done').length;
  const collected = plain.filter(({ status }) => status === 200).length;
  assert.equal(acted + collected, 3);
  assert.ok(done.every(({ body }) => ['done', 'waiting_for_approval'].includes(body.status)));
  const refused = plain.filter(({ status }) => status !== 200);
  assert.deepEqual(
    [...new Set(refused.map(({ code }) => code))],
    refused.length > 0 ? ['key_limit_exceeded'] : [],
  );
  assert.equal((await agent.own()).limits?.used_today_pence, 21_000);
  await service.advance('PT24H');
  assert.equal((await agent.own()).limits?.used_today_pence, 0);
});

test('a plain request beyond a limit is refused with what is left, is not kept as the answer, and counts nothing', async () => {
  const [id, agent] = [await agreed(), await key({ per_act_pence: 500, per_day_pence: 600 })];
  const path = `/api/v1/schedules/${id}/payments`;
  const header = { 'idempotency-key': 'once' };
  const beyond = await agent.call('POST', path, { amount: GBP(501) }, header);
  assert.deepEqual([beyond.status, beyond.code], [403, 'key_limit_exceeded']);
  const { error } = beyond.body as unknown as { error: { details: object } };
  assert.deepEqual(error.details, {
    amount: '501',
    per_act_pence: '500',
    per_day_pence: '600',
    left_today_pence: '600',
  });
  const keys = await as('PUT', `/api/v1/api_keys/${agent.keyId}`, {
    limits: { per_act_pence: 501, per_day_pence: 600 },
  });
  assert.equal(keys.status, 200, JSON.stringify(keys.body));
  assert.equal((await agent.call('POST', path, { amount: GBP(501) }, header)).status, 200);
  assert.equal((await agent.call('POST', path, { amount: GBP(501) }, header)).status, 200);
  assert.equal((await agent.own()).limits?.used_today_pence, 501);
  assert.equal((await paymentsOf(id)).length, 1);
  const many = await agent.call('POST', '/api/v1/schedule_changes', {
    schedule_ids: [id],
    change: { status: 'paused' },
  });
  assert.deepEqual([many.status, many.code], [403, 'forbidden']);
});

/** Calls with the scope `keys`. */
async function as(method: 'PUT' | 'POST', path: string, body: object) {
  const owner = await limitedKey(service, null, SCOPES);
  return owner.call(method, path, body);
}

test('a key that replaces another shares its limits and what was used of them', async () => {
  const [id, agent] = [await agreed(), await key()];
  await agent.commit((await agent.prepare(oneOff(id, 9_000))).body.id);
  const rotated = await as('POST', `/api/v1/api_keys/${agent.keyId}/rotate`, {});
  const { limits } = rotated.body as unknown as ShownAct;
  assert.deepEqual(limits, { ...LIMITS, used_today_pence: 9_000 });
  const useless = await as('POST', '/api/v1/api_keys', {
    name: 'loophole',
    scopes: ['keys'],
    limits: LIMITS,
  });
  assert.deepEqual([useless.status, useless.code], [400, 'invalid_request']);
});

test('what a member does while an act waits for its locks is seen by it', async () => {
  const [id, agent] = [await agreed(), await key()];
  await agent.commit((await agent.prepare(oneOff(id, 5_000))).body.id);
  await service.advance('PT2H');
  const [payment] = await paymentsOf(id);
  assert.ok(payment);
  const { body: act } = await agent.prepare({
    operation: 'createRefund',
    params: { id: payment.id },
    body: { amount: GBP(100) },
  });
  const { platform, service: wired } = service.running;
  const asked = { now: platform.clock.now(), merchantId: service.merchantId };
  const committing = await platform.db.transaction(async (tx) => {
    await createRefund(wired.refunds, { ...asked, tx }, payment.id, { amount: GBP(200) });
    const answer = agent.commit(act.id);
    await setTimeout(300); // it waits for the locks of the refund
    return { answer };
  });
  const { status, code, body } = await committing.answer;
  assert.deepEqual([status, code], [409, 'act_outdated'], JSON.stringify(body));
});

test('what has changed since it was prepared is refused with what has changed; an act ends after an hour', async () => {
  const [id, agent] = [await agreed(), await key()];
  const { body: act } = await agent.prepare(oneOff(id, 500));
  await service.api('PUT', `/api/v1/schedules/${id}`, { amount: GBP(1_100) });
  const { status, code, body } = await agent.commit(act.id);
  assert.deepEqual([status, code], [409, 'act_outdated']);
  const { details } = (body as unknown as { error: { details: Record<string, string> } }).error;
  assert.equal(details.terms_version, 'was 1, is 2');
  const { body: fresh } = await agent.prepare(oneOff(id, 510));
  await service.advance('PT1H');
  assert.equal((await agent.get(fresh.id)).body.status, 'expired');
  assert.deepEqual((await agent.commit(fresh.id)).code, 'act_over');
});

test('an act belongs to its key, and to the scopes that the key has', async () => {
  const [id, agent, other] = [await agreed(), await key(), await key()];
  const { body: act } = await agent.prepare(oneOff(id, 500));
  for (const answer of [await other.commit(act.id), await other.get(act.id)])
    assert.deepEqual([answer.status, answer.code], [404, 'not_found']);
  const reader = await limitedKey(service, LIMITS, ['schedules']);
  const refused = await reader.prepare(oneOff(id, 500));
  assert.deepEqual([refused.status, refused.code], [403, 'forbidden']);
  const wrong = await agent.prepare({ ...oneOff(id, 500), body: { amount: 5 } });
  assert.deepEqual([wrong.status, wrong.code], [400, 'invalid_request']);
  const none = await agent.prepare(oneOff('sch_0000000000000000000000', 500));
  assert.deepEqual([none.status, none.code], [404, 'not_found']);
});

test('the audit trail names the key and the agent, whose name is cleaned and bounded', async () => {
  const [id, agent] = [await agreed(), await key()];
  const name = { 'recollect-agent': `Ledger: bot\t<b>${'x'.repeat(99)}` };
  const { body: act } = await agent.call<ShownAct>(
    'POST',
    '/api/v1/prepared_acts',
    oneOff(id, 500),
    name,
  );
  const { body: done } = await agent.call<ShownAct>(
    'POST',
    `/api/v1/prepared_acts/${act.id}/commit`,
    {},
    name,
  );
  assert.match(act.agent ?? '', /^Ledger bot b x{47}$/);
  const actor = `api_key:${agent.keyId}:${act.agent}`;
  assert.deepEqual(
    (await actors(done.object_id ?? '')).map((change) => change.actor),
    [actor],
  );
  assert.deepEqual(await actors(act.id), [
    { actor, toState: 'prepared' },
    { actor, toState: 'done' },
  ]);
});
