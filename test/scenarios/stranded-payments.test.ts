import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import {
  assertLaws,
  bankConsentOf,
  errorCodeIn,
  eventsOf,
  notifyOf,
  onlyPaymentOf,
  paymentsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

// Payments under a consent that waits for its customer, and that nobody can confirm any more.
const gbp = (value: number) => ({ value, currency: 'GBP' });

const { h, runFor } = oneForEach();

/** Returns a schedule whose first payment is due in an hour, and the bank's id of its consent. */
async function begun(body: object = {}): Promise<{ id: string; old: string }> {
  const start = h.clock.at.round('second').add({ hours: 24 });
  const { id } = await h.agreed({ start_date: start.toString(), ...body });
  const old = await bankConsentOf(h, id);
  await h.runUntil(start.subtract({ hours: 1 }));
  return { id, old };
}

/**
 * To the day after the first payment, before its retry: a consent of that day begins only with the next payment, whose retries
 * would leave its period.
 */
const NO_ROOM = { hours: 23 } as const;

/** Makes the bank refuse every order under this consent until its customer has authenticated again; counts them. */
function wantsCustomerOf(bankConsent: string): { orders: number } {
  const asked = { orders: 0 };
  const submit = Object.getPrototypeOf(h.bank).submitPayment;
  h.bank.submitPayment = async (grant, request) => {
    if (request.bankConsentId !== bankConsent) return submit.call(h.bank, grant, request);
    asked.orders += 1;
    const code = 'reauthentication_required';
    throw new BankRefused({ code, message: 'no', kind: 'retryable', bankCode: 'U028' });
  };
  return asked;
}

/** Has the customer agree to another amount: a new consent replaces the old one. */
async function replaced(id: string, value = 5999): Promise<void> {
  const raised = await h.update(id, { amount: gbp(value) });
  assert.equal(await h.decide(raised.consent_url), 'granted');
}

/** Expects the payment to have failed for want of the customer, and the merchant to know. */
async function assertToldOf(id: string): Promise<void> {
  const [payment] = await paymentsOf(h, id).then((all) => all.slice(-1));
  assert.equal(payment?.status, 'failed');
  assert.equal(payment?.error?.code, 'reauthentication_required');
  const failures = (await eventsOf(h, id)).filter((one) => one.kind === 'collection.failed');
  assert.equal(errorCodeIn(failures.at(-1)), 'reauthentication_required');
}

test('a payment that waits for its customer does not outwait the consent that a new one replaces', async () => {
  const { id, old } = await begun();
  const asked = wantsCustomerOf(old);
  await runFor(NO_ROOM);
  assert.equal((await h.show(id)).consent_notice?.kind, 'reauthentication_needed');
  await replaced(id);
  await runFor({ minutes: 10 });
  await assertToldOf(id);
  assert.equal(asked.orders, 1);
  assert.equal((await h.show(id)).consent_notice, null);
  await runFor({ hours: 24 * 31 });
  assert.equal((await paymentsOf(h, id)).filter((p) => p.status === 'success').length, 1);
  assert.ok(h.bank.deleted.includes(old), 'nothing needs the old consent');
  await assertLaws(h);
});

test('what waits for its customer is collected under a consent of the same day: it is valid at once', async () => {
  const { id, old } = await begun();
  const asked = wantsCustomerOf(old);
  await runFor({ hours: 2 });
  await replaced(id);
  await runFor({ minutes: 10 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.attempts.length, asked.orders], ['success', 1, 1]);
  const [debit, ...others] = [...h.bank.payments.values()];
  assert.deepEqual([debit?.bankConsentId, others.length], [await bankConsentOf(h, id), 0]);
  await assertLaws(h);
});

test('a bank that wants the customer of a replaced consent ends what waited for a retry under it', async () => {
  const { id, old } = await begun();
  h.bank.mood.funds = false;
  await runFor(NO_ROOM);
  assert.equal((await onlyPaymentOf(h, id)).status, 'pending');
  await replaced(id);
  h.bank.mood.funds = true;
  const asked = wantsCustomerOf(old);
  await runFor({ hours: 24 * 20 });
  await assertToldOf(id);
  assert.equal(asked.orders, 1);
  await assertLaws(h);
});

test('a token that the bank of a replaced consent does not renew ends what waited under it', async () => {
  const { id } = await begun();
  h.bank.mood.funds = false;
  await runFor(NO_ROOM);
  await replaced(id);
  h.bank.mood.funds = true;
  h.bank.refresh = async () => {
    const code = 'reauthentication_required';
    throw new BankRefused({ code, message: 'no', kind: 'retryable', bankCode: 'invalid_grant' });
  };
  await runFor({ hours: 24 * 3 });
  await assertToldOf(id);
  await assertLaws(h);
});

test('a retry that begins under a suspended consent that was replaced is sent under neither', async () => {
  const { id, old } = await begun();
  h.bank.mood.refuses = 'retryable';
  await runFor({ hours: 22 });
  const book = h.bank.consents.get(old);
  assert.ok(book);
  book.status = 'SUSP';
  h.bank.cheerUp();
  await notifyOf(h, 'consent', old);
  await runFor({ hours: 1 });
  assert.equal((await h.show(id)).consent_notice?.kind, 'reauthentication_needed');
  await replaced(id);
  const sent = h.bank.submitted.length;
  await runFor({ hours: 24 * 3 });
  await assertToldOf(id);
  assert.equal(h.bank.submitted.length, sent);
  await assertLaws(h);
});

test('what waits under a replaced consent goes on under the new one where that has room', async () => {
  const { id, old } = await begun({ frequency: 'daily' });
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('down');
  };
  await runFor({ hours: 3 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await replaced(id);
  await runFor({ hours: 22 });
  h.bank.before = null;
  const asked = wantsCustomerOf(old);
  await runFor({ hours: 12 });
  assert.ok(asked.orders <= 1, `${asked.orders} orders`);
  const payments = await paymentsOf(h, id);
  assert.deepEqual(payments.map((p) => [p.status, p.amount.value]).sort(), [
    ['success', 4999],
    ['success', 5999],
  ]);
  assert.ok(h.bank.deleted.includes(old), 'nothing needs the old consent');
  await assertLaws(h);
});

test('an order that may be with the bank is not moved to a new consent, and is paid once', async () => {
  const { id } = await begun();
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null;
  h.bank.mood.losesAnswers = true;
  await runFor({ minutes: 61 });
  h.bank.cheerUp();
  await replaced(id);
  h.issuer.onPayIn = onPayIn;
  await runFor({ hours: 26 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('a payment that waits for its customer does not outwait the agreed end of its consent', async () => {
  const start = h.clock.at.round('second').add({ hours: 24 });
  const end = start.add({ hours: 24 * 10 });
  const { id, old } = await begun({ end_date: end.toString() });
  wantsCustomerOf(old);
  await runFor({ hours: 24 * 20 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'failed', JSON.stringify(payment.error));
  await assertLaws(h);
});
