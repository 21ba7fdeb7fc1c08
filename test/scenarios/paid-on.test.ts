import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endUnallocated, OperatorRefusal } from '../../server/src/payments/operator/decide.ts';
import type { Decision } from '../../server/src/payments/payment/unallocated-item.ts';
import {
  assertLaws,
  dueInAnHour,
  eventsOf,
  onlyPaymentOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z');

/** A payment failed, and late money without a name came that may be its own. */
async function lateMoney(kind: 'retryable' | 'final', fields = {}) {
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h, { frequency: 'yearly', ...fields });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, kind);
  await runFor({ hours: 2 });
  h.issuer.payIn({ ...first, endToEndId: 'NOTPROVIDED' });
  await runFor({ minutes: 1 });
  h.bank.cheerUp();
  const item = await h.db.read((tx) =>
    tx.row<{ itemId: string; paymentId: string }>(
      `SELECT item_id, payment_id FROM unallocated_items WHERE status = 'open'`,
    ),
  );
  assert.equal(item?.paymentId, paymentId);
  return { id, paymentId, itemId: item?.itemId ?? '', creditor: first.creditor };
}

/** An operator pays the money on to the merchant by hand, at the issuer first. */
async function payOn(
  { itemId, creditor }: { itemId: string; creditor: string },
  decision: Partial<Decision> = {},
): Promise<void> {
  const wallet = [...h.issuer.wallets.values()].find(
    (one) => one.wallet.account.accountNumber === creditor,
  );
  h.issuer.payOutByHand(wallet?.wallet.issuerWalletId ?? '', 4999);
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, itemId, {
    end: 'paid_on',
    paymentId: null,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'transferred to Fernhill by hand',
    ...decision,
  });
}

test('a payment whose money was paid on by hand is not retried by hand', async () => {
  const late = await lateMoney('final');
  await payOn(late);
  await assert.rejects(retryByHand(h, late.paymentId), refusedWith('payment_not_retryable'));
  await assertLaws(h);
  assert.equal(h.bank.submitted.length, 1);
});

test('its automatic retry ends, and the merchant is told why', async () => {
  const late = await lateMoney('retryable');
  await payOn(late);
  await runFor({ hours: 10 * 24 });
  const payment = await onlyPaymentOf(h, late.id);
  assert.deepEqual([payment.status, payment.error?.code], ['failed', 'paid_by_hand']);
  const told = (await eventsOf(h, late.id)).filter(({ kind }) => kind === 'collection.failed');
  assert.equal(told.length, 2);
  assert.deepEqual(h.bank.submitted, [`${late.paymentId}-a1`]);
});

test('the operator may name the payment that the money settles; the guess is then free', async () => {
  const late = await lateMoney('final');
  h.bank.mood.funds = false;
  const other = await dueInAnHour(h, { frequency: 'yearly', max_retries: 0 });
  h.bank.cheerUp();
  const { id: otherPayment } = await onlyPaymentOf(h, other);
  await payOn(late, { paymentId: otherPayment });
  await assert.rejects(retryByHand(h, otherPayment), refusedWith('payment_not_retryable'));
  assert.equal((await retryByHand(h, late.paymentId)).status, 'pending');
  await runFor({ hours: 1 });
});

test('the operator may say that the money settles no payment', async () => {
  const late = await lateMoney('final');
  await payOn(late, { paymentId: 'none' });
  assert.equal((await retryByHand(h, late.paymentId)).status, 'pending');
  await runFor({ hours: 1 });
});

test('a payment that is paid already is settled by nothing else', async () => {
  const late = await lateMoney('final');
  const other = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: otherPayment, status } = await onlyPaymentOf(h, other);
  assert.equal(status, 'success');
  await assert.rejects(payOn(late, { paymentId: otherPayment }), OperatorRefusal);
  h.issuer.payIn({ endToEndId: 'BACK', amountPence: 4999, creditor: late.creditor }); // undo the pay-out by hand
  await runFor({ minutes: 1 });
});
