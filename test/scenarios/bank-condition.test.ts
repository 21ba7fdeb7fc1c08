import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { until } from '../../server/test-support/until.ts';
import { grantedSchedule, newSchedule, paymentOf } from './acts.ts';

interface ShownBank {
  bank_id: string;
  name: string;
  condition: string;
  since: string | null;
  stopped: boolean;
  operations: { operation: string; condition: string; since: string | null }[];
}

let service: TestService;
let schedules: string[];
let scheduleId: string;
let earlyId: string;
before(async () => {
  service = await startTestService();
  const made: string[] = [];
  for (const name of ['alex', 'alex', 'alex']) made.push((await grantedSchedule(service, name)).id);
  // An hour before the others: its order finds out that the bank is away.
  const early = { start_date: '2026-02-01T08:00:00Z' };
  earlyId = (await grantedSchedule(service, 'alex', early)).id;
  schedules = made;
  scheduleId = made[0] ?? '';
  await service.advance('2026-01-31T20:00:00Z');
});
after(() => service?.close());

const nextTry = ({ not_sent: waits }: Awaited<ReturnType<typeof paymentOf>>): Temporal.Instant =>
  Temporal.Instant.from(waits?.next_try_at ?? assert.fail('it does not wait'));

/** Returns what the API shows of northbank. */
async function northbank(): Promise<ShownBank> {
  const { status, body } = await service.api<{ data: ShownBank[] }>('GET', '/api/v1/banks');
  assert.equal(status, 200);
  return body.data.find(({ bank_id: id }) => id === 'northbank') ?? assert.fail('no northbank');
}

const becomes = (condition: string): Promise<void> =>
  until(`northbank is ${condition}`, async () => (await northbank()).condition === condition);

test('a bank that answers is operational, and a refusal is an answer', async () => {
  const bank = await northbank();
  assert.deepEqual([bank.name, bank.condition, bank.stopped], ['Northbank', 'operational', false]);
  await until('calls are stored', async () => (await northbank()).since !== null);
});

test('a bank that is away is down since its first failure, though our tokens for it are stored', async () => {
  await service.api('PUT', '/sandbox/banks/northbank', { behaviours: ['unavailable'] });
  await service.advance('2026-02-01T09:30:00Z');
  await becomes('down');
  const { since, operations } = await northbank();
  assert.match(since ?? '', /^2026-02-01T/);
  const [payment, funds] = ['payment', 'funds'].map((name) =>
    operations.find(({ operation }) => operation === name),
  );
  assert.deepEqual([payment?.condition, payment?.since], ['down', since]);
  assert.equal(funds?.condition, 'down', 'before the other orders the bank is asked');
});

test('the order that met the outage may be with the bank, and is repeated', async () => {
  const { status, attempts, not_sent: waits } = await paymentOf(service, earlyId);
  assert.deepEqual([status, waits], ['processing', null]);
  assert.ok(attempts[0]?.sent_at);
});

test('a payment after it says that nothing was sent, why, and when we try again', async () => {
  const payment = await paymentOf(service, scheduleId);
  assert.equal(payment.status, 'processing');
  assert.deepEqual(
    payment.attempts.map(({ sent_at: at }) => at),
    [null],
  );
  const { reason, bank_id: bank, next_try_at: next } = payment.not_sent ?? {};
  assert.deepEqual([reason, bank], ['bank_down', 'northbank']);
  assert.ok(Temporal.Instant.compare(next ?? '', service.now()) > 0);
});

test('the customer’s page names the bank’s trouble, and a bank there is still to be chosen', async () => {
  const made = await newSchedule(service);
  const page = await (await request(made.consent_url ?? '')).body.text();
  assert.match(page, /Northbank.{0,60}Not responding at the moment/s);
  assert.doesNotMatch(page, /Harbour.{0,60}at the moment/is);
});

test('once it answers, what waited is sent at once, and not when each would have been tried next', async () => {
  const tries = await Promise.all(
    schedules.map(async (id) => nextTry(await paymentOf(service, id))),
  );
  const [first, , last] = tries.sort(Temporal.Instant.compare);
  assert.ok(first !== undefined && last !== undefined);
  await service.api('PUT', '/sandbox/banks/northbank', { behaviours: [] });
  await service.advance(first.add({ seconds: 1 }).toString());
  await until('all are paid', async () => {
    await service.advance('PT1S');
    const payments = await Promise.all(schedules.map((id) => paymentOf(service, id)));
    return payments.every(({ status }) => status === 'success');
  });
  assert.ok(Temporal.Instant.compare(service.now(), last) < 0);
});

test('it is operational again once it answers', async () => {
  await service.advance('2026-02-02T09:30:00Z');
  await becomes('operational');
  const payment = await paymentOf(service, scheduleId);
  assert.equal(payment.not_sent, null);
  assert.ok(payment.attempts.every(({ sent_at: at }) => at !== null));
});
