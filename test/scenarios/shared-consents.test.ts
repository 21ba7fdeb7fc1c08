import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import {
  assertLaws,
  bankConsentOf,
  collectOnceFrom,
  eventsOf,
  kindsOf,
  paymentsOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { type Harness, type MerchantSide, openHarness } from '../../server/test-support/harness.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });

let h: Harness;
let m: MerchantSide;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  m = await h.merchant({ reuseConsent: true });
});
afterEach(async () => {
  await runFor({ minutes: 1 });
  await assertLaws(h);
});
after(() => h.close());

let customers = 0;
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));

/** Sets up a customer who agreed to GBP 49.99 a month, of which GBP 20.00 are collected now, and what may share the consent. */
async function withRoom(end: string | null = null) {
  const customer = { phone: `+4477008${String(10_000 + customers++)}` };
  const first = h.clock.at.round('second').add({ hours: 24 });
  const body = { customer, start_date: first.toString(), end_date: end };
  const owner = await m.agreed(body);
  await m.update(owner.id, { amount: gbp(2000) });
  const another = (value: number, endDate: string | null = end) =>
    m.create({ ...body, end_date: endDate, amount: gbp(value) });
  // A month is counted from the day on which they agreed, the one before the first occurrence.
  const lastDay = first
    .toZonedDateTimeISO('Europe/London')
    .subtract({ days: 1 })
    .add({ months: 1 })
    .subtract({ days: 1 });
  const onLastDay = (value: number) =>
    m.create({ ...body, start_date: lastDay.toInstant().toString(), amount: gbp(value) });
  /** Runs until the last day of the consent's month, on which the payment fails; on the day after, the bank accepts again. */
  const failOnLastDay = async (): Promise<void> => {
    await h.runUntil(lastDay.subtract({ hours: 1 }).toInstant());
    h.bank.mood.refuses = 'retryable';
    await runFor({ hours: 2 });
    h.bank.cheerUp();
  };
  return { owner, another, onLastDay, failOnLastDay };
}

async function amountsOf(id: string): Promise<number[]> {
  return (await paymentsOf(h, id, m))
    .filter((p) => p.status === 'success')
    .map((p) => p.amount.value);
}

test('two schedules that are raised at one moment do not both take the room that is left', async () => {
  for (let round = 0; round < 4; round++) {
    const { owner, another } = await withRoom();
    await m.update(owner.id, { amount: gbp(1000) });
    const other = await another(1000);
    assert.equal(other.status, 'active');
    const raised = [owner, other].map(({ id }) => m.update(id, { amount: gbp(3500) }));
    const asked = (await Promise.all(raised)).filter(
      ({ consent_url }) => consent_url !== undefined,
    );
    assert.equal(asked.length, 1, 'one of the customer’s payments would not fit');
  }
});

test('a schedule that fits beside all that a consent allows starts at once, one that does not asks the customer', async () => {
  const { another } = await withRoom();
  const covered = await another(2999);
  assert.equal(covered.status, 'active');
  assert.equal(covered.consent_url, undefined);
  assert.deepEqual(covered.consented?.amount, gbp(2999));
  const beyond = await another(1);
  assert.equal(beyond.status, 'pending_consent');
  assert.ok(beyond.consent_url);
  await runFor({ hours: 25 });
  assert.deepEqual(await amountsOf(covered.id), [2999]);
});

test('nothing is shared unless the merchant has turned it on', async () => {
  const first = await h.agreed({ start_date: h.clock.at.add({ hours: 24 }).toString() });
  await h.update(first.id, { amount: gbp(1000) });
  const second = await h.create({ start_date: first.start_date ?? '', amount: gbp(1000) });
  assert.equal(second.status, 'pending_consent');
});

test('a consent that ends covers no schedule that goes on', async () => {
  const { another } = await withRoom(h.clock.at.add({ hours: 24 * 500 }).toString());
  assert.equal((await another(1000, null)).status, 'pending_consent');
  assert.equal((await another(1000)).status, 'active');
});

test('a shared consent lives until the last schedule under it is cancelled, and then ends at the bank too', async () => {
  const { owner, another } = await withRoom();
  const atBank = await bankConsentOf(h, owner.id);
  const second = await another(1500);
  const third = await another(1000);
  await m.update(owner.id, { status: 'cancelled' });
  await runFor({ hours: 25 });
  assert.deepEqual(await amountsOf(owner.id), []);
  assert.deepEqual([await amountsOf(second.id), await amountsOf(third.id)], [[1500], [1000]]);
  await m.update(second.id, { status: 'cancelled' });
  await runFor({ minutes: 1 });
  assert.equal(h.bank.consents.get(atBank)?.status, 'AUTH');
  await m.update(third.id, { status: 'cancelled' });
  await runFor({ minutes: 1 });
  assert.equal(h.bank.consents.has(atBank), false);
});

