import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { agreedSchedule, limitedKey } from '../../../test-support/agents.ts';
import { startTestService, type TestService } from '../../../test-support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const gbp = (value: number) => ({ value, currency: 'GBP' });
const FIVE_POUNDS = { amount: gbp(500), frequency: { type: 'weekly', day: 1 } };

/** Creates a paused schedule that collects £90.00, of which £5.00 a week was asked for; `link` changes the link that waits. */
async function waitingForLess(link: string): Promise<string> {
  const id = await agreedSchedule(service, { amount: gbp(9_000) });
  const path = `/api/v1/schedules/${id}`;
  assert.equal((await service.api('PUT', path, { status: 'paused' })).status, 200);
  const asked = await service.api<{ consent_for?: string; amount: object }>('PUT', path, {
    ...FIVE_POUNDS,
    limits: { per_payment: gbp(200_000) },
  });
  assert.deepEqual([asked.body.consent_for, asked.body.amount], ['terms', gbp(500)]);
  await service.db.transaction((tx) =>
    tx.run(`UPDATE consents SET ${link} WHERE schedule_id = $1 AND status = 'pending'`, [id]),
  );
  return id;
}

const RESUMES: readonly object[] = [
  { status: 'active' },
  { status: 'paused', resume_at: '2099-01-01T00:00:00Z' },
];
const LINKS = [
  `link_expires_at = created_at - interval '1 minute'`,
  'link_expires_at = link_expires_at',
];

test('a schedule that resumes counts as what it collects, however long the link to other terms works', async () => {
  for (const link of LINKS)
    for (const body of RESUMES) {
      const id = await waitingForLess(link);
      const path = `/api/v1/schedules/${id}`;
      const small = await limitedKey(service, { per_act_pence: 1_000, per_day_pence: 1_000 });
      const refused = await small.call('PUT', path, body);
      assert.deepEqual([refused.status, refused.code], [403, 'key_limit_exceeded'], link);
      const act = await small.prepare({ operation: 'updateSchedule', params: { id }, body });
      assert.deepEqual(act.body.amount, gbp(9_000), link);
      assert.equal((await small.commit(act.body.id)).body.status, 'waiting_for_approval');
      const large = await limitedKey(service, { per_act_pence: 9_000, per_day_pence: 9_000 });
      assert.equal((await large.call('PUT', path, body)).status, 200, link);
      assert.equal((await large.own()).limits?.used_today_pence, 9_000);
    }
});

test('a schedule that resumes while the customer is asked for more counts as that', async () => {
  const id = await agreedSchedule(service, { limits: { per_payment: gbp(1_000) } });
  const path = `/api/v1/schedules/${id}`;
  await service.api('PUT', path, { status: 'paused' });
  await service.api('PUT', path, { amount: gbp(4_000), limits: null });
  const agent = await limitedKey(service, { per_act_pence: 1_000, per_day_pence: 1_000 });
  assert.equal((await agent.call('PUT', path, { status: 'active' })).code, 'key_limit_exceeded');
  const plain = await agreedSchedule(service);
  await service.api('PUT', `/api/v1/schedules/${plain}`, { status: 'paused' });
  const resumed = await agent.call('PUT', `/api/v1/schedules/${plain}`, { status: 'active' });
  assert.equal(resumed.status, 200);
  assert.equal((await agent.own()).limits?.used_today_pence, 1_000);
});
