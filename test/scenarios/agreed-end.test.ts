import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  assertBooksInOrder,
  grantedSchedule,
  kindsOf,
  newSchedule,
  readSchedule,
  webhooksOf,
} from './acts.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.close());

test('a schedule whose end was agreed stays active after its last collection, with no next payment', async () => {
  const schedule = await grantedSchedule(service, 'alex', {
    frequency: { type: 'daily' },
    start_date: '2026-01-06T09:00:00Z',
    end_date: '2026-01-08T09:00:00Z',
  });
  await service.advance('2026-01-20T12:00:00Z'); // the bank's consent ended with the 8th, and the bank reported it
  const ended = await readSchedule(service, schedule.id);
  assert.deepEqual([ended.status, ended.next_payment_date], ['active', null]);
  assert.deepEqual(
    kindsOf(webhooksOf(service, schedule.id)).filter((kind) => kind.startsWith('collection.')),
    ['collection.success', 'collection.success', 'collection.success'],
  );
  await assertBooksInOrder(service);
});

test('an update that names nothing changes nothing, and a start in another age is refused', async () => {
  const schedule = await newSchedule(service);
  const same = await service.api('PUT', `/api/v1/schedules/${schedule.id}`, {});
  assert.equal(same.status, 200);
  const far = await service.api<{ error: { details: object } }>(
    'PUT',
    `/api/v1/schedules/${schedule.id}`,
    { start_date: '9999-12-31T23:59:59Z' },
  );
  assert.equal(far.status, 400);
  assert.deepEqual(Object.keys(far.body.error.details), ['start_date']);
});
