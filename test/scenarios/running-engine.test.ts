import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  assertBooksInOrder,
  grantedSchedule,
  kindsOf,
  newSchedule,
  paymentsOf,
  webhooksOf,
} from './acts.ts';

// With default settings: the engine polls automatically, and pauses while the clock is moved.

const PATIENCE_MS = 120_000;

let service: TestService;

before(async () => {
  service = await startTestService({ env: { ROLES: 'api,portal,engine' } });
});
after(() => service?.close());

async function untilTold(scheduleId: string, event: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    if (kindsOf(webhooksOf(service, scheduleId)).includes(event)) return;
    await sleep(20);
  }
  assert.fail(`${event} did not come`);
}

test('Webhooks come at once, before and after the clock is moved', async () => {
  const { id } = await grantedSchedule(service, 'alex');
  await untilTold(id, 'schedule.setup_success');
  await service.advance('2026-03-02T12:00:00Z');
  assert.deepEqual(
    (await paymentsOf(service, id)).map(({ status }) => status),
    ['success', 'success'],
  );
  const denied = await newSchedule(service);
  await service.deny(denied.id);
  await untilTold(denied.id, 'schedule.setup_failed');
});

test('What customers do while the clock is moved is not lost', async () => {
  const schedules = await Promise.all(['alex', 'uma', 'tina'].map(() => newSchedule(service)));
  const moved = service.advance('P1M');
  const decided = await Promise.all(schedules.map(({ id }) => service.grant(id, 'alex')));
  assert.ok(decided.every((one) => one.schedule_status === 'active'));
  await moved;
  for (const { id } of schedules) await untilTold(id, 'schedule.setup_success');
  await service.advance('P1M');
  for (const { id } of schedules) {
    const payments = await paymentsOf(service, id);
    assert.ok(payments.length >= 1 && payments.every(({ status }) => status === 'success'));
  }
  await service.advance('P7D');
  await assertBooksInOrder(service);
});
