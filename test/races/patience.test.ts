import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { revokeStage } from '../../server/src/consents/stages.ts';
import { waitingUnderReplaced } from '../../server/src/payments/books/read-store.ts';
import { openStage } from '../../server/src/payments/stages/open.ts';
import { makeSender, submitStage } from '../../server/src/payments/stages/submit.ts';
import {
  assertLaws,
  bankConsentOf,
  notifyOf,
  onlyPaymentOf,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { NO_SENDER } from '../../server/test-support/no-sender.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

const tooMany = (retryAfterSeconds: number): BankUnavailable =>
  new BankUnavailable('429', { retryAfterSeconds });

test('a bank that asks to be left alone is asked by nobody until then, and then not by all at one moment', async () => {
  const ids = await allDue(h, 60);
  let calls = 0;
  h.bank.before = async (call) => {
    if (call !== 'confirmFunds') return;
    calls += 1;
    throw tooMany(900);
  };
  await h.service.engine.drain();
  assert.ok(calls <= 32, `${calls} calls of a batch of 60, when the first answer was to wait`);
  const before = calls;
  await runFor({ minutes: 14, seconds: 59 });
  assert.equal(calls, before, 'asked again before the quarter of an hour was over');
  h.bank.cheerUp();
  const moments = await h.db.read((tx) =>
    tx.rows<{ dueAt: Temporal.Instant }>('SELECT DISTINCT due_at FROM payment_work'),
  );
  assert.ok(moments.length > 40, `${moments.length} moments for 60 payments`);
  await runFor({ minutes: 5 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('a bank that asks for a day is asked again after an hour: its keys do not last', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw tooMany(86_400);
  };
  await h.service.engine.drain();
  h.bank.cheerUp();
  await runFor({ minutes: 61 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('Retry-After of a bank counts for the questions about payments and for deletions too', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  let reads = 0;
  h.bank.readPayment = async () => {
    reads += 1;
    throw tooMany(1200);
  };
  await runFor({ seconds: 30 });
  assert.equal(reads, 1);
  let deletions = 0;
  h.bank.before = async (call) => {
    if (call !== 'deleteConsent') return;
    deletions += 1;
    throw tooMany(1200);
  };
  await h.update(id, { status: 'cancelled' });
  await runFor({ minutes: 19 });
  assert.deepEqual([reads, deletions], [1, 1]);
  await runFor({ minutes: 10 });
  assert.deepEqual([reads, deletions], [2, 2]);
});

test('what a slow bank leaves no time for within the lease is left to the next claim', async () => {
  const ids = await allDue(h, 80);
  const { banks, issuer, hooks } = h.service.authorisation;
  const sender = makeSender({ platform: h.platform, banks, issuer, consentHooks: hooks });
  const stage = submitStage(h.platform, sender);
  await openStage(h.platform, NO_SENDER).run(h.clock.at, 500);
  const lease = h.clock.at.add({ seconds: 240 });
  let calls = 0;
  h.bank.before = async () => {
    calls += 1;
    h.clock.at = h.clock.at.add({ seconds: 5 }); // each call takes a while, the whole batch far too long
    assert.ok(Temporal.Instant.compare(h.clock.at, lease) < 0, 'called when the lease was over');
  };
  assert.equal(await stage.run(h.clock.at, 250), 80);
  await stage.idle?.();
  assert.ok(calls > 0 && calls < 50, `${calls} calls`);
  h.bank.cheerUp();
  await runFor({ minutes: 30 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(new Set(h.bank.submitted).size, h.bank.submitted.length, 'nobody was sent twice');
});

test('a bank so slow that the checks of a whole batch outlast the lease is still sent a part of it', async () => {
  const ids = await allDue(h, 130);
  const { banks, issuer, hooks } = h.service.authorisation;
  const sender = makeSender({ platform: h.platform, banks, issuer, consentHooks: hooks });
  const stage = submitStage(h.platform, sender);
  await openStage(h.platform, NO_SENDER).run(h.clock.at, 500);
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') h.clock.at = h.clock.at.add({ seconds: 1 });
  };
  assert.equal(await stage.run(h.clock.at, 250), 130);
  await stage.idle?.();
  assert.ok(h.bank.submitted.length >= 64, `${h.bank.submitted.length} of 130 were sent`);
  h.bank.cheerUp();
  await runFor({ minutes: 30 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('a deletion that was hastened while another one was asked for is not put off again', async () => {
  const id = await justDue(h);
  await h.update(id, { status: 'cancelled' });
  const gate = new Gate();
  let calls = 0;
  h.bank.before = async (call) => {
    if (call !== 'deleteConsent') return;
    calls += 1;
    if (calls > 1) return;
    await gate.pass();
    throw new BankUnavailable('down');
  };
  const slow = h.another().engine.drain();
  await gate.reached;
  await h.db.transaction((tx) => tx.run('UPDATE bank_revocations SET due_at = $1', [h.clock.at]));
  gate.open();
  await slow;
  await runFor({ seconds: 1 });
  assert.equal(calls, 2);
  assert.equal(h.bank.deleted.length, 1);
});

test('a revocation waits for a bank that is no longer configured, and is made when it is back', async () => {
  const id = await justDue(h);
  const bankConsentId = await bankConsentOf(h, id);
  await h.update(id, { status: 'cancelled' });
  const without = revokeStage(h.platform, new Map(), waitingUnderReplaced);
  for (let hour = 0; hour < 24; hour++) {
    assert.equal(await without.run(h.clock.at, 10), 1);
    h.clock.at = h.clock.at.add({ hours: 2 });
  }
  assert.ok(h.bank.consents.has(bankConsentId));
  await runFor({ hours: 2 });
  assert.deepEqual(h.bank.deleted, [bankConsentId]);
});

test('a consent of a paused schedule is asked about until the bank answers', async () => {
  const start = h.clock.at.round('second').add({ hours: 24 * 10 });
  const { id } = await h.agreed({ start_date: start.toString() });
  const bankConsentId = await bankConsentOf(h, id);
  await h.update(id, { status: 'paused' });
  const book = h.bank.consents.get(bankConsentId);
  assert.ok(book);
  book.status = 'CANC';
  h.bank.mood.down = true;
  await notifyOf(h, 'consent', bankConsentId);
  await runFor({ minutes: 5 });
  assert.equal((await h.show(id)).status, 'paused');
  h.bank.cheerUp();
  await runFor({ minutes: 60 });
  assert.equal((await h.show(id)).status, 'paused', 'one look ends nothing');
  await runFor({ minutes: 60 });
  assert.equal((await h.show(id)).status, 'cancelled');
});

test('a transfer that the issuer keeps refusing is ordered ever less often', async () => {
  await justDue(h);
  h.issuer.transferError = 'technical';
  await runFor({ hours: 24 });
  const orders = [...h.issuer.orders.values()].filter((m) => m.kind === 'transfer');
  assert.ok(orders.length > 20 && orders.length < 70, `${orders.length} orders in a day`);
  h.issuer.transferError = null;
  await runFor({ hours: 1 });
  await assertLaws(h);
});

test('a payment that a bank keeps open for a day is logged', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  const errors: string[] = [];
  h.platform.log.report = (code) => void errors.push(code);
  await runFor({ hours: 23 });
  assert.equal(errors.length, 0);
  await runFor({ hours: 2 });
  assert.ok(errors.includes('payment.outcome_overdue'));
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
});
