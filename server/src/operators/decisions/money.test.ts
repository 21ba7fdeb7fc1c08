import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminCaller, testAdmin } from '../../../test-support/admin.ts';
import { assertLaws, dueInAnHour, onlyPaymentOf } from '../../../test-support/books.ts';
import { oneForEach } from '../../../test-support/opened.ts';
import { adminRoutes } from '../routes.ts';
import type { DecisionView } from './view.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z');
const WHY = { reason: 'Ms Hill of the issuer, by phone' };
const AWAY = ['return', 'pay_on'];

/** Runs a test with an operator of the API over the open harness. */
async function asOperator(work: (robin: AdminCaller) => Promise<void>): Promise<void> {
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  const { distrustKey } = h.service;
  const admin = await testAdmin(platform, adminRoutes({ platform, issuer, banks, distrustKey }));
  try {
    await work(await admin.as('Robin Fern'));
  } finally {
    await admin.app.close();
  }
  await assertLaws(h);
}

const read = async (robin: AdminCaller): Promise<DecisionView[]> =>
  (await robin.must('GET', '/decisions')).data;

/** What the list says of each: its reason, its money, what was expected, and its acts. */
const linesOf = (all: readonly DecisionView[]) =>
  all.map(({ reason, amount, expected, acts }) => [reason, amount?.value, expected?.value, acts]);

const idOf = (all: readonly DecisionView[], reason: string): string =>
  all.find((one) => one.reason === reason)?.id ?? '';

/** A payment that was sent to a slow bank, with the bank's record of its first attempt. */
async function sent() {
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const statusOf = async () => (await onlyPaymentOf(h, id)).status;
  return { paymentId, first: h.bank.paymentOf(paymentId, 1), statusOf };
}

/** The same, and the bank reported its first attempt as failed; the second is with the bank. */
async function sentTwice() {
  const payment = await sent();
  h.bank.fail(payment.first, 'retryable');
  await runFor({ hours: 25 });
  return { ...payment, second: h.bank.paymentOf(payment.paymentId, 2) };
}

/** Marks a payment as failed, however often the service asks about it at the same moment. */
async function fail(robin: AdminCaller, paymentId: string): Promise<void> {
  const body = { ...WHY, evidence: 'their letter' };
  const { status } = await robin.call('POST', `/payments/${paymentId}/fail`, body);
  if (status === 200) return;
  await runFor({ minutes: 3 });
  await robin.must('POST', `/payments/${paymentId}/fail`, body);
}

test('a payment whose transfer is refused waits beside what is left over of its money', () =>
  asOperator(async (robin) => {
    const { paymentId, first } = await sent();
    first.status = 'credited';
    h.issuer.payIn({ ...first, amountPence: 5499 });
    await runFor({ minutes: 10 });
    const before = await read(robin);
    assert.deepEqual(linesOf(before), [['another_amount', 5499, 4999, ['accept', ...AWAY]]]);
    h.issuer.transferError = 'wallet_blocked';
    const item = before[0]?.id;
    await robin.must('POST', `/unallocated/${item}/accept`, { ...WHY, payment_id: paymentId });
    await runFor({ hours: 3 });
    const all = await read(robin);
    assert.deepEqual(linesOf(all), [
      ['left_over', 500, undefined, AWAY],
      ['not_transferred', 4999, 4999, ['fail']],
    ]);
    const { body } = await robin.call('POST', `/unallocated/${idOf(all, 'left_over')}/return`, WHY);
    assert.match(body.error.message, /the money has not gone back/);
    await robin.must('GET', `/decisions/payment/${paymentId}`);
    await fail(robin, paymentId);
    assert.deepEqual(linesOf(await read(robin)), [
      ['left_over', 500, undefined, AWAY],
      ['not_transferred', 4999, undefined, ['allocate', ...AWAY]],
    ]);
  }));

test('a payment whose transfer is refused waits beside money of its first attempt in another amount', () =>
  asOperator(async (robin) => {
    const { paymentId, first, second, statusOf } = await sentTwice();
    h.issuer.payIn({ ...first, amountPence: 4998 });
    await runFor({ minutes: 1 });
    h.issuer.transferError = 'wallet_blocked';
    h.bank.credit(second);
    await runFor({ hours: 3 });
    assert.deepEqual(linesOf(await read(robin)), [
      ['another_amount', 4998, 4999, [...AWAY, 'allocate', 'accept']],
      ['not_transferred', 4999, 4999, ['fail']],
    ]);
    await fail(robin, paymentId);
    assert.equal(await statusOf(), 'failed');
  }));

test('money of an earlier attempt is no decision while it may pay automatically: the stuck payment is', () =>
  asOperator(async (robin) => {
    const { paymentId, first, statusOf } = await sentTwice();
    h.bank.credit(first);
    await runFor({ minutes: 1 });
    assert.deepEqual(await read(robin), []);
    const [item] = (await robin.must('GET', '/unallocated')).data;
    assert.equal(item.reason, 'later_attempt');
    const page = await robin.must('GET', `/decisions/unallocated_money/${item.item_id}`);
    assert.deepEqual(page.acts, []);
    assert.match(page.runbook.step, /automatically/);
    await runFor({ hours: 26 });
    assert.deepEqual(linesOf(await read(robin)), [['no_outcome', 4999, 4999, ['fail']]]);
    await fail(robin, paymentId);
    await runFor({ minutes: 1 });
    assert.equal(await statusOf(), 'success');
    assert.deepEqual(await read(robin), []);
  }));

test('money that came twice is a decision once its payment is paid', () =>
  asOperator(async (robin) => {
    const { first, second, statusOf } = await sentTwice();
    h.bank.credit(first);
    await runFor({ minutes: 1 });
    h.bank.credit(second);
    await runFor({ minutes: 1 });
    h.issuer.payIn(second);
    await runFor({ minutes: 1 });
    assert.equal(await statusOf(), 'success');
    assert.deepEqual(linesOf(await read(robin)), [
      ['later_attempt', 4999, undefined, [...AWAY, 'allocate', 'accept']],
      ['paid_already', 4999, undefined, [...AWAY, 'allocate', 'accept']],
    ]);
  }));
