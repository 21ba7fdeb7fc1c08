import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import type { Movement } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  eventsOf,
  kindsOf,
  onlyPaymentOf,
  retryByHand,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { dueWithRoom, holdingBefore, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

const giveUp = (paymentId: string, bankIsSilent = false, evidence?: string): Promise<string> =>
  giveUpPayment(h.service.authorisation, paymentId, {
    by: 'Robin',
    reason: 'Fern Bank, Ms Hill, by phone',
    bankIsSilent,
    ...(evidence === undefined ? {} : { evidence }),
  });
const recordReturn = async (
  deps: Parameters<typeof endUnallocated>[0],
  movementId: string,
  reason: string,
): Promise<number> => {
  const who = { by: 'Robin', byId: 'shell:Robin' };
  const decision = { end: 'returned', paymentId: null, ...who, reason } as const;
  return (await endUnallocated(deps, movementId, decision)).item.amountPence;
};
const returned = (movementId: string): Promise<number> =>
  recordReturn(h.service.authorisation, movementId, 'sent back by the issuer on request');

/** Sets up a payment whose call was lost in transit: the bank never saw it, and its outcome is unknown. */
async function lostOnTheWay(): Promise<{ id: string; paymentId: string }> {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost on the way');
  };
  await h.service.engine.drain();
  return { id, paymentId: (await onlyPaymentOf(h, id)).id };
}

/** Asserts that a refused request changes nothing. */
async function refusesWith(ask: () => Promise<unknown>, message: RegExp): Promise<void> {
  const before = await h.db.read((tx) => tx.rows('SELECT * FROM state_changes'));
  await assert.rejects(ask(), { name: 'OperatorRefusal', message });
  assert.deepEqual(await h.db.read((tx) => tx.rows('SELECT * FROM state_changes')), before);
}

test('an attempt of which nobody knows is ended by an operator after 23 hours, and its merchant is told', async () => {
  const { id, paymentId } = await lostOnTheWay();
  await refusesWith(() => giveUp(paymentId), /still asked automatically/);
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
  assert.deepEqual(why, [{ reason: 'given up by Robin: Fern Bank, Ms Hill, by phone' }]);
  await refusesWith(() => giveUp(paymentId), /is failed, not processing/);
  h.bank.cheerUp();
  await assert.rejects(retryByHand(h, paymentId), { code: 'payment_not_retryable' });
  await runFor({ hours: 24 * 7 });
  await retryByHand(h, paymentId);
  await runFor({ minutes: 5 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('what an operator ended still succeeds when its money comes', async () => {
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null;
  h.bank.mood.losesAnswers = true;
  const listMovements = h.issuer.listMovements.bind(h.issuer);
  const listStatement = h.issuer.listStatement.bind(h.issuer);
  h.issuer.listMovements = async function* () {}; // the issuer shows it late
  h.issuer.listStatement = async function* () {};
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  h.bank.before = async () => {
    throw new BankUnavailable('down');
  };
  await runFor({ hours: 30 });
  assert.equal(await giveUp(paymentId), 'failed');
  h.issuer.listMovements = listMovements;
  h.issuer.listStatement = listStatement;
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
    tx.rows<{ issuerWalletId: string }>(
      `SELECT w.issuer_wallet_id FROM payments p JOIN wallets w USING (merchant_id, wallet_id) WHERE payment_id = $1`,
      [paymentId],
    ),
  );
  const wallet = h.issuer.wallets.get(wallets[0]?.issuerWalletId ?? '');
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
  await refusesWith(() => giveUp(paymentId, true), /the bank reports RJCT/);
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
  assert.deepEqual(both.map((one) => one.status).sort(), ['fulfilled', 'rejected']);
  const refused = both.find((one) => one.status === 'rejected');
  assert.match(String(refused?.reason), /^OperatorRefusal: the payment is failed, not processing/);
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'collection.failed']);
});

test('an operator who asked before another one had ended the attempt is refused', async () => {
  const { id, paymentId } = await lostOnTheWay();
  await runFor({ hours: 30 });
  const gate = new Gate();
  const late = h.another({ db: (db) => holdingBefore(db, 'FOR SHARE', gate) }).authorisation;
  const second = giveUpPayment(late, paymentId, {
    by: 'Sam',
    reason: 'Fern Bank, Mr Moss, by letter',
  });
  await gate.reached;
  assert.equal(await giveUp(paymentId), 'failed');
  gate.open();
  await assert.rejects(second, { name: 'OperatorRefusal', message: /is failed, not processing/ });
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'collection.failed']);
});