test('a schedule that leaves for a consent of its own does not take the shared one away', async () => {
  const { owner, another } = await withRoom();
  const shared = await bankConsentOf(h, owner.id);
  const second = await another(2500);
  const raised = await m.update(owner.id, { amount: gbp(4999) });
  assert.ok(raised.consent_url, 'what the second one needs is not free any more');
  assert.equal(await h.decide(raised.consent_url), 'granted');
  await runFor({ hours: 25 });
  assert.notEqual(await bankConsentOf(h, owner.id), shared);
  assert.deepEqual([await amountsOf(owner.id), await amountsOf(second.id)], [[4999], [2500]]);
  assert.equal(h.bank.consents.get(shared)?.status, 'AUTH');
});

test('a shared consent that the customer withdraws cancels every schedule under it', async () => {
  const { owner, another } = await withRoom();
  const second = await another(1000);
  h.bank.consents.delete(await bankConsentOf(h, owner.id));
  await runFor({ hours: 25 });
  for (const { id } of [owner, second]) assert.equal((await m.show(id)).status, 'cancelled');
  const told = (await eventsOf(h, second.id, m)).map((e) => e.kind);
  assert.ok(told.includes('consent.revoked'));
  assert.deepEqual(await kindsOf(h, second.id), [], "another merchant's events are not ours");
});

test('two schedules created at once do not share what is left for one', async () => {
  const { another } = await withRoom();
  const both = await Promise.all([another(2500), another(2500)]);
  assert.deepEqual(both.map((s) => s.status).sort(), ['active', 'pending_consent']);
});

test('schedules that share a consent do not spoil its token for each other', async () => {
  const { owner, another } = await withRoom();
  const second = await another(1000);
  await runFor({ hours: 23 });
  const refresh = h.bank.refresh;
  const used = new Set<string>(); // each token is valid for one renewal
  h.bank.refresh = async (grant) => {
    const { refreshToken } = grant;
    if (refreshToken !== null && used.has(refreshToken))
      throw new BankRefused({
        code: 'reauthentication_required',
        message: 'no',
        kind: 'retryable',
        bankCode: 'invalid_grant',
      });
    if (refreshToken !== null) used.add(refreshToken);
    return { ...grant, refreshToken: crypto.randomUUID() };
  };
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('down');
  };
  await runFor({ hours: 1, minutes: 1 });
  h.bank.before = null;
  h.clock.at = h.clock.at.add({ minutes: 2 }); // both are retried at the same moment
  await runFor({ hours: 1 });
  for (const { id } of [owner, second]) {
    assert.equal((await m.show(id)).status, 'active');
    assert.equal((await paymentsOf(h, id, m))[0]?.status, 'success');
  }
  h.bank.refresh = refresh;
});

/** Has the bank refuse the due payment until it has failed. */
async function failForGood(scheduleId: string): Promise<{ id: string }> {
  h.bank.mood.refuses = 'final';
  await runFor({ hours: 25 });
  h.bank.cheerUp();
  const [payment] = await paymentsOf(h, scheduleId, m);
  assert.equal(payment?.status, 'failed');
  assert.ok(payment);
  return payment;
}

test('a payment that is retried by hand is not sent any more once its schedule is cancelled', async () => {
  const { owner, another } = await withRoom();
  await another(1000);
  const failed = await failForGood(owner.id);
  h.bank.mood.down = true; // so that the retry starts, and cannot be sent
  await retryByHand(h, failed.id, m);
  await runFor({ minutes: 1 });
  assert.equal((await paymentsOf(h, owner.id, m))[0]?.status, 'processing');
  await m.update(owner.id, { status: 'cancelled' });
  h.bank.cheerUp();
  await runFor({ hours: 1 });
  const [stopped] = await paymentsOf(h, owner.id, m);
  assert.deepEqual([stopped?.status, stopped?.error?.code], ['failed', 'schedule_cancelled']);
});

