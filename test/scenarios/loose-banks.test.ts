import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { debitsOf, newSchedule, paymentOf, paymentsOf, readSchedule } from './acts.ts';

/** Banks that use what the standard allows, or that lose messages: nobody is debited twice there. */
const LOOSE = ['saltmarsh', 'pennyfield', 'tollgate', 'fogdale', 'hollowell'];

let service: TestService;

before(async () => {
  service = await startTestService({ start: '2026-03-20T09:00:00Z' });
});
after(() => service?.close());

for (const bankId of LOOSE) {
  test(`Four daily collections at ${bankId} are collected, each with one debit`, async () => {
    const schedule = await newSchedule(service, { frequency: { type: 'daily' } });
    const granted = await service.grant(schedule.id, 'alex', bankId);
    assert.equal(granted.schedule_status, 'active');
    await service.advance('P4D');
    const payments = await paymentsOf(service, schedule.id);
    assert.ok(payments.length >= 3, `${payments.length} payments`);
    for (const { id, status } of payments)
      assert.deepEqual([status, await debitsOf(service, id)], ['success', 1]);
    await service.api('PUT', `/api/v1/schedules/${schedule.id}`, { status: 'cancelled' });
  });
}

test('An order whose answer was lost is not given again once the bank has forgotten its key', async () => {
  const call = 'POST /domestic-vrps';
  const schedule = await newSchedule(service, { frequency: { type: 'monthly', day: 1 } });
  await service.grant(schedule.id, 'otto');
  const order = (next_calls: object[]) =>
    service.api('PUT', '/sandbox/banks/northbank', { next_calls });
  const ordered = await order([
    { call, fault: 'lost_answer' },
    { call, fault: 'lost_request', times: 1000 },
  ]);
  assert.equal(ordered.status, 200);
  const due = (await readSchedule(service, schedule.id)).next_payment_date ?? '';
  // The bank forgets its key after 24 hours, and the money comes after 24 hours.
  await service.advance(Temporal.Instant.from(due).add({ hours: 23, minutes: 55 }).toString());
  await order([]);
  await service.advance('P2D');
  const payment = await paymentOf(service, schedule.id);
  assert.equal(await debitsOf(service, payment.id), 1);
  assert.equal(payment.status, 'success');
});
