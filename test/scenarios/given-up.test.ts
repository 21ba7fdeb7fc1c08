import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import { eraseCustomer } from '../../server/src/privacy/service.ts';
import {
  dueInAnHour,
  onlyPaymentOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z');
const WORD = { by: 'Ms Hill', reason: 'the bank knows nothing', evidence: 'their letter' };

/** A payment that an operator gave up after two days; its order was open at the bank. */
async function givenUp(status: 'pending' | 'credited' = 'pending') {
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const sent = h.bank.paymentOf(paymentId, 1);
  if (status === 'credited') sent.status = 'credited'; // the bank says so, and no money comes
  await runFor({ hours: 48 });
  assert.equal(await giveUpPayment(h.service.authorisation, paymentId, WORD), 'failed');
  return { id, paymentId, sent };
}

test('a payment that an operator gave up is not retried by hand for seven days after its order', async () => {
  const { paymentId } = await givenUp();
  h.bank.cheerUp();
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  await runFor({ hours: 4 * 24 });
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  await runFor({ hours: 26 });
  assert.equal((await retryByHand(h, paymentId)).status, 'pending');
});

test('it may be retried as soon as the bank says that the order has failed', async () => {
  const { paymentId, sent } = await givenUp();
  h.bank.fail(sent, 'final');
  await runFor({ hours: 25 });
  assert.equal((await retryByHand(h, paymentId)).status, 'pending');
});

test('the bank’s word that it had paid keeps a given-up payment for seven days, not for ever', async () => {
  const { paymentId } = await givenUp('credited');
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  await runFor({ hours: 6 * 24 });
  await assert.rejects(
    retryByHand(h, paymentId),
    refusedWith('limit_exceeded', 'available'), // only the bank's own count of the consent's limit
  );
});

test('the late money of a given-up payment is booked as its own, and no second debit is made', async () => {
  const { id, paymentId, sent } = await givenUp();
  h.bank.credit(sent);
  await runFor({ hours: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(h.bank.submitted, [`${paymentId}-a1`]);
});

test('a customer is not erased while an order may still be open at the bank', async () => {
  const { id } = await givenUp();
  const { customer } = await h.update(id, { status: 'cancelled' });
  const erase = () =>
    h.db.transaction((tx) =>
      eraseCustomer(h.platform, tx, h.clock.at, {
        merchantId: h.merchantId,
        customerId: customer.id,
        reason: 'asked for',
        metadata: false,
      }),
    );
  await runFor({ hours: 1 });
  await assert.rejects(erase(), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.details], ['customer_in_use', { open_orders: '1' }]);
    return true;
  });
  await runFor({ hours: 6 * 24 });
  await erase();
});
