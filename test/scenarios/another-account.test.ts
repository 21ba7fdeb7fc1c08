import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showEvidence } from '../../server/src/dashboard/payments/service.ts';
import { findUsed } from '../../server/src/payments/limits/store.ts';
import {
  assertLaws,
  bankConsentOf,
  consentsOf,
  kindsOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

// A customer who changes banks agrees to the same schedule from another account: docs/rules/consents.md#another-account.
const gbp = (value: number) => ({ value, currency: 'GBP' });
/** Every week, with room for three more payments. */
const ROOMY = { frequency: 'weekly' as const, limits: { per_period: gbp(20_000) } };

const { h, runFor } = oneForEach();

/** Returns a schedule whose first payment is due in an hour, and the bank's id of its consent. */
async function begun(body: object = {}): Promise<{ id: string; old: string }> {
  const start = h.clock.at.round('second').add({ hours: 24 });
  const { id } = await h.agreed({ start_date: start.toString(), ...body });
  const old = await bankConsentOf(h, id);
  await h.runUntil(start.subtract({ hours: 1 }));
  return { id, old };
}

/** Asks for another account, and has the customer agree. Returns the bank's id of the new consent. */
async function switched(id: string): Promise<string> {
  const { consent_url } = await h.anotherAccount(id);
  assert.equal(await h.decide(consent_url), 'granted');
  return bankConsentOf(h, id);
}

const statusesOf = async (id: string): Promise<string[]> =>
  (await consentsOf(h, id)).map(({ status }) => status);

test('the old consent holds until the customer has agreed to the new one, and is deleted then', async () => {
  const { id, old } = await begun();
  const asked = await h.anotherAccount(id);
  assert.equal(asked.status, 'active');
  assert.ok(asked.consent_url !== undefined && asked.portal_url !== undefined);
  await runFor({ hours: 2 });
  const [first] = await paymentsOf(h, id);
  assert.equal(first?.status, 'success', 'collected from the old account meanwhile');
  assert.equal(await h.decide(asked.consent_url), 'granted');
  await runFor({ minutes: 10 });
  assert.ok(h.bank.deleted.includes(old));
  assert.deepEqual(await statusesOf(id), ['replaced', 'granted']);
  const now = await bankConsentOf(h, id);
  await runFor({ hours: 24 * 31 });
  const payments = await paymentsOf(h, id);
  assert.deepEqual(
    payments.map((one) => one.status),
    ['success', 'success'],
  );
  assert.equal(h.bank.paymentOf(payments[1]?.id ?? '', 1).bankConsentId, now);
  assert.equal(
    (await kindsOf(h, id)).filter((kind) => kind === 'schedule.setup_success').length,
    2,
  );
  await assertLaws(h);
});

test('a customer who declines, or lets the link expire, goes on paying from the old account', async () => {
  for (const decides of [true, false]) {
    const { id, old } = await begun();
    const { consent_url: url } = await h.anotherAccount(id);
    if (decides) assert.equal(await h.decide(url, 'access_denied'), 'denied');
    else await runFor({ hours: 24 * 8 });
    assert.deepEqual(await statusesOf(id), ['granted', decides ? 'denied' : 'expired']);
    await runFor({ hours: 24 * 31 });
    assert.ok((await kindsOf(h, id)).includes('schedule.setup_failed'));
    assert.equal((await h.show(id)).status, 'active');
    assert.ok((await paymentsOf(h, id)).every((one) => one.status === 'success'));
    assert.ok(!h.bank.deleted.includes(old));
  }
  await assertLaws(h);
});

test('a new link for a schedule that waits for its customer kills the old one, also one that has run out', async () => {
  const { id, consent_url: lost } = await h.create();
  await h.begin(lost);
  const again = await h.anotherAccount(id);
  assert.equal(again.status, 'pending_consent');
  assert.notEqual(again.consent_url, lost);
  assert.equal(await h.begin(lost), null, 'the old link leads to no bank');
  const ranOut = h.clock.at.add({ hours: 24 * 7, seconds: 1 });
  h.clock.at = ranOut;
  const late = await h.anotherAccount(id);
  assert.equal(await h.decide(late.consent_url), 'granted');
  await runFor({ minutes: 10 });
  assert.deepEqual(await statusesOf(id), ['dropped', 'dropped', 'granted']);
  assert.equal(h.bank.consents.size, 1, 'what was begun at the bank is deleted there');
  await assertLaws(h);
});

test('the last of two new links is the one that works', async () => {
  const { id } = await begun();
  const [one, two] = await Promise.all([h.anotherAccount(id), h.anotherAccount(id)]);
  const { consent_url: works } = await h.show(id);
  const dead = works === two.consent_url ? one.consent_url : two.consent_url;
  assert.equal(await h.begin(dead), null);
  assert.equal(await h.decide(works), 'granted');
  assert.deepEqual(await statusesOf(id), ['replaced', 'dropped', 'granted']);
  await assertLaws(h);
});

test('a cancelled schedule, and one with nothing more to collect, are refused', async () => {
  const { id } = await begun();
  await h.update(id, { status: 'cancelled' });
  await assert.rejects(h.anotherAccount(id), refusedWith('schedule_cancelled'));
  const start = h.clock.at.round('second').add({ hours: 2 });
  const ended = await h.agreed({
    start_date: start.toString(),
    end_date: start.add({ hours: 1 }).toString(),
  });
  await runFor({ hours: 3 });
  await assert.rejects(h.anotherAccount(ended.id), refusedWith('schedule_ended'));
  await assert.rejects(h.anotherAccount('sch_0'), refusedWith('not_found'));
});

test('a paused schedule stays paused and keeps the new consent for its resume', async () => {
  const { id } = await begun();
  await h.update(id, { status: 'paused' });
  const now = await switched(id);
  assert.equal((await h.show(id)).status, 'paused');
  await h.update(id, { status: 'active' });
  await runFor({ hours: 24 * 32 });
  const [payment] = await paymentsOf(h, id);
  assert.equal(h.bank.paymentOf(payment?.id ?? '', 1).bankConsentId, now);
  await assertLaws(h);
});

test('a change of terms that waits is agreed to with the other account', async () => {
  const { id } = await begun();
  const raised = await h.update(id, { amount: gbp(5999) });
  const { consent_url: url, amount } = await h.anotherAccount(id);
  assert.equal(amount.value, 5999);
  assert.equal(await h.begin(raised.consent_url), null);
  assert.equal(await h.decide(url), 'granted');
  assert.equal((await h.show(id)).consented?.amount.value, 5999);
  await assertLaws(h);
});

test('a change within the consent leaves the link for another account open, for the new terms', async () => {
  const { id } = await begun();
  const { consent_url: url } = await h.anotherAccount(id);
  const lowered = await h.update(id, { amount: gbp(1000) });
  assert.equal(lowered.consent_url, url);
  assert.equal(await h.decide(url), 'granted');
  assert.equal((await h.show(id)).consented?.amount.value, 1000);
  await assertLaws(h);
});

test('a retry that waits goes under the new consent where its limits have room', async () => {
  h.bank.mood.funds = false;
  const { id, old } = await begun(ROOMY);
  await runFor({ hours: 2 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'pending');
  const now = await switched(id);
  await runFor({ minutes: 10 });
  assert.ok(h.bank.deleted.includes(old), 'nothing needs the old consent');
  h.bank.mood.funds = true;
  await runFor({ hours: 24 });
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
  assert.equal(h.bank.paymentOf(payment.id, 2).bankConsentId, now);
  await assertLaws(h);
});

test('a retry that waits fails where the new consent begins only with the next payment, and says so', async () => {
  h.bank.mood.funds = false;
  const { id } = await begun();
  await runFor({ hours: 24 }); // the day after: the retries of the next payment would leave a period that begins now
  const now = await switched(id);
  h.bank.mood.funds = true;
  await runFor({ hours: 24 });
  const [payment] = await paymentsOf(h, id);
  assert.deepEqual([payment?.status, payment?.error?.code], ['failed', 'limit_exceeded']);
  assert.match(payment?.error?.message ?? '', /another account now\. .*begins on 6 February 2026/);
  assert.ok(![...h.bank.payments.values()].some(({ bankConsentId }) => bankConsentId === now));
  await assertLaws(h);
});

test('a payment whose account is closed is collected by hand from the other account', async () => {
  h.bank.mood.refuses = 'final';
  const { id } = await begun(ROOMY);
  await runFor({ hours: 2 });
  const failed = await onlyPaymentOf(h, id);
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'account_closed']);
  h.bank.cheerUp();
  const now = await switched(id);
  await retryByHand(h, failed.id);
  await runFor({ hours: 1 });
  assert.ok((await paymentsOf(h, id)).every((one) => one.status === 'success'));
  assert.equal(h.bank.paymentOf(failed.id, 2).bankConsentId, now);
  await assertLaws(h);
});

