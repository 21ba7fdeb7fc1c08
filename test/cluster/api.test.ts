import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});

after(() => service.close());

const SCHEDULE = {
  amount: { value: 1200, currency: 'GBP' },
  frequency: { type: 'monthly', day: 7 },
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Membership',
};

/** Creates a schedule; returns its id. */
async function created(): Promise<string> {
  const made = await service.api<{ id: string; status: string }>(
    'POST',
    '/api/v1/schedules',
    SCHEDULE,
  );
  assert.deepEqual([made.status, made.body.status], [200, 'pending_consent']);
  return made.body.id;
}

test('a schedule is created, agreed to, changed, paused, resumed and cancelled', async () => {
  const id = await created();
  const path = `/api/v1/schedules/${id}`;
  assert.equal((await service.grant(id)).schedule_status, 'active');
  for (const change of [
    { description: 'Gym' },
    { status: 'paused' },
    { status: 'active' },
    { amount: { value: 900, currency: 'GBP' } },
    { status: 'cancelled' },
  ]) {
    const answer = await service.api('PUT', path, change);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.partialDeepStrictEqual(answer.body, change);
  }
  const shown = await service.api('GET', path);
  assert.partialDeepStrictEqual(shown.body, { status: 'cancelled', description: 'Gym' });
  const events = await service.api<{ data: { kind: string }[] }>('GET', '/api/v1/events');
  assert.deepEqual(events.body.data.map(({ kind }) => kind).reverse(), [
    'schedule.setup_success',
    'schedule.paused',
    'schedule.resumed',
    'schedule.cancelled',
  ]);
});

test('a customer who says no ends the schedule, and the same key creates once', async () => {
  const id = await created();
  assert.equal((await service.deny(id)).consent_status, 'denied');
  const key = { 'idempotency-key': 'once' };
  const both = await Promise.all([
    service.api('POST', '/api/v1/schedules', SCHEDULE, key),
    service.api('POST', '/api/v1/schedules', SCHEDULE, key),
  ]);
  const again = await service.api('POST', '/api/v1/schedules', SCHEDULE, key);
  const first = both.find(({ status }) => status === 200);
  assert.deepEqual(again.body, first?.body);
});

test('lists are those of the merchant who asks, and no one else finds anything', async () => {
  const id = await created();
  for (const path of [
    'schedules',
    'settlements',
    'webhook_endpoints',
    'events',
    'merchant',
    `schedules/${id}/payments`,
  ]) {
    const answer = await service.api('GET', `/api/v1/${path}`);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  }
  const { apiKey } = await newMerchant(service.running);
  const authorization = { authorization: `Bearer ${apiKey}` };
  assert.equal(
    (await service.api('GET', `/api/v1/schedules/${id}`, undefined, authorization)).status,
    404,
  );
  const none = await service.api('GET', '/api/v1/schedules', undefined, authorization);
  assert.deepEqual(none.body, { data: [], total: 0 });
});
