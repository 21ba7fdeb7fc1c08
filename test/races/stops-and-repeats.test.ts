import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BankDefect,
  BankRefused,
  BankUnavailable,
  SignatureRefused,
} from '../../server/src/banks/bank.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { cancelOver, debitsOf, dueWithRoom, holdingBefore, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

test('a pause while a failure is being recorded also stops the retry', async () => {
  const id = await justDue(h);
  h.bank.mood.funds = false;
  const gate = new Gate();
  const other = h.another({ db: (db) => holdingBefore(db, 'polls = 0, manual = false', gate) });
  const collecting = other.engine.drain();
  await gate.reached;
  const pausing = h.update(id, { status: 'paused' }); // it waits until the retry is planned, and ends it
  gate.open();
  await Promise.all([collecting, pausing]);
  h.bank.cheerUp();
  await runFor({ hours: 30 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal((await h.show(id)).status, 'paused');
  assert.equal(debitsOf(h, payment.id), 0, 'a paused schedule collected');
});

test('nothing is sent for a schedule paused while the bank could not even be asked for funds', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('the bank is down');
  };
  await h.service.engine.drain();
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await h.update(id, { status: 'paused' });
  h.bank.cheerUp();
  await runFor({ hours: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(debitsOf(h, payment.id), 0, 'first POST ever was made after the pause');
});

test('nothing is sent under a consent that is revoked in our books', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'confirmFunds' || call === 'deleteConsent') throw new BankUnavailable('down');
  };
  await h.service.engine.drain();
  await h.update(id, { status: 'cancelled' });
  await h.service.engine.drain(); // the deletion fails: the bank is down
  h.bank.cheerUp();
  await runFor({ seconds: 3 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(debitsOf(h, payment.id), 0, 'collected after the consent was revoked here');
});

test('what was sent while a cancellation waited was sent under a consent that still stood', async () => {
  const id = await justDue(h);
  const gate = new Gate();
  const waiting = holdingBefore(h.db, 'ORDER BY schedule_id FOR UPDATE', gate);
  const cancelling = cancelOver(h, waiting, id);
  await gate.reached;
  h.clock.at = h.clock.at.add({ seconds: 5 });
  await h.service.engine.drain();
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  gate.open();
  await cancelling;
  assert.equal((await h.show(id)).status, 'cancelled');
  await assertLaws(h);
});

test('nothing is sent under a consent that is being ended just now', async () => {
  const id = await justDue(h);
  const [toSend, toEnd] = [new Gate(), new Gate()];
  const sending = h
    .another({ db: (db) => holdingBefore(db, 'UPDATE attempts a SET sent_at', toSend) })
    .engine.drain();
  await toSend.reached; // every check has passed
  const cancelling = cancelOver(h, holdingBefore(h.db, 'INTO bank_revocations', toEnd), id);
  await toEnd.reached; // it has ended the consent, and not committed yet
  toSend.open();
  await sleep(100); // it should wait for the cancellation
  toEnd.open();
  await Promise.all([sending, cancelling]);
  await runFor({ hours: 1 });
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 0);
  await assertLaws(h);
});

test('a payment that was never sent because the bank was down for a day ends', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'confirmFunds' || call === 'submitPayment') throw new BankUnavailable('down');
  };
  await runFor({ hours: 24 });
  h.bank.cheerUp();
  await runFor({ hours: 24 * 3 });
  const payment = await onlyPaymentOf(h, id);
  assert.notEqual(payment.status, 'processing', `still ${payment.status} after 4 days`);
});

test('a refused repeat of a call with unknown outcome is no known failure', async () => {
  const { onPayIn } = h.issuer;
  const id = await dueWithRoom(h);
  h.issuer.onPayIn = null; // the notice of the money is late
  let calls = 0;
  h.bank.mood.losesAnswers = true;
  h.bank.before = async (call) => {
    if (call !== 'submitPayment') return;
    calls += 1;
    // What the connector does with a 401 from the gateway while the consent is live.
    if (calls === 2)
      throw new BankRefused({
        code: 'technical',
        message: 'no',
        kind: 'retryable',
        bankCode: '401',
      });
  };
  await h.service.engine.drain();
  h.bank.mood.losesAnswers = false;
  await runFor({ hours: 26 });
  h.issuer.onPayIn = onPayIn;
  const payment = await onlyPaymentOf(h, id);
  assert.equal(debitsOf(h, payment.id), 1, 'debited twice for one occurrence');
});

test('a token endpoint that finds fault with our client fails no collection for good', async () => {
  const id = await justDue(h);
  const other = h.another({
    bank: (bank) =>
      new Proxy(bank, {
        get: (target, name) =>
          name === 'refresh'
            ? async () => {
                throw new BankDefect('the bank refused us a token', 'invalid_client');
              }
            : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
      }),
  });
  await other.engine.drain();
  const payment = await onlyPaymentOf(h, id);
  assert.notEqual(payment.status, 'failed', JSON.stringify(payment.error));
});

test('a bank that does not take our signature fails no collection for good', async () => {
  const id = await justDue(h);
  let refused = 0;
  h.bank.before = async (call) => {
    if (call !== 'submitPayment' || refused >= 2) return;
    refused += 1;
    throw new SignatureRefused('the bank answered 400 U016', 'U016');
  };
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await runFor({ hours: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(refused, 2);
  assert.equal(payment.status, 'success', JSON.stringify(payment.error));
  assert.equal(debitsOf(h, paymentId), 1);
  await assertLaws(h);
});

test('a collection whose signature a bank never takes is not sent after its schedule was cancelled', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new SignatureRefused('the bank answered 400 U019', 'U019');
  };
  await runFor({ hours: 5 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await h.update(id, { status: 'cancelled' });
  h.bank.cheerUp();
  await runFor({ hours: 26 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'failed');
  assert.equal(debitsOf(h, paymentId), 0);
  await assertLaws(h);
});

test('a payment that the bank has called debited stays open after a pause, though the bank is then silent', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  atBank.status = 'debited';
  await runFor({ hours: 1 }); // the bank reports ACSC
  await h.update(id, { status: 'paused' });
  h.bank.mood.down = true;
  await runFor({ hours: 30 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  h.bank.cheerUp();
  h.bank.credit(atBank);
  await runFor({ hours: 2 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('a batch that fails before anything is sent is tried again within seconds, not when its lease ends', async () => {
  const id = await justDue(h);
  const gone = Object.assign(new Error('terminated'), { code: '57P01' });
  const failing = h.another({ db: (db) => ({ ...db, read: () => Promise.reject(gone) }) });
  await failing.engine.drain().catch(() => undefined);
  const claimed = await onlyPaymentOf(h, id);
  assert.deepEqual([claimed.status, debitsOf(h, claimed.id)], ['processing', 0]);
  await runFor({ seconds: 10 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});