test('what the bank has at the switch is learnt, and its retry goes under the new consent', async () => {
  h.bank.mood.slow = true;
  const { id, old } = await begun(ROOMY);
  await runFor({ hours: 2 });
  const waiting = await onlyPaymentOf(h, id);
  const now = await switched(id);
  await runFor({ hours: 1 });
  assert.equal(h.bank.consents.get(old)?.status, 'AUTH', 'the bank has not decided');
  h.bank.fail(h.bank.paymentOf(waiting.id, 1), 'retryable');
  h.bank.mood.slow = false;
  await runFor({ hours: 24 * 3 });
  const [payment] = await paymentsOf(h, id);
  assert.deepEqual([payment?.status, payment?.attempts.length], ['success', 2]);
  assert.ok(h.bank.deleted.includes(old));
  assert.equal(h.bank.paymentOf(waiting.id, 2).bankConsentId, now);
  await assertLaws(h);
});

test('no order goes out under the old consent when the customer switches between its checks and its note', async () => {
  const { id, old } = await begun(ROOMY);
  const { consent_url: url } = await h.anotherAccount(id);
  let isAsked = false;
  h.bank.before = async (call) => {
    if (call !== 'confirmFunds' || isAsked) return;
    isAsked = true;
    assert.equal(await h.decide(url), 'granted');
  };
  await runFor({ hours: 2 });
  assert.ok(isAsked);
  const [payment] = await paymentsOf(h, id);
  const under = [...h.bank.payments.values()].map(({ bankConsentId }) => bankConsentId);
  assert.deepEqual([payment?.status, under], ['success', [await bankConsentOf(h, id)]]);
  assert.ok(h.bank.deleted.includes(old));
  await assertLaws(h);
});

