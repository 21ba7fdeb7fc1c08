import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, kindsOf, paymentsOf, webhooksOf } from './acts.ts';

// After her first payment Rita's bank wants her again. She pays at 09:00 on the 1st of each month.

let service: TestService;
let id: string;
before(async () => {
  service = await startTestService();
  ({ id } = await grantedSchedule(service, 'rita', { max_retries: 0 }));
});
after(() => service?.close());

interface Shown {
  status: string;
  portal_url: string;
  consent_notice: { kind: string } | null;
}
const shown = async (): Promise<Shown> =>
  (await service.api<Shown>('GET', `/api/v1/schedules/${id}`)).body;
const statuses = async () => (await paymentsOf(service, id)).map(({ status }) => status);

test('the first payment is collected, and the merchant learns that the bank asks the customer to confirm again', async () => {
  await service.advance('2026-02-01T10:00:00Z');
  assert.deepEqual(await statuses(), ['success']);
  const { status, consent_notice: notice } = await shown();
  assert.deepEqual([status, notice?.kind], ['active', 'reauthentication_needed']);
  const told = webhooksOf(service, id);
  assert.deepEqual(kindsOf(told).sort(), [
    'collection.success',
    'consent.reauthentication_needed',
    'schedule.setup_success',
  ]);
});

test('the next payment waits, however long, and no retry is used up', async () => {
  await service.advance('2026-03-04T10:00:00Z');
  assert.deepEqual(await statuses(), ['processing', 'success']);
  const { consents } = await service.bankBooks();
  assert.deepEqual(
    consents.map(({ status, reason }) => [status, reason]),
    [['CANC', 'TKSP']],
  );
  assert.equal((await service.bankBooks()).payments.length, 1);
});

test('a customer who declines at the bank changes nothing: by the standard the consent stays', async () => {
  const { schedule_status: status } = await service.deny(id, 'rita');
  assert.equal(status, 'active');
  await service.advance('PT5H');
  assert.equal((await shown()).consent_notice?.kind, 'reauthentication_needed');
  assert.deepEqual(await statuses(), ['processing', 'success']);
});

test('when the customer has confirmed, what waited is collected with its first attempt', async () => {
  await service.grant(id, 'rita');
  await service.advance('PT1H');
  const [second] = await paymentsOf(service, id);
  assert.deepEqual([second?.status, second?.attempts.length], ['success', 1]);
  assert.equal((await shown()).consent_notice, null);
  await service.advance('2026-04-01T10:00:00Z');
  assert.deepEqual(await statuses(), ['success', 'success', 'success']);
  const asked = kindsOf(webhooksOf(service, id)).filter((kind) => kind.startsWith('consent.'));
  assert.deepEqual(asked, ['consent.reauthentication_needed']);
  const { status, body } = await service.api('POST', `/sandbox/schedules/${id}/consent`, {
    decision: 'grant',
    account: 'rita',
  });
  assert.deepEqual([status, (body.error as { code: string }).code], [409, 'consent_decided']);
  await assertBooksInOrder(service);
});
