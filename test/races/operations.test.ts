import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { giveUpPayment } from '../../server/src/payments/give-up.ts';
import { recordReturn } from '../../server/src/payments/return-pay-in.ts';
import {
  assertLaws,
  eventsOf,
  kindsOf,
  onlyPaymentOf,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { dueWithRoom, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

const giveUp = (paymentId: string, bankIsSilent = false): Promise<string> =>
  giveUpPayment(h.service.authorisation, paymentId, 'Fern Bank, Ms Hill, by phone', bankIsSilent);
const returned = (movementId: string): Promise<number> =>
  recordReturn(h.service.authorisation, movementId, 'sent back by the issuer on request');

/** A payment whose call was lost on the way: the bank never saw it, and nobody knows. */
async function lostOnTheWay(): Promise<{ id: string; paymentId: string }> {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost on the way');
  };
  await h.service.engine.drain();
  return { id, paymentId: (await onlyPaymentOf(h, id)).id };
}

/** Nothing that was refused has changed anything. */
async function refusesWith(ask: () => Promise<unknown>, message: RegExp): Promise<void> {
  const before = await h.db.read((tx) => tx.rows('SELECT * FROM state_changes'));
  await assert.rejects(ask(), { name: 'Refusal', message });
  assert.deepEqual(await h.db.read((tx) => tx.rows('SELECT * FROM state_changes')), before);
}

test('an attempt of which nobody knows is ended by an operator after 23 hours, and its merchant is told', async () => {
  const { id, paymentId } = await lostOnTheWay();
  await refusesWith(() => giveUp(paymentId), /still asked by itself/);
  await runFor({ hours: 30 });
  assert.equal(await giveUp(paymentId), 'failed');
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.error?.code], ['failed', 'technical']);
  assert.equal(payment.attempts[0]?.status, 'failed');
  const [, failed] = await eventsOf(h, id);
  assert.equal(failed?.kind, 'collection.failed');
  assert.equal(failed?.data.next_retry_at, null);
  const why = await h.db.read((tx) =>
    tx.rows<{ reason: string }>(
      `SELECT reason FROM state_changes WHERE object_id = $1 AND to_state = 'failed'`,
      [paymentId],
    ),
  );
  assert.deepEqual(why, [{ reason: 'given up: Fern Bank, Ms Hill, by phone' }]);
  await refusesWith(() => giveUp(paymentId), /is failed, not processing/);
  h.bank.cheerUp();
  await retryByHand(h, paymentId);
  await runFor({ minutes: 5 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('what an operator ended is a success all the same when its money comes', async () => {
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null;
  h.bank.mood.losesAnswers = true;
  const listMovements = h.issuer.listMovements.bind(h.issuer);
  h.issuer.listMovements = async function* () {}; // the issuer shows it late
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  h.bank.before = async () => {
    throw new BankUnavailable('down');
  };
  await runFor({ hours: 30 });
  assert.equal(await giveUp(paymentId), 'failed');
  h.issuer.listMovements = listMovements;
  h.issuer.onPayIn = onPayIn;
  const [wallet] = [...h.issuer.wallets.values()].filter((w) => w.movements.length > 0);
  const [movement] = wallet?.movements ?? [];
  assert.ok(wallet && movement);
  h.issuer.onPayIn?.(wallet.wallet, movement);
  await runFor({ minutes: 5 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('no payment is ended that was not sent, that stands otherwise, or of which the issuer knows or does not say', async () => {
  const { id, paymentId } = await lostOnTheWay();
  await refusesWith(() => giveUp('pay_0000000000000000000000'), /there is no payment/);
  h.bank.before = async (call) => {
    if (call === 'confirmFunds' || call === 'submitPayment') throw new BankUnavailable('down');
  };
  const other = await justDue(h);
  await runFor({ hours: 30 });
  const unsent = await onlyPaymentOf(h, other);
  await refusesWith(() => giveUp(unsent.id), /was not sent yet/);
  h.issuer.down = true;
  await refusesWith(() => giveUp(paymentId), /the issuer does not tell/);
  h.issuer.down = false;
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null;
  const wallets = await h.db.read((tx) =>
    tx.rows<{ issuer_wallet_id: string }>(
      `SELECT w.issuer_wallet_id FROM payments p JOIN wallets w USING (merchant_id, wallet_id) WHERE payment_id = $1`,
      [paymentId],
    ),
  );
  const wallet = h.issuer.wallets.get(wallets[0]?.issuer_wallet_id ?? '');
  h.issuer.payIn({
    endToEndId: `${paymentId}-a1`,
    amountPence: 4999,
    creditor: wallet?.wallet.account.accountNumber ?? '',
  });
  h.issuer.onPayIn = onPayIn;
  await refusesWith(() => giveUp(paymentId), /the money has come, it is movement mv-in-/);
  await runFor({ seconds: 30 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success', 'it is looked for at once');
  await refusesWith(() => giveUp(paymentId), /is success, not processing/);
});

test('a bank that can be asked has the word; one that is silent only where the operator says so', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await runFor({ hours: 30 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await refusesWith(() => giveUp(paymentId), /still open: PDNG/);
  await refusesWith(() => giveUp(paymentId, true), /still open: PDNG/);
  h.bank.mood.down = true;
  await refusesWith(() => giveUp(paymentId), /does not tell of its payment .*: the bank is down/);
  h.bank.mood.down = false;
  h.bank.fail(h.bank.paymentOf(paymentId, 1), 'retryable');
  await refusesWith(() => giveUp(paymentId, true), /the bank says RJCT/);
  await runFor({ seconds: 30 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'pending', 'it is asked at once');
  h.bank.cheerUp();
  h.bank.mood.slow = true;
  await runFor({ hours: 24 * 2 });
  h.bank.mood.down = true;
  await runFor({ hours: 24 });
  assert.equal(await giveUp(paymentId, true), 'failed');
  assert.deepEqual(await kindsOf(h, id), [
    'schedule.setup_success',
    'collection.failed',
    'collection.failed',
  ]);
  h.bank.cheerUp();
  await assertLaws(h);
});

test('two operators at one moment end the attempt once, and the merchant is told once', async () => {
  const { id, paymentId } = await lostOnTheWay();
  await runFor({ hours: 30 });
  const both = await Promise.allSettled([giveUp(paymentId), giveUp(paymentId)]);
  // Who comes second finds it ended, or is refused: it depends on when they looked.
  const ends = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.deepEqual([...new Set(ends)], ['failed']);
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'collection.failed']);
});

test('the return of an extra pay-in is booked once, when the issuer has sent the money back', async () => {
  const id = await justDue(h);
  await runFor({ minutes: 1 });
  const payment = await onlyPaymentOf(h, id);
  const twice = h.issuer.payIn(h.bank.paymentOf(payment.id, 1));
  await runFor({ minutes: 1 });
  await assertLaws(h);
  await refusesWith(() => returned('mv-none'), /no extra pay-in mv-none/);
  await refusesWith(
    () => returned(twice.movementId),
    /the issuer holds 4999 pence .* our ledger 4999/,
  );
  const wallet = h.issuer.wallets.get(twice.toIssuerWalletId ?? '')?.wallet;
  assert.ok(wallet);
  wallet.balancePence -= 4999; // the issuer's people sent it back
  h.issuer.down = true;
  await refusesWith(() => returned(twice.movementId), /the issuer does not tell/);
  h.issuer.down = false;
  assert.equal(await returned(twice.movementId), 4999);
  await refusesWith(() => returned(twice.movementId), /booked already/);
  await assertLaws(h);
});

test('an extra pay-in that may still pay for a payment is not booked as sent back', async () => {
  h.bank.mood.slow = true;
  const id = await dueWithRoom(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await runFor({ hours: 25 });
  h.bank.credit(first); // while the second attempt is with the bank
  await runFor({ minutes: 1 });
  const [extra] = await h.db.read((tx) =>
    tx.rows<{ source_id: string }>(`SELECT source_id FROM transfers WHERE kind = 'extra_pay_in'`),
  );
  await refusesWith(() => returned(extra?.source_id ?? ''), /is processing and may be paid by it/);
  h.bank.fail(h.bank.paymentOf(paymentId, 2), 'final');
  await runFor({ hours: 72 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await refusesWith(() => returned(extra?.source_id ?? ''), /has paid for the payment/);
  await assertLaws(h);
});