test('an order whose outcome is unknown at the switch is repeated under its own key, and paid once', async () => {
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null;
  h.bank.mood.losesAnswers = true;
  const { id } = await begun();
  await runFor({ minutes: 61 });
  h.bank.cheerUp();
  await switched(id);
  h.issuer.onPayIn = onPayIn;
  await runFor({ hours: 26 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

const account = (accountNumber: string) => ({
  sortCode: '040099',
  accountNumber,
  name: 'Kim Fern',
});

test('a payment whose first order is paid after it has moved shows the account that paid', async () => {
  h.bank.agreesWith = account('87651111');
  h.bank.mood.slow = true;
  const { id, old } = await begun(ROOMY);
  await runFor({ hours: 2 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await runFor({ hours: 1 });
  h.bank.agreesWith = account('87652222');
  const now = await switched(id);
  await runFor({ hours: 25 });
  assert.equal((await onlyPaymentOf(h, id)).paying_account?.account_number, '****2222');
  h.bank.credit(first);
  await runFor({ minutes: 1 });
  h.bank.fail(h.bank.paymentOf(paymentId, 2), 'final');
  await runFor({ hours: 3 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual(
    payment.attempts.map(({ status }) => status),
    ['success', 'failed'],
  );
  assert.equal(payment.paying_account?.account_number, '****1111');
  const { consent, attempts } = await h.db.read((tx) =>
    showEvidence(tx, h.merchantId, paymentId, (bankId) => bankId),
  );
  assert.equal(consent.bank_consent_id, old);
  assert.deepEqual(
    attempts.map((attempt) => attempt.bank_consent_id),
    [old, now],
  );
  const underOld = (await consentsOf(h, id))[0]?.consentId ?? '';
  const used = await h.db.read((tx) =>
    findUsed(tx, [{ merchantId: h.merchantId, consentId: underOld }]),
  );
  assert.deepEqual(
    used.map((one) => one.paymentId),
    [paymentId],
    'it uses the limits of the account that paid',
  );
  await assertLaws(h);
});