test('no attempt is ended while the last repeat of its call may be under way', async () => {
  const { id, paymentId } = await lostOnTheWay();
  const sent = h.clock.at;
  await runFor({ hours: 22, minutes: 30 });
  h.clock.at = sent.add({ hours: 22, minutes: 59, seconds: 59 });
  await h.db.transaction((tx) => tx.run('UPDATE payment_work SET due_at = $1', [h.clock.at]));
  const gate = new Gate();
  h.bank.before = async (call) => {
    if (call === 'submitPayment') await gate.pass();
  };
  const repeating = h.another().engine.drain();
  await gate.reached;
  h.clock.at = h.clock.at.add({ seconds: 2 });
  await refusesWith(() => giveUp(paymentId), /still asked automatically/);
  gate.open();
  await repeating;
  h.bank.cheerUp();
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

/** Sets up money that came a second time for a payment: no payment awaits it. */
async function extraPayIn(): Promise<{ again: () => Promise<Movement>; extra: Movement }> {
  const id = await justDue(h);
  await runFor({ minutes: 1 });
  const payment = await onlyPaymentOf(h, id);
  const again = async (): Promise<Movement> => {
    const movement = h.issuer.payIn(h.bank.paymentOf(payment.id, 1));
    await runFor({ minutes: 1 });
    return movement;
  };
  return { again, extra: await again() };
}

/** The issuer's staff send money of a wallet back. */
function sendBack({ toIssuerWalletId, amountPence }: Movement): void {
  const wallet = h.issuer.wallets.get(toIssuerWalletId ?? '')?.wallet;
  assert.ok(wallet);
  wallet.balancePence -= amountPence;
}

/** Starts another operator, who has queried the issuer and waits at the gate before the ledger is read. */
function lateReturn(movementId: string): { gate: Gate; second: Promise<number> } {
  const gate = new Gate();
  const late = h.another({
    db: (db) => holdingBefore(db, 'FROM wallets WHERE', gate),
  }).authorisation;
  return { gate, second: recordReturn(late, movementId, 'sent back, says the letter') };
}

test('an operator who asked before another one had booked the return is refused', async () => {
  const { again, extra } = await extraPayIn();
  const other = await again();
  sendBack(extra);
  sendBack(other); // the ledger has room for a second return
  const { gate, second } = lateReturn(extra.movementId);
  await gate.reached;
  assert.equal(await returned(extra.movementId), 4999);
  gate.open();
  await assert.rejects(second, {
    name: 'OperatorRefusal',
    message: /its return is booked already/,
  });
  assert.equal(await returned(other.movementId), 4999);
  await assertLaws(h);
});

test('money that comes while the issuer is asked is not taken for money that has gone back', async () => {
  const { again, extra } = await extraPayIn();
  const { gate, second } = lateReturn(extra.movementId);
  await gate.reached; // the issuer still has it
  await again();
  gate.open();
  await assert.rejects(second, {
    name: 'OperatorRefusal',
    message: /our ledger has changed .*try again/,
  });
  await assertLaws(h);
});

test('the return of an extra pay-in is booked once, when the issuer has sent the money back', async () => {
  const { extra } = await extraPayIn();
  await assertLaws(h);
  await refusesWith(() => returned('mv-none'), /no unallocated money mv-none/);
  await refusesWith(
    () => returned(extra.movementId),
    /the issuer holds 4999 pence .* our ledger 4999/,
  );
  sendBack(extra);
  h.issuer.down = true;
  await refusesWith(() => returned(extra.movementId), /the issuer does not tell/);
  h.issuer.down = false;
  assert.equal(await returned(extra.movementId), 4999);
  await refusesWith(() => returned(extra.movementId), /booked already/);
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
    tx.rows<{ sourceId: string }>('SELECT movement_id AS source_id FROM unallocated_items'),
  );
  await refusesWith(() => returned(extra?.sourceId ?? ''), /is processing and may be paid by it/);
  h.bank.fail(h.bank.paymentOf(paymentId, 2), 'final');
  await runFor({ hours: 72 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await refusesWith(() => returned(extra?.sourceId ?? ''), /has paid for the payment/);
  await assertLaws(h);
});
