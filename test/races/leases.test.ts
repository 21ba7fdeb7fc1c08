import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import { resumeOrders } from '../../server/src/payments/books/held-store.ts';
import { pollNow, sendNow } from '../../server/src/payments/books/queue-store.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { eventsOf, paymentsOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForAll } from '../../server/test-support/opened.ts';
import { debitsOf, justDue } from './acts.ts';

// A slow or suspended worker keeps its claim while its lease runs; then another claims the attempt.
const { h } = oneForAll();
const PAST_THE_LEASE = { minutes: 4, seconds: 1 };

/** The first worker waits at this call; the second finds the lease over, and does the work. */
async function sleepingAt(
  call: 'confirmFunds' | 'submitPayment',
  meanwhile: () => Promise<void>,
): Promise<void> {
  const gate = new Gate();
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== call) return;
    calls += 1;
    if (calls === 1) await gate.pass();
  };
  const first = h.another().engine.drain();
  await gate.reached;
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  await meanwhile();
  gate.open();
  await first;
}

async function assertCollectedOnce(id: string): Promise<void> {
  const [payment, ...others] = await paymentsOf(h, id);
  assert.ok(payment && others.length === 0);
  assert.equal(payment.status, 'success');
  assert.equal(payment.attempts.length, 1);
  assert.equal(debitsOf(h, payment.id), 1);
  const told = (await eventsOf(h, id)).map((e) => e.kind);
  assert.deepEqual(told, ['schedule.setup_success', 'collection.success']);
}

test('the late answer of a worker whose lease is over changes nothing twice', async () => {
  const id = await justDue(h);
  await sleepingAt('submitPayment', () => h.runUntil(h.clock.at.add({ minutes: 1 })));
  await h.runUntil(h.clock.at.add({ hours: 26 }));
  await assertCollectedOnce(id);
});

test('a worker that wakes before its call asks under the same key, which debits nobody twice', async () => {
  const id = await justDue(h);
  await sleepingAt('confirmFunds', () => h.runUntil(h.clock.at.add({ minutes: 1 })));
  await h.runUntil(h.clock.at.add({ hours: 26 }));
  await assertCollectedOnce(id);
});

test('"not enough money" from a worker that slept is no failure once another has sent the payment', async () => {
  const id = await justDue(h);
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null; // no notice of the money: the outcome is unknown
  await sleepingAt('confirmFunds', async () => {
    h.bank.mood.losesAnswers = true;
    await h.service.engine.drain(); // the second worker debits, and does not learn of it
    h.bank.mood.losesAnswers = false;
    h.bank.mood.funds = false; // the account is empty now for that reason
  });
  h.bank.mood.funds = true;
  h.issuer.onPayIn = onPayIn;
  await h.runUntil(h.clock.at.add({ hours: 26 }));
  await assertCollectedOnce(id);
});

test('a late refusal is no failure once the money is on its way to the merchant', async () => {
  const id = await justDue(h);
  const gate = new Gate();
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== 'submitPayment') return;
    calls += 1;
    if (calls > 1) return;
    await gate.pass();
    throw new BankRefused({ code: 'account_closed', message: 'no', kind: 'final', bankCode: 'T' });
  };
  const first = h.another().engine.drain();
  await gate.reached;
  h.issuer.transferError = 'technical'; // the money waits in the customer's wallet
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  await h.service.engine.drain();
  gate.open();
  await first;
  h.issuer.transferError = null;
  await h.runUntil(h.clock.at.add({ hours: 26 }));
  await assertCollectedOnce(id);
});

test('a worker that slept through the end of the attempt and then hears nothing leaves it ended', async () => {
  const id = await justDue(h);
  const gate = new Gate();
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== 'submitPayment') return;
    calls += 1;
    if (calls > 1) return;
    await gate.pass();
    throw new BankUnavailable('the connection was lost');
  };
  const first = h.another().engine.drain();
  await gate.reached;
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  gate.open();
  await first;
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertCollectedOnce(id);
});

test('news of a payment under a live lease waits for whoever works on it, and makes it due then', async () => {
  const id = await justDue(h);
  const gate = new Gate();
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== 'submitPayment') return;
    calls += 1;
    if (calls > 1) return;
    await gate.pass();
    throw new BankUnavailable('asked to wait', { retryAfterSeconds: 3_600 });
  };
  const first = h.another().engine.drain();
  await gate.reached;
  const [payment] = await paymentsOf(h, id);
  const row = { merchantId: h.merchantId, paymentId: payment?.id ?? '' };
  const { merchantId } = h;
  for (const news of [
    (tx: Tx) => sendNow(tx, h.clock.at, merchantId, [id]),
    (tx: Tx) => pollNow(tx, h.clock.at, row),
    (tx: Tx) => resumeOrders(tx, h.clock.at, { merchantId }),
  ]) {
    h.clock.at = h.clock.at.add({ seconds: 1 });
    await h.db.transaction(news);
    await h.service.engine.drain();
    assert.equal(calls, 1, 'a second call beside the first');
  }
  gate.open();
  await first;
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  assert.equal(calls, 2, 'the news is forgotten');
  await assertCollectedOnce(id);
});

test('a worker whose lease is over does not put off what another works on', async () => {
  const id = await justDue(h);
  const [sleeping, working] = [new Gate(), new Gate()];
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== 'submitPayment') return;
    calls += 1;
    if (calls > 2) return;
    await (calls === 1 ? sleeping : working).pass();
    throw new BankUnavailable('the connection was lost');
  };
  const first = h.another().engine.drain();
  await sleeping.reached;
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  const second = h.another().engine.drain();
  await working.reached;
  sleeping.open();
  await first; // it does not know the outcome of its call
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  assert.equal(calls, 2, 'a third call beside the second');
  working.open();
  await second;
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertCollectedOnce(id);
});
