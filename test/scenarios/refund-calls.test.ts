import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PaymentView } from '../../server/src/payments/api/view.ts';
import type { RefundView } from '../../server/src/refunds/view.ts';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, paymentOf } from './acts.ts';

// The whole service with real partners behind HTTP. The clock continues from test to test.

let service: TestService;
let payment: PaymentView;

before(async () => {
  service = await startTestService();
  const { id } = await grantedSchedule(service, 'alex', {
    frequency: { type: 'yearly' },
    start_date: '2026-01-06T09:00:00Z',
  });
  await service.advance('2026-01-06T12:00:00Z');
  payment = await paymentOf(service, id);
});
after(() => service?.close());

const path = () => `/api/v1/payments/${payment.id}/refunds`;
const codeOf = ({ body }: { body: object }) => (body as { error?: { code: string } }).error?.code;
const read = async <T>(url: string): Promise<T> => (await service.api<T>('GET', url)).body;

/** What Alex has at Northbank, in pence. */
async function balanceAtTheBank(): Promise<number> {
  const { accounts } = await service.bankBooks();
  const account = accounts.find((a) => a.bank === 'northbank' && a.account_number === '10000011');
  return account?.balance_pence ?? 0;
}

test('a part is refunded once, however often the call is repeated under its key', async () => {
  const ask = () =>
    service.api<RefundView>(
      'POST',
      path(),
      { amount: { value: 1500, currency: 'GBP' }, reason: 'late delivery' },
      { 'idempotency-key': 'refund-of-a-part' },
    );
  const before = await balanceAtTheBank();
  const [first, again] = [await ask(), await ask()];
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(
    { ...first.body, id: 'ref', created_at: 'then' },
    {
      id: 'ref',
      payment_id: payment.id,
      amount: { value: 1500, currency: 'GBP' },
      status: 'pending',
      reason: 'late delivery',
      error: null,
      created_at: 'then',
      completed_at: null,
      failed_at: null,
    },
  );
  await service.advance('2026-01-06T12:05:00Z');
  const done = await read<RefundView>(`/api/v1/refunds/${first.body.id}`);
  assert.equal(done.status, 'success');
  assert.equal(done.completed_at?.slice(0, 16), '2026-01-06T12:00');
  assert.equal(await balanceAtTheBank(), before + 1500, 'the bank shows the money come back');
  assert.deepEqual((await read<PaymentView>(`/api/v1/payments/${payment.id}`)).refunded, {
    value: 1500,
    currency: 'GBP',
  });
});

test('what cannot be refunded is refused with a code of its own', async () => {
  const more = await service.api('POST', path(), { amount: { value: 3500, currency: 'GBP' } });
  assert.deepEqual([more.status, codeOf(more)], [409, 'refund_exceeds_payment']);
  const wrong = await service.api('POST', path(), { amount: { value: 0, currency: 'GBP' } });
  assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'invalid_request']);
  const unknown = await service.api('POST', '/api/v1/payments/pay_1/refunds', {});
  assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'not_found']);
  assert.equal(codeOf(await service.api('GET', '/api/v1/refunds/ref_1')), 'not_found');
  assert.equal(codeOf(await service.api('GET', '/api/v1/payments/pay_1/refunds')), 'not_found');
});

test('the settlement is less by the refund; with refunds_wait the rest waits for the next collection', async () => {
  await service.advance('2026-01-07T12:00:00Z');
  const { data } = await read<{ data: SettlementView[] }>('/api/v1/settlements');
  assert.deepEqual(
    data.map((one) => [one.gross.value, one.refunds.value, one.amount.value, one.status]),
    [[4999, 1500, 3499, 'success']],
  );
  const empty = await service.api('POST', path());
  assert.deepEqual([empty.status, codeOf(empty)], [409, 'insufficient_balance']);
  await service.api('PUT', '/api/v1/merchant', { refunds_wait: true });
  const waiting = await service.api<RefundView>('POST', path());
  assert.deepEqual([waiting.body.status, waiting.body.amount.value], ['pending', 3499]);
  await grantedSchedule(service, 'alex', {
    frequency: { type: 'yearly' },
    start_date: '2026-01-08T09:00:00Z',
  });
  await service.advance('2026-01-08T12:00:00Z');
  assert.equal((await read<RefundView>(`/api/v1/refunds/${waiting.body.id}`)).status, 'success');
});

test('lists are newest first, by payment and by status', async () => {
  type List = { data: RefundView[]; total: number };
  const amounts = ({ data, total }: List) => [total, ...data.map((one) => one.amount.value)];
  assert.deepEqual(amounts(await read<List>(path())), [2, 3499, 1500]);
  assert.deepEqual(amounts(await read<List>('/api/v1/refunds?limit=1&offset=1')), [2, 1500]);
  assert.deepEqual(amounts(await read<List>('/api/v1/refunds?status=success')), [2, 3499, 1500]);
  assert.deepEqual(amounts(await read<List>('/api/v1/refunds?status=failed')), [0]);
  await assertBooksInOrder(service);
});
