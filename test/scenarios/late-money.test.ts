import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiveNotifications } from '../../server/src/platform/inbox.ts';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import { dueInAnHour, eventsOf, kindsOf, onlyPaymentOf } from '../../server/test-support/books.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForAll();

const due = (body?: Partial<CreateBody>): Promise<string> => dueInAnHour(h, body);

test('the notice of the money may come before the answer of the bank', async () => {
  h.bank.mood.losesAnswers = true;
  const id = await due();
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success', 'nobody has to ask the bank again');
  assert.equal(h.bank.submitted.filter((key) => key.startsWith(payment.id)).length, 1);
});

test('money that comes late for an attempt that had failed is a success, and the waiting retry is not made', async () => {
  h.bank.mood.slow = true;
  const id = await due();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await runFor({ minutes: 10 });
  assert.notEqual((await onlyPaymentOf(h, id)).next_retry_at, null);
  h.bank.credit(first);
  await runFor({ hours: 48 });
  const revived = await onlyPaymentOf(h, id);
  assert.equal(revived.status, 'success');
  assert.equal(revived.attempts.length, 1);
  assert.equal(h.bank.payments.has(`${paymentId}-a2`), false, 'no second debit');
  assert.deepEqual(await kindsOf(h, id), [
    'schedule.setup_success',
    'collection.failed',
    'collection.success',
  ]);
});

test('money that comes late for a payment that had failed for good still succeeds', async () => {
  h.bank.mood.slow = true;
  const id = await due({ max_retries: 0 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'final');
  await runFor({ minutes: 10 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'failed');
  h.bank.credit(first);
  await runFor({ minutes: 1 });
  const revived = await onlyPaymentOf(h, id);
  assert.equal(revived.status, 'success');
  assert.equal(revived.error, null);
});

test('money that comes for a failed attempt while the next is under way pays for the payment when that one fails', async () => {
  h.bank.mood.slow = true;
  const id = await due();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await runFor({ hours: 25 });
  h.bank.credit(first);
  await runFor({ minutes: 1 });
  assert.equal(
    (await onlyPaymentOf(h, id)).status,
    'processing',
    'the second attempt is with the bank',
  );
  h.bank.fail(h.bank.paymentOf(paymentId, 2), 'retryable');
  await runFor({ hours: 72 });
  const revived = await onlyPaymentOf(h, id);
  assert.equal(revived.status, 'success');
  assert.deepEqual(
    revived.attempts.map((a) => a.status),
    ['success', 'failed'],
  );
  assert.equal(h.bank.payments.has(`${paymentId}-a3`), false);
  const told = (await eventsOf(h, id)).slice(1);
  assert.deepEqual(
    told.map((e) => e.kind),
    [
      'collection.failed',
      'payment.unexpected_money', // it is not known yet what it pays for
      'collection.failed',
      'payment.unexpected_money', // it pays for this payment
      'collection.success',
    ],
  );
});

test('a pay-in to a wallet that is not ours, or not open, holds up no other notice', async () => {
  const { externalReference } = [...h.issuer.wallets.values()].map((w) => w.wallet).at(0) ?? {};
  const notices = [
    `${h.merchantId}/wal_0000000000000000000000`,
    'nonsense',
    externalReference ?? '',
  ];
  for (const [n, reference] of notices.entries()) {
    const notice = {
      kind: 'payin',
      externalReference: reference,
      movementId: `mv-odd-${n}`,
      endToEndId: 'x',
      amountPence: 1,
    };
    const stored = { source: 'issuer', notificationId: `odd-${n}`, body: JSON.stringify(notice) };
    if (n < 2) await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, [stored]));
  }
  const id = await due();
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('money that comes twice is unallocated: in the wallet of the customer, but not in its balance', async () => {
  const id = await due({ customer: { phone: '+447700900777' } });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success');
  h.issuer.payIn(h.bank.paymentOf(payment.id, 1));
  await runFor({ minutes: 1 });
  const listed = await h.db.read((tx) =>
    tx.rows(
      `SELECT i.amount_pence, i.reason, i.payment_id, a.balance_pence AS in_account, w.balance_pence AS in_wallet
       FROM unallocated_items i
       JOIN accounts a ON a.merchant_id = i.merchant_id AND a.account_id = 'unallocated'
       JOIN accounts w ON w.merchant_id = i.merchant_id AND w.account_id = i.wallet_id WHERE i.status = 'open'`,
    ),
  );
  assert.deepEqual(listed, [
    {
      amountPence: 4999,
      reason: 'paid_already',
      paymentId: payment.id,
      inAccount: 4999,
      inWallet: 0,
    },
  ]);
  assert.equal((await kindsOf(h, id)).filter((k) => k === 'collection.success').length, 1);
});
