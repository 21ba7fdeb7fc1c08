import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DisputeView } from '../../server/src/disputes/view.ts';
import type { PaymentView } from '../../server/src/payments/api/view.ts';
import type { List } from '../../server/src/platform/http/lists/page.ts';
import type { RefundView } from '../../server/src/refunds/view.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, paymentOf } from './acts.ts';

// The whole service with real partners behind HTTP. The clock continues from test to test.

let service: TestService;
let scheduleId: string;
let payment: PaymentView;

before(async () => {
  service = await startTestService();
  const schedule = await grantedSchedule(service, 'alex', {
    frequency: { type: 'weekly' },
    start_date: '2026-01-06T09:00:00Z',
  });
  scheduleId = schedule.id;
  await service.advance('2026-01-06T12:00:00Z');
  payment = await paymentOf(service, scheduleId);
});
after(() => service?.close());

const gbp = (value: number) => ({ value, currency: 'GBP' });
const pathOf = (paymentId = payment.id) => `/api/v1/payments/${paymentId}/disputes`;
const codeOf = ({ body }: { body: object }) => (body as { error?: { code: string } }).error?.code;
const detailsOf = ({ body }: { body: object }) =>
  (body as { error?: { details?: object } }).error?.details;
const read = async <T>(url: string): Promise<T> => (await service.api<T>('GET', url)).body;
const post = <T extends object = DisputeView>(url: string, body: object = {}) =>
  service.api<T>('POST', url, body);
const kindsOf = async () =>
  (await read<List<{ kind: string }>>(`/api/v1/events?schedule_id=${scheduleId}&limit=100`)).data
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('dispute.'));

/** Collects the next week's payment. */
async function nextPayment(): Promise<PaymentView> {
  await service.advance('P7D');
  return (await read<List<PaymentView>>(`/api/v1/schedules/${scheduleId}/payments?limit=1`))
    .data[0] as PaymentView;
}

test('a dispute names the field that is wrong, and is refused for a payment that is unknown or took no money', async () => {
  const noReason = await post(pathOf(), {});
  assert.deepEqual([noReason.status, codeOf(noReason)], [400, 'invalid_request']);
  assert.deepEqual(Object.keys(detailsOf(noReason) ?? {}), ['reason']);
  const tooMuch = await post(pathOf(), { reason: 'duplicate', amount: gbp(5000) });
  assert.deepEqual(
    [tooMuch.status, Object.keys(detailsOf(tooMuch) ?? {})],
    [400, ['amount.value']],
  );
  const foreign = await post(pathOf(), {
    reason: 'duplicate',
    amount: { value: 1, currency: 'EUR' },
  });
  assert.deepEqual([foreign.status, codeOf(foreign)], [400, 'invalid_request']);
  assert.equal(codeOf(await post(pathOf('pay_1'), { reason: 'other' })), 'not_found');
  assert.equal(codeOf(await service.api('GET', '/api/v1/disputes/dsp_1')), 'not_found');
  assert.equal(codeOf(await service.api('GET', '/api/v1/disputes/dsp_1/file')), 'not_found');
  assert.equal(codeOf(await service.api('GET', '/api/v1/disputes?payment_id=pay_1')), 'not_found');
  const broke = await grantedSchedule(service, 'nina', {
    frequency: { type: 'yearly' },
    start_date: '2026-01-06T13:00:00Z',
    max_retries: 0,
  });
  await service.advance('2026-01-06T14:00:00Z');
  const failed = await paymentOf(service, broke.id);
  assert.equal(failed.status, 'failed');
  assert.equal(
    codeOf(await post(pathOf(failed.id), { reason: 'other' })),
    'payment_not_disputable',
  );
});

test('a payment that was not authorised is disputed until the end of the next business day, and once at a time', async () => {
  const opened = await post(pathOf(), { reason: 'unauthorised', note: ' Not me ' });
  assert.equal(opened.status, 200, JSON.stringify(opened.body));
  assert.deepEqual(
    { ...opened.body, id: 'dsp', created_at: 'then' },
    {
      id: 'dsp',
      payment_id: payment.id,
      schedule_id: scheduleId,
      raised_by: 'merchant',
      reason: 'unauthorised',
      amount: gbp(4999),
      note: 'Not me',
      status: 'open',
      deadline: '2026-01-07T23:59:59.000Z',
      left: gbp(4999),
      returned: gbp(0),
      refund_id: null,
      answer: null,
      created_at: 'then',
      ended_at: null,
    },
  );
  assert.equal(codeOf(await post(pathOf(), { reason: 'other' })), 'payment_disputed');
  const { data } = await read<List<DisputeView>>(
    '/api/v1/disputes?status=open&reason=unauthorised',
  );
  assert.deepEqual(data, [opened.body]);
  assert.deepEqual((await read<List<DisputeView>>('/api/v1/disputes?reason=other')).data, []);
  assert.deepEqual(await kindsOf(), ['dispute.opened']);
});

