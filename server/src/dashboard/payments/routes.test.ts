import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { paymentsOf } from '../../../test-support/books.ts';
import { allOf, callAs, readAs } from '../../../test-support/dashboard-call.ts';
import { type Harness, type MerchantSide, openHarness } from '../../../test-support/harness.ts';
import { testServer } from '../../../test-support/slices/platform.ts';
import { paymentRoutes } from '../../payments/api/routes.ts';
import type { PaymentView } from '../../payments/api/view.ts';
import { shownBeside } from '../routes.ts';
import { withShown } from '../shown.ts';
import { dashboardPaymentRoutes } from './routes.ts';
import type { PaymentEvidence, PaymentItem } from './view.ts';

let h: Harness;
let other: MerchantSide;
let app: FastifyInstance;
let daily: string;
let poor: string;

before(async () => {
  h = await openHarness();
  other = await h.merchant();
  const bankName = (id: string): string => (id === h.bank.bankId ? h.bank.name : id);
  const routes = [...paymentRoutes(h.platform), ...dashboardPaymentRoutes({ bankName })].map(
    (route) => withShown(h.platform, route, shownBeside(bankName)),
  );
  app = await testServer(h.platform, { routes });
  daily = (await h.agreed({ frequency: 'daily', description: 'Gym', max_retries: 0 })).id;
  await other.agreed({ frequency: 'daily' });
  await h.runUntil('2026-01-15T12:00:00Z');
  h.bank.mood.refuses = 'retryable';
  const start_date = '2026-01-15T20:00:00Z';
  const customer = { type: 'phone' as const, value: '+447700900999' };
  poor = (await h.agreed({ description: 'Poor', start_date, customer, max_retries: 2 })).id;
  await h.runUntil('2026-01-16T21:00:00Z'); // the daily one finally failed, the other waits for its second retry
});
after(async () => {
  await app.close();
  await h.close();
});

const list = (query: string): Promise<PaymentItem[]> =>
  allOf<PaymentItem>(app, h.merchantId, `/api/v1/payments?sort=-due_date&${query}`, 3);
const idsOf = (items: readonly { id: string }[]): string[] => items.map((item) => item.id);
const pick = async (keep: (payment: PaymentView) => boolean): Promise<string[]> =>
  [...(await paymentsOf(h, daily)), ...(await paymentsOf(h, poor))]
    .filter(keep)
    .sort((a, b) => (a.due_date > b.due_date ? -1 : 1))
    .map(({ id }) => id);

test('all payments come, the latest due first, each once, whatever the page', async () => {
  const items = await list('');
  assert.deepEqual(idsOf(items), await pick(() => true));
  assert.equal(items.length, 8);
  const last = items.at(-1);
  assert.deepEqual(
    [last?.schedule_id, last?.shown, last?.amount, last?.status, last?.attempts.length],
    [
      daily,
      { bank: 'Fake Bank', customer: '+44 7700 900123', description: 'Gym' },
      { value: 4999, currency: 'GBP' },
      'success',
      1,
    ],
  );
});

test('they are filtered by status, and a payment that waits says until when and why', async () => {
  for (const status of ['success', 'failed', 'pending', 'processing'] as const)
    assert.deepEqual(idsOf(await list(`status=${status}`)), await pick((p) => p.status === status));
  const [waiting, ...others] = await list('status=pending');
  assert.deepEqual(others, []);
  assert.deepEqual(
    [waiting?.attempts.length, waiting?.next_retry_at, waiting?.error?.code],
    [2, '2026-01-18T20:00:00.000Z', 'technical'],
  );
  assert.equal((await list('status=failed')).length, 1);
});

test('by schedule, by customer and by due date, and by all of them at once', async () => {
  assert.deepEqual(
    idsOf(await list(`schedule_id=${daily}`)),
    await pick((p) => p.schedule_id === daily),
  );
  const [customer] = (await list(`schedule_id=${poor}`)).map((item) => item.customer_id);
  assert.deepEqual(
    idsOf(await list(`customer_id=${customer}`)),
    await pick((p) => p.schedule_id === poor),
  );
  const from = '2026-01-12T09:00:00.000Z';
  const to = '2026-01-14T09:00:00.000Z';
  const span = `from=${from}&to=${to}`;
  const inSpan = await pick((p) => p.due_date >= from && p.due_date < to);
  assert.equal(inSpan.length, 2);
  assert.deepEqual(idsOf(await list(span)), inSpan);
  assert.deepEqual(idsOf(await list(`${span}&schedule_id=${daily}&status=success`)), inSpan);
  assert.deepEqual(await list(`${span}&customer_id=${customer}`), []);
});

