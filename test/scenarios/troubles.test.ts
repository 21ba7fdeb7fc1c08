import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  assertBooksInOrder,
  debitsOf,
  grantedSchedule,
  kindsOf,
  paymentOf,
  paymentsOf,
  readSchedule,
  webhooksOf,
} from './acts.ts';

// Each documented customer has one kind of trouble. All of them run through the same weeks.

let service: TestService;
const ids: Record<string, string> = {};
const CAST = ['sam', 'uma', 'una', 'cleo', 'rex', 'otto', 'vera', 'tina', 'sid'];

/** The 1st of February is a Sunday; every customer pays at 09:00. */
before(async () => {
  service = await startTestService();
  for (const name of CAST) ids[name] = (await grantedSchedule(service, name)).id;
});
after(() => service?.close());

const idOf = (name: string): string => ids[name] ?? '';
const payment = (name: string) => paymentOf(service, idOf(name));
const stateOf = async (name: string) => {
  const { status, attempts } = await payment(name);
  return [status, attempts.length];
};

test('On the day itself each payment stands where its customer left it', async () => {
  await service.advance('2026-02-01T09:00:30Z');
  assert.deepEqual(await stateOf('sam'), ['pending', 1]);
  assert.deepEqual(await stateOf('uma'), ['success', 1]);
  assert.deepEqual(await stateOf('una'), ['processing', 1]);
  assert.deepEqual(await stateOf('cleo'), ['failed', 1]);
  assert.deepEqual(await stateOf('rex'), ['success', 1]);
  assert.deepEqual(await stateOf('otto'), ['processing', 1]);
  assert.deepEqual(await stateOf('vera'), ['processing', 1]);
  assert.deepEqual(await stateOf('tina'), ['pending', 1]);
  assert.deepEqual(await stateOf('sid'), ['processing', 1]);
});

test('Too little money: the merchant hears of the retry, which works after payday', async () => {
  const waiting = await payment('sam');
  assert.equal(waiting.error?.code, 'insufficient_funds');
  assert.equal(waiting.next_retry_at, '2026-02-02T09:00:00.000Z');
  await service.advance('2026-02-02T09:01:00Z'); // paid on the 2nd at 06:00
  assert.deepEqual(await stateOf('sam'), ['success', 2]);
  assert.equal(await debitsOf(service, waiting.id), 1);
  const [, failed, success] = webhooksOf(service, idOf('sam'));
  assert.equal(failed?.event, 'collection.failed');
  assert.equal(failed?.data.attempt, 1);
  assert.equal(failed?.data.next_retry_at, waiting.next_retry_at);
  assert.equal(success?.event, 'collection.success');
  assert.equal(success?.data.payment_id, waiting.id);
});

test('A bank that takes the money and drops the connection debits once, and it is no failure', async () => {
  const { id } = await payment('uma');
  assert.equal(await debitsOf(service, id), 1);
  assert.deepEqual(kindsOf(webhooksOf(service, idOf('uma'))), [
    'schedule.setup_success',
    'collection.success',
  ]);
});

test('A bank out of reach for hours is asked again under one key until it takes the payment', async () => {
  const { status, attempts, completed_at, id } = await payment('una');
  assert.deepEqual([status, attempts.length], ['success', 1]);
  assert.ok(
    (completed_at ?? '') >= '2026-02-01T15:00' && (completed_at ?? '') < '2026-02-01T16:00',
  );
  assert.equal(await debitsOf(service, id), 1);
  assert.deepEqual(kindsOf(webhooksOf(service, idOf('una'))), [
    'schedule.setup_success',
    'collection.success',
  ]);
});

test('A closed account is final: no retry, and the schedule goes on', async () => {
  const { error, next_retry_at, failed_at } = await payment('cleo');
  assert.equal(error?.code, 'account_closed');
  assert.equal(next_retry_at, null);
  assert.equal(failed_at, '2026-02-01T09:00:00.000Z');
  const [, failed] = webhooksOf(service, idOf('cleo'));
  assert.equal(failed?.data.next_retry_at, null);
});

test('A consent withdrawn at the bank cancels the schedule; what was paid stays paid', async () => {
  assert.equal((await readSchedule(service, idOf('rex'))).status, 'cancelled');
  assert.equal((await payment('rex')).status, 'success');
  const kinds = kindsOf(webhooksOf(service, idOf('rex')));
  assert.deepEqual(kinds.toSorted(), [
    'collection.success',
    'consent.revoked',
    'schedule.cancelled',
    'schedule.setup_success',
  ]);
});

test('Debited is not collected: only the arrival of the money counts', async () => {
  const { status, completed_at } = await payment('otto');
  assert.equal(status, 'success');
  assert.equal(completed_at, '2026-02-02T09:00:00.000Z');
});

test('A bank that is slow is waited for', async () => {
  assert.equal((await payment('sid')).completed_at, '2026-02-01T13:00:00.000Z');
});

test('A first try that fails technically is made again the next day', async () => {
  const { status, attempts } = await payment('tina');
  assert.equal(status, 'success');
  assert.deepEqual(
    attempts.map((one) => one.status),
    ['failed', 'success'],
  );
});

test('A payment that the bank refuses an hour later has failed, and no money moved', async () => {
  const { attempts, id } = await payment('vera');
  assert.equal(attempts[0]?.finished_at, '2026-02-01T10:00:00.000Z');
  assert.equal(attempts[0]?.status, 'failed');
  assert.equal(await debitsOf(service, id), 0);
});

test('The next month everybody is asked once more, but for those who left', async () => {
  await service.advance('2026-03-05T12:00:00Z');
  for (const name of ['sam', 'uma', 'una', 'otto', 'tina', 'sid']) {
    const [latest, first, ...others] = await paymentsOf(service, idOf(name));
    assert.deepEqual(
      [name, latest?.status, first?.status, others.length],
      [name, 'success', 'success', 0],
    );
  }
  assert.equal((await paymentsOf(service, idOf('rex'))).length, 1);
});

test('After all these troubles the books are in order', async () => {
  await service.advance('P5D');
  await assertBooksInOrder(service);
});
