import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWaiting, listWaiting } from '../../server/src/payments/books/waiting-store.ts';
import { endUnallocated, OperatorRefusal } from '../../server/src/payments/operator/decide.ts';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import {
  assertLaws,
  dueInAnHour,
  eventsOf,
  kindsOf,
  onlyPaymentOf,
  refusedWith,
  retryByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z');
const WORD = { by: 'Ms Hill', reason: 'the issuer holds the wallet', evidence: 'their letter' };

const giveUp = (paymentId: string, word: Partial<typeof WORD> = WORD) =>
  giveUpPayment(h.service.authorisation, paymentId, { ...WORD, ...word });

/** A payment whose money has been in the customer's wallet for six days: the issuer refuses the transfer. */
async function stuck(): Promise<{ id: string; paymentId: string }> {
  h.issuer.transferError = 'wallet_blocked';
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  await runFor({ hours: 6 * 24 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  return { id, paymentId };
}

const openItems = () =>
  h.db.read((tx) =>
    tx.rows<{ itemId: string; reason: string; paymentId: string; amountPence: number }>(
      `SELECT * FROM unallocated_items WHERE status = 'open'`,
    ),
  );

test('a payment whose money cannot be transferred is on the operators’ list with its age', async () => {
  const { paymentId } = await stuck();
  const [waiting] = await h.db.read((tx) => listWaiting(tx, h.clock.at, 10));
  assert.deepEqual([waiting?.payment_id, waiting?.waits_for], [paymentId, 'not_transferred']);
  assert.match(waiting?.age ?? '', /^[56] days/);
  const own = await h.db.read((tx) => findWaiting(tx, h.clock.at, h.merchantId, [paymentId]));
  assert.equal(own.get(paymentId)?.reason, 'not_transferred');
});

test('an operator ends it: its money is an item of the list, the merchant is told, and it is not debited again', async () => {
  const { id, paymentId } = await stuck();
  await giveUp(paymentId).catch((error: unknown) => {
    if (!/try again/.test(String(error))) throw error;
    return giveUp(paymentId);
  });
  assert.equal((await onlyPaymentOf(h, id)).status, 'failed');
  const [item] = await openItems();
  assert.deepEqual(
    [item?.reason, item?.paymentId, item?.amountPence],
    ['not_transferred', paymentId, 4999],
  );
  assert.deepEqual((await kindsOf(h, id)).slice(1), [
    'collection.failed',
    'payment.unexpected_money',
  ]);
  await assertLaws(h);
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  h.issuer.transferError = null; // the wallet is open again, and the money goes where it should
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, item?.itemId ?? '', {
    end: 'allocated',
    paymentId,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'the wallet is open again',
  });
  await runFor({ hours: 48 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(
    (await settlementsOf(h)).map(({ amount }) => amount.value),
    [4999],
  );
  assert.equal((await eventsOf(h, id)).at(-1)?.kind, 'collection.success');
  assert.equal(h.bank.submitted.length, 1);
});

test('money that the payer’s bank took back is not set aside: the merchant owes it', async () => {
  const { paymentId } = await stuck();
  await runFor({ minutes: 3 });
  const [payIn] = [...h.issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .filter(({ kind }) => kind === 'payin');
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await runFor({ minutes: 5 });
  await assert.rejects(giveUp(paymentId), /bank took .* back/);
  await assertLaws(h);
});

test('its money can be sent back to the customer', async () => {
  const { paymentId } = await stuck();
  await runFor({ minutes: 3 });
  await giveUp(paymentId).catch(() => giveUp(paymentId));
  const [item] = await openItems();
  const [wallet] = [...h.issuer.wallets.values()].filter(
    ({ wallet: one }) => one.balancePence === 4999,
  );
  assert.ok(wallet);
  h.issuer.payOutByHand(wallet.wallet.issuerWalletId, 4999);
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, item?.itemId ?? '', {
    end: 'returned',
    paymentId: null,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'sent back',
  });
  await assertLaws(h);
});

test('money that came a moment ago, and a transfer that the issuer has made, are not set aside', async () => {
  const transfer = h.issuer.transfer.bind(h.issuer);
  h.issuer.transfer = async (orders) => {
    const made = await transfer(orders); // the issuer tells only of the order
    return new Map([...made].map(([key, one]) => [key, { ...one, status: 'pending' as const }]));
  };
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: paymentId, status } = await onlyPaymentOf(h, id);
  assert.equal(status, 'processing');
  await assert.rejects(giveUp(paymentId), OperatorRefusal);
  await runFor({ hours: 5 });
  await assert.rejects(giveUp(paymentId), /has made the transfer/);
  h.issuer.transfer = transfer;
  await runFor({ hours: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('a transfer that the issuer left without an answer is ordered again seconds after it answers, under its key', async () => {
  h.issuer.losesAnswers = true;
  await dueInAnHour(h, { frequency: 'yearly' });
  h.issuer.losesAnswers = false;
  const statuses = () =>
    h.db.read((tx) => tx.rows<{ status: string }>('SELECT status FROM payments'));
  assert.deepEqual(await statuses(), [{ status: 'processing' }]);
  await runFor({ seconds: 15 });
  assert.deepEqual(await statuses(), [{ status: 'success' }]);
  await assertLaws(h);
});
