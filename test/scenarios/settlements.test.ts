import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, kindsOf } from './acts.ts';

// The destination decides: the sandbox issuer fails, answers late or not at all by the account number.

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.close());

async function payOutTo(accountNumber: string): Promise<void> {
  const account = { sort_code: '089999', account_number: accountNumber, name: 'Fernhill Gym Ltd' };
  const { status, body } = await service.api('PUT', '/api/v1/merchant', {
    settlement_account: account,
  });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Oldest first. */
async function settlements(): Promise<SettlementView[]> {
  const { body } = await service.api<{ data: SettlementView[] }>(
    'GET',
    '/api/v1/settlements?limit=100',
  );
  return body.data.reverse();
}

async function paidOut(): Promise<number[]> {
  const { movements } = await service.issuerBooks();
  const settled = movements.filter(({ kind, status }) => kind === 'payout' && status === 'settled');
  return settled.map(({ amount }) => amount.value);
}

test('A settlement that fails leaves the funds in the wallet, and they go with the next one', async () => {
  await payOutTo('99999999');
  await grantedSchedule(service, 'alex', {
    amount: { value: 1000, currency: 'GBP' },
    frequency: { type: 'daily' },
    start_date: '2026-01-06T10:00:00Z',
    end_date: '2026-01-07T10:00:00Z',
  });
  await service.advance('2026-01-07T09:00:00Z');
  const [failed] = await settlements();
  assert.equal(failed?.status, 'failed');
  assert.equal(failed?.error?.code, 'invalid_account');
  assert.deepEqual(await paidOut(), []);
  const { data } = service.receiver.of('settlement.failed')[0] ?? {};
  assert.equal(data?.settlement_id, failed?.id);

  await payOutTo('66374958');
  await service.advance('2026-01-08T09:00:00Z');
  const [, next] = await settlements();
  assert.deepEqual([next?.status, next?.amount.value], ['success', 2000]);
  assert.deepEqual(await paidOut(), [2000]);
});

test('A pay-out that the issuer took without an answer is made once', async () => {
  await payOutTo('88888888');
  await grantedSchedule(service, 'alex', {
    amount: { value: 700, currency: 'GBP' },
    frequency: { type: 'weekly', day: 5 },
  });
  await service.advance('2026-01-12T09:00:00Z');
  const last = (await settlements()).at(-1);
  assert.deepEqual([last?.status, last?.amount.value], ['success', 700]);
  assert.deepEqual(await paidOut(), [2000, 700]);
});

test('A pay-out that takes its time is waited for', async () => {
  await payOutTo('77777777');
  await service.advance('2026-01-19T07:00:00Z');
  assert.equal((await settlements()).at(-1)?.status, 'processing');
  await service.advance('2026-01-19T09:00:00Z');
  assert.equal((await settlements()).at(-1)?.status, 'success');
});

test('What is collected over Easter is paid out on the Wednesday after it', async () => {
  await payOutTo('66374958');
  const { happened } = await service.advance('2026-04-08T09:00:00Z');
  const paid = happened.filter((one) => one.kind === 'event' && one.event === 'settlement.success');
  // Collected on Good Friday, 3 April: that counts to Tuesday the 7th.
  assert.equal(paid.at(-1)?.at, '2026-04-08T05:00:10.000Z');
  assert.equal((await settlements()).at(-1)?.settlement_date, '2026-04-08');
});

test('The merchant heard of every settlement once, and the books are in order', async () => {
  const told = service.receiver.received.filter(({ event }) => event.startsWith('settlement.'));
  assert.equal(new Set(told.map(({ data }) => data.settlement_id)).size, told.length);
  assert.deepEqual(kindsOf(told).filter((kind) => kind === 'settlement.failed').length, 1);
  assert.equal(told.length, (await settlements()).length);
  await assertBooksInOrder(service);
});
