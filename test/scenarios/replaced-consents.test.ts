import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertLaws,
  bankConsentOf,
  consentsOf,
  onlyPaymentOf,
  paymentsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });

const { h, runFor } = oneForEach();

/** Returns a schedule whose payment is now due, and the bank's id of its consent. */
async function due(): Promise<{ id: string; old: string }> {
  const start = h.clock.at.round('second').add({ hours: 24 });
  const { id } = await h.agreed({ start_date: start.toString() });
  const old = await bankConsentOf(h, id);
  await runFor({ hours: 25 });
  return { id, old };
}

/** Has the customer agree to a higher amount: a new consent replaces the old one. */
async function replaced(id: string): Promise<void> {
  const raised = await h.update(id, { amount: gbp(5999) });
  assert.equal(await h.decide(raised.consent_url), 'granted');
}

async function amountsOf(id: string): Promise<number[]> {
  return (await paymentsOf(h, id)).filter((p) => p.status === 'success').map((p) => p.amount.value);
}

test('a payment that waits for a retry is still collected when a new consent is granted meanwhile', async () => {
  h.bank.mood.funds = false;
  const { id, old } = await due();
  assert.equal((await onlyPaymentOf(h, id)).status, 'pending');
  await replaced(id);
  h.bank.mood.funds = true;
  await runFor({ hours: 48 });
  const collected = await onlyPaymentOf(h, id);
  assert.equal(collected.status, 'success', JSON.stringify(collected.error));
  assert.equal(collected.amount.value, 4999, 'at the terms under which it fell due');
  await runFor({ hours: 24 * 31 });
  assert.deepEqual(await amountsOf(id), [4999, 5999]);
  assert.equal((await consentsOf(h, id))[0]?.status, 'replaced');
  assert.ok(h.bank.deleted.includes(old), 'and then the old bank consent is deleted');
  await assertLaws(h);
});

test('what the bank has when a new consent is granted may fail, and is then retried under the old one', async () => {
  h.bank.mood.slow = true;
  const { id, old } = await due();
  const waiting = await onlyPaymentOf(h, id);
  assert.equal(waiting.status, 'processing');
  await replaced(id);
  await runFor({ hours: 12 });
  assert.equal(h.bank.consents.get(old)?.status, 'AUTH', 'the bank has not decided');
  h.bank.fail(h.bank.paymentOf(waiting.id, 1), 'retryable');
  h.bank.mood.slow = false;
  await runFor({ hours: 36 });
  const collected = await onlyPaymentOf(h, id);
  assert.equal(collected.status, 'success', JSON.stringify(collected.error));
  assert.equal(collected.attempts.length, 2);
  assert.equal(h.bank.paymentOf(waiting.id, 2).bankConsentId, old);
  assert.ok(h.bank.deleted.includes(old), 'and then the old bank consent is deleted');
  await assertLaws(h);
});

test('what a replaced consent is kept for ends with the schedule, and so does it', async () => {
  h.bank.mood.funds = false;
  const { id, old } = await due();
  await replaced(id);
  await runFor({ hours: 1 });
  assert.equal(h.bank.consents.has(old), true, 'a payment waits under it');
  await h.update(id, { status: 'cancelled' });
  await runFor({ seconds: 1 });
  assert.equal(h.bank.consents.has(old), false);
});