test('no order of a payment retried by hand is sent after its schedule was cancelled, first or repeated', async () => {
  for (const isSent of [false, true]) {
    const { owner, another } = await withRoom();
    const sharing = await another(1000);
    const { id } = await failForGood(owner.id);
    h.bank.before = async (call) => {
      if (call === 'submitPayment') throw new BankUnavailable('lost'); // in transit: it may have arrived
    };
    await retryByHand(h, id, m);
    if (isSent) await h.service.engine.drain();
    await m.update(owner.id, { status: 'cancelled' });
    h.bank.before = null;
    const { length } = h.bank.submitted;
    await runFor({ hours: 30 });
    const after = h.bank.submitted.slice(length);
    assert.deepEqual(
      after.filter((key) => key.startsWith(id)),
      [],
      isSent ? 'not repeated' : 'not sent',
    );
    const [stopped] = await paymentsOf(h, owner.id, m);
    assert.deepEqual([stopped?.status, stopped?.error?.code], ['failed', 'schedule_cancelled']);
    assert.equal((await m.show(sharing.id)).status, 'active');
  }
});

test('a payment of a cancelled schedule cannot be retried by hand, though its consent lives on for others', async () => {
  const { owner, another } = await withRoom();
  await another(1000);
  const failed = await failForGood(owner.id);
  await m.update(owner.id, { status: 'cancelled' });
  const retry = retryByHand(h, failed.id, m);
  await assert.rejects(retry, refusedWith('payment_not_retryable'));
});

test('a retry takes nothing of what another schedule under its consent needs in the next month', async () => {
  const { owner, onLastDay, failOnLastDay } = await withRoom();
  const second = await onLastDay(2400);
  assert.equal(second.status, 'active');
  await failOnLastDay();
  const [failed] = await paymentsOf(h, second.id, m);
  assert.deepEqual([failed?.status, failed?.next_retry_at], ['failed', null]);
  await runFor({ hours: 24 * 35 });
  assert.deepEqual(await amountsOf(owner.id), [2000, 2000, 2000]);
  assert.deepEqual(await amountsOf(second.id), [2400], 'the next one is not refused for its sake');
});

test('of two failed payments under one consent as many are tried again as there is room for', async () => {
  const { owner, onLastDay, failOnLastDay } = await withRoom();
  await m.update(owner.id, { amount: gbp(1000) });
  const both = [await onLastDay(1000), await onLastDay(1000)];
  await failOnLastDay();
  const paid = await Promise.all(both.map(({ id }) => paymentsOf(h, id, m)));
  assert.deepEqual(paid.map(([p]) => p?.status).sort(), ['failed', 'pending']);
  await runFor({ hours: 24 * 31 });
  const collected = (await Promise.all(both.map(({ id }) => amountsOf(id)))).flat();
  assert.deepEqual(collected, [1000, 1000, 1000], 'the retry of one, and what came next of both');
});

test('what the bank debited under a shared consent counts there when its schedule has left for another account', async () => {
  // Early in a month: an occurrence and its retries share it, and a consent is valid from the agreement.
  const today = h.clock.at.toZonedDateTimeISO('Europe/London');
  await h.runUntil(today.add({ months: 1 }).with({ day: 5 }).toInstant());
  const { owner, onLastDay } = await withRoom();
  const other = await onLastDay(1000);
  assert.equal(other.status, 'active');
  h.bank.mood.slow = true;
  await runFor({ hours: 25 });
  const [sent] = await paymentsOf(h, owner.id, m);
  assert.ok(sent);
  h.bank.paymentOf(sent.id, 1).status = 'debited'; // and the creditor's side returns it
  await runFor({ hours: 26 });
  const word = { by: 'Ms Hill', reason: 'the payer has it back', evidence: 'a letter of the bank' };
  assert.equal(await giveUpPayment(h.service.authorisation, sent.id, word), 'failed');
  h.bank.cheerUp();
  await runFor({ hours: 24 * 8 });
  await m.anotherAccount(owner.id);
  const { consent_url: url } = await m.update(owner.id, { limits: { per_period: gbp(6000) } });
  assert.equal(await h.decide(url), 'granted');
  await retryByHand(h, sent.id, m);
  await runFor({ hours: 1 });
  assert.deepEqual(await amountsOf(owner.id), [2000]);
  const collect = (value: number) =>
    collectOnceFrom({ ...h, ...m }, other.id, { amount: gbp(value), description: 'Extra' });
  await assert.rejects(collect(2500), refusedWith('limit_exceeded', 'available', 'available_from'));
  assert.equal((await collect(1500)).amount.value, 1500);
});