test('its refund is one act: repeated under its key it is one, and what came back meanwhile is not paid twice', async () => {
  const [{ id } = { id: '' }] = (await read<List<DisputeView>>('/api/v1/disputes')).data;
  await post(`/api/v1/payments/${payment.id}/refunds`, { amount: gbp(999) });
  assert.deepEqual((await read<DisputeView>(`/api/v1/disputes/${id}`)).left, gbp(4000));
  const more = await post(`/api/v1/disputes/${id}/refund`, { amount: gbp(4001) });
  assert.deepEqual([more.status, codeOf(more)], [409, 'refund_exceeds_payment']);
  const act = () =>
    service.api<DisputeView>(
      'POST',
      `/api/v1/disputes/${id}/refund`,
      {},
      { 'idempotency-key': id },
    );
  const [first, again] = [await act(), await act()];
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(again.body, first.body);
  assert.deepEqual(
    [first.body.status, first.body.returned, first.body.left],
    ['refunded', gbp(4999), gbp(0)],
  );
  assert.equal(codeOf(await post(`/api/v1/disputes/${id}/refund`)), 'dispute_ended');
  assert.equal(codeOf(await post(pathOf(), { reason: 'other' })), 'payment_not_disputable');
  await service.advance('PT5M');
  const refund = await read<RefundView>(`/api/v1/refunds/${first.body.refund_id}`);
  assert.deepEqual([refund.status, refund.amount], ['success', gbp(4000)]);
  assert.deepEqual((await read<PaymentView>(`/api/v1/payments/${payment.id}`)).refunded, gbp(4999));
  assert.deepEqual((await kindsOf()).sort(), ['dispute.closed', 'dispute.opened']);
});

test('two refunds of one dispute at once give its money back once', async () => {
  const { id: paymentId } = await nextPayment();
  const { id } = (await post(pathOf(paymentId), { reason: 'not_received' })).body;
  const acts = await Promise.all([1, 2, 3].map(() => post(`/api/v1/disputes/${id}/refund`)));
  assert.deepEqual(acts.map(({ status }) => status).sort(), [200, 409, 409]);
  const { data } = await read<List<RefundView>>(`/api/v1/payments/${paymentId}/refunds`);
  assert.equal(data.length, 1);
});

test('a rejected dispute has the answer and no money, and a withdrawn one is no bar to the next', async () => {
  const { id: paymentId } = await nextPayment();
  const opened = (await post(pathOf(paymentId), { reason: 'wrong_amount', amount: gbp(1000) }))
    .body;
  assert.equal(opened.deadline, '2026-02-10T23:59:59.000Z');
  const taken = await post(`/api/v1/disputes/${opened.id}/withdraw`);
  assert.deepEqual([taken.body.status, taken.body.returned], ['withdrawn', gbp(0)]);
  const { id } = (await post(pathOf(paymentId), { reason: 'other' })).body;
  const blank = await post(`/api/v1/disputes/${id}/reject`, { answer: '  ' });
  assert.deepEqual(Object.keys(detailsOf(blank) ?? {}), ['answer']);
  const rejected = await post(`/api/v1/disputes/${id}/reject`, { answer: 'You asked for it.' });
  assert.deepEqual(
    [rejected.body.status, rejected.body.answer, rejected.body.refund_id],
    ['rejected', 'You asked for it.', null],
  );
  assert.equal(codeOf(await post(`/api/v1/disputes/${id}/withdraw`)), 'dispute_ended');
});

test('a dispute is open again when its refund comes back, and is refunded again', async () => {
  const { id: paymentId } = await nextPayment();
  const { id } = (await post(pathOf(paymentId), { reason: 'unauthorised' })).body;
  await service.api('PUT', '/sandbox/issuer', { modes: ['returned_payouts'] });
  await post(`/api/v1/disputes/${id}/refund`);
  await service.advance('P2DT2H');
  await service.api('PUT', '/sandbox/issuer', { modes: [] });
  const again = await read<DisputeView>(`/api/v1/disputes/${id}`);
  assert.deepEqual([again.status, again.left, again.refund_id], ['open', gbp(4999), null]);
  assert.ok((await kindsOf()).includes('dispute.reopened'));
  const refunded = await post(`/api/v1/disputes/${id}/refund`);
  assert.equal(refunded.body.status, 'refunded', JSON.stringify(refunded.body));
  await service.advance('PT5M');
  await assertBooksInOrder(service);
});