test('a search finds a payment by its id, an attempt’s, a bank’s, or by its schedule', async () => {
  const [payment] = await paymentsOf(h, poor);
  assert.ok(payment);
  const banks = [...h.bank.payments.values()].filter((p) => p.endToEndId.startsWith(payment.id));
  const named = [payment.id, `${payment.id}-a2`, ` ${payment.id}-a1 `, poor];
  for (const search of [...named, ...banks.map((p) => p.bankPaymentId)])
    assert.deepEqual(idsOf(await list(`q=${search}`)), [payment.id], search);
  const ofBank = (await paymentsOf(h, daily))[0]?.attempts[0]?.bank_payment_id;
  assert.deepEqual(
    idsOf(await list(`q=${ofBank}`)),
    (await pick((p) => p.schedule_id === daily)).slice(-1),
  );
  for (const search of ['nothing', 'pay_short', `${poor}x`])
    assert.deepEqual(await list(`q=${search}`), []);
  assert.deepEqual(await list(`q=${poor}&schedule_id=${daily}`), []);
});

test('what is asked for wrongly is refused by its name', async () => {
  for (const [query, field] of [
    ['after=x', 'after'],
    ['from=yesterday', 'from'],
    ['to=2026-01-01', 'to'],
    ['from=yesterday&to=2026-01-01', 'from,to'],
    ['status=lost', 'status'],
    ['limit=101', 'limit'],
  ]) {
    const url = `/api/v1/payments?${query}`;
    const { status, body } = await callAs<{ error: { details: object } }>(app, h.merchantId, url);
    assert.deepEqual([status, Object.keys(body.error.details).join()], [400, field]);
  }
});

test('the evidence of a payment: bank, consent, wallet, attempts, ledger and every change', async () => {
  const [paid] = await paymentsOf(h, daily);
  const url = `/api/payments/${paid?.id}/evidence`;
  const evidence = await readAs<PaymentEvidence>(app, h.merchantId, url);
  assert.deepEqual(evidence.bank, { id: 'fakebank', name: 'Fake Bank' });
  assert.ok(h.bank.consents.has(evidence.consent.bank_consent_id ?? ''));
  assert.ok(h.issuer.wallets.has(evidence.wallet.issuer_wallet_id ?? ''));
  assert.deepEqual(
    evidence.attempts.map((a) => [a.number, a.instruction_id, a.bank_payment_id]),
    [[1, `${paid?.id}-a1`, paid?.attempts[0]?.bank_payment_id]],
  );
  assert.notEqual(evidence.attempts[0]?.sent_at, null);
  assert.deepEqual(
    evidence.ledger.map((e) => [e.kind, e.debit.kind, e.credit.kind, e.amount.value]),
    [
      ['pay_in', 'due_from_bank', 'customer_wallet', 4999],
      ['move', 'customer_wallet', 'merchant_wallet', 4999],
    ],
  );
  assert.deepEqual(
    evidence.changes.map(({ title, why }) => [title, why]),
    [
      ['A payment fell due', 'the occurrence is due'],
      ['The collection began', 'attempt 1'],
      ['The payment was collected', 'the money is in your wallet'],
    ],
  );
});

test('another merchant finds none of it', async () => {
  const [paid] = await paymentsOf(h, daily);
  const evidence = await callAs(app, other.merchantId, `/api/payments/${paid?.id}/evidence`);
  assert.equal(evidence.status, 404);
  const list = `/api/v1/payments?`;
  assert.deepEqual(await allOf(app, other.merchantId, `${list}q=${paid?.id}`, 10), []);
  assert.equal((await callAs(app, other.merchantId, `${list}schedule_id=${daily}`)).status, 404);
});
