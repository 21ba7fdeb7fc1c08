// Slow: covers the whole life of a schedule.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { isGenuine, type Received } from '../../server/test-support/receiver.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  assertBooksInOrder,
  debitsOf,
  grantedSchedule,
  kindsOf,
  newSchedule,
  paymentOf,
  readSchedule,
  webhooksOf,
} from './acts.ts';

// The whole service with real partners behind HTTP. The clock continues from test to test.

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.close());

const codeOf = (webhook: Received | undefined): unknown =>
  (webhook?.data.error as { code?: unknown } | undefined)?.code;

test('A schedule lives from its link to the settlement, and the merchant hears of every step', async () => {
  const schedule = await newSchedule(service, { frequency: { type: 'monthly', day: 7 } });
  assert.equal(schedule.status, 'pending_consent');
  assert.match(schedule.consent_url ?? '', /^http:\/\/localhost:\d+\/consent\/[\w-]{65}$/);
  assert.equal(schedule.next_payment_date, '2026-01-07T09:00:00.000Z');

  assert.deepEqual(await service.grant(schedule.id), {
    consent_status: 'granted',
    schedule_status: 'active',
    returned_to: null,
  });
  assert.equal((await readSchedule(service, schedule.id)).consent_url, undefined);

  const { happened, from, to } = await service.advance('2026-01-08T12:00:00Z');
  assert.equal(to, '2026-01-08T12:00:00.000Z');
  assert.ok(from < '2026-01-05T09:31:00Z');
  const payment = await paymentOf(service, schedule.id);
  assert.equal(payment.status, 'success');
  assert.equal(payment.completed_at, '2026-01-07T09:00:00.000Z');
  assert.equal(await debitsOf(service, payment.id), 1);
  assert.equal(
    (await readSchedule(service, schedule.id)).next_payment_date,
    '2026-02-07T09:00:00.000Z',
  );

  const of = (id: string | null) =>
    happened.filter((one) => one.kind === 'state_change' && one.object_id === id);
  assert.deepEqual(
    of(payment.id).map((one) => one.kind === 'state_change' && one.to),
    ['pending', 'processing', 'success'],
  );
  const settlement = of(payment.settlement_id);
  assert.deepEqual(
    settlement.map((one) => one.kind === 'state_change' && one.to),
    ['pending', 'processing', 'success'],
  );
  // T+1 at 06:00, plus the issuer's ten seconds.
  assert.equal(settlement.at(-1)?.at, '2026-01-08T06:00:10.000Z');
  assert.deepEqual(
    happened.map(({ at }) => at),
    happened.map(({ at }) => at).toSorted(),
  );
});

test('Every webhook can be verified, by the service signature and by Standard Webhooks', () => {
  const { received } = service.receiver;
  assert.deepEqual(kindsOf(received), [
    'schedule.setup_success',
    'collection.success',
    'settlement.success',
  ]);
  const standard = new Webhook(service.webhookSecret);
  for (const webhook of received) {
    assert.ok(isGenuine(webhook, service.webhookSecret));
    assert.ok(!isGenuine({ ...webhook, raw: `${webhook.raw} ` }, service.webhookSecret));
    standard.verify(webhook.raw, webhook.headers as Record<string, string>);
    assert.deepEqual(Object.keys(JSON.parse(webhook.raw)), ['event', 'data']);
  }
  const [, collected, settled] = received;
  assert.equal(collected?.headers['x-sandbox-time'], '2026-01-07T09:00:00.000Z');
  assert.equal(collected?.headers['x-service-sequence'], '2');
  assert.deepEqual(settled?.data.destination_account, {
    account_number: '66374958',
    sort_code: '089999',
  });
});

test('The settlement that the API shows is the money that the issuer paid out', async () => {
  const { body } = await service.api<{
    data: { id: string; amount: { value: number } }[];
    total: number;
  }>('GET', '/api/v1/settlements');
  assert.equal(body.total, 1);
  assert.equal(body.data[0]?.amount.value, 4999);
  const { movements, wallets } = await service.issuerBooks();
  const paidOut = movements.filter(({ kind, status }) => kind === 'payout' && status === 'settled');
  assert.deepEqual(
    paidOut.map(({ amount }) => amount.value),
    [4999],
  );
  assert.ok(wallets.every(({ balance }) => balance.value === 0));
});

test('A customer who declines ends the schedule, and the merchant hears why', async () => {
  const schedule = await newSchedule(service);
  const decided = await service.deny(schedule.id);
  assert.equal(decided.consent_status, 'denied');
  assert.equal(decided.schedule_status, 'cancelled');
  await service.advance('PT1M');
  const [failed] = webhooksOf(service, schedule.id);
  assert.equal(failed?.event, 'schedule.setup_failed');
  assert.equal(codeOf(failed), 'consent_denied');
});

test('A bank that refuses the consent ends the schedule', async () => {
  const schedule = await newSchedule(service);
  const decided = await service.grant(schedule.id, 'dora');
  assert.equal(decided.consent_status, 'rejected');
  await service.advance('PT1M');
  const [failed] = webhooksOf(service, schedule.id);
  assert.equal(codeOf(failed), 'consent_rejected');
});

test('A link that nobody opens runs out after seven days, to the minute', async () => {
  const schedule = await newSchedule(service, { frequency: { type: 'monthly', day: 28 } });
  await service.advance('P6DT23H59M');
  assert.equal((await readSchedule(service, schedule.id)).status, 'pending_consent');
  await service.advance('PT2M');
  assert.equal((await readSchedule(service, schedule.id)).status, 'cancelled');
  const failed = webhooksOf(service, schedule.id).find(
    ({ event }) => event === 'schedule.setup_failed',
  );
  assert.equal(codeOf(failed), 'consent_expired');
  const path = `/sandbox/schedules/${schedule.id}/consent`;
  const decision = { decision: 'grant', account: 'alex' };
  const played = await service.api<{ error: { code: string } }>('POST', path, decision);
  assert.deepEqual([played.status, played.body.error.code], [409, 'consent_decided']);
});

test('A customer comes back to the return URL of the merchant with the outcome', async () => {
  await service.api('PUT', '/api/v1/merchant', { return_url: 'https://fernhill.example/back?a=1' });
  const schedule = await newSchedule(service);
  const { returned_to } = await service.grant(schedule.id);
  assert.equal(
    returned_to,
    `https://fernhill.example/back?a=1&schedule_id=${schedule.id}&status=active`,
  );
});

test('A year of collections is each on its own day, and each settled', async () => {
  const schedule = await grantedSchedule(service, 'alex', {
    frequency: { type: 'monthly', day: 31 },
  });
  await service.advance('P1Y');
  const { body } = await service.api<{
    data: { due_date: string; status: string; settlement_id: string | null }[];
  }>('GET', `/api/v1/schedules/${schedule.id}/payments?limit=100`);
  const days = body.data.map(({ due_date }) => due_date.slice(0, 16)).reverse();
  assert.deepEqual(days.slice(0, 4), [
    '2026-01-31T09:00',
    '2026-02-28T09:00',
    '2026-03-31T08:00',
    '2026-04-30T08:00',
  ]);
  assert.ok(
    body.data.every(({ status, settlement_id }) => status === 'success' && settlement_id !== null),
  );
});

test('In the end the books are in order, and the ledger says what the issuer says', () =>
  assertBooksInOrder(service));
