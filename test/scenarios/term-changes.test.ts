import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import {
  assertLaws,
  bankConsentOf,
  consentsOf,
  errorCodeIn,
  eventsOf,
  kindsOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });
const monthly = (day: number, interval = 1) => ({ type: 'monthly', day, interval }) as const;

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  h.issuer.down = false;
  await assertLaws(h);
});
after(() => h.close());

/** Returns an agreed monthly schedule of GBP 49.99 whose first occurrence is in ten days, and its times. */
async function agreed(
  body: Parameters<Harness['agreed']>[0] = {},
): Promise<ScheduleView & { first: Temporal.Instant }> {
  const first = h.clock.at.round('second').add({ hours: 240 });
  return { ...(await h.agreed({ start_date: first.toString(), ...body })), first };
}

const runFor = (hours: number): Promise<void> => h.runUntil(h.clock.at.add({ hours }));

async function amountsOf(id: string): Promise<number[]> {
  return (await paymentsOf(h, id)).filter((p) => p.status === 'success').map((p) => p.amount.value);
}

test('a higher amount asks for a new consent, and the old terms are collected until it is granted', async () => {
  const { id } = await agreed({ start_date: h.clock.at.add({ hours: 72 }).toString() });
  const old = await bankConsentOf(h, id);
  const raised = await h.update(id, { amount: gbp(5999) });
  assert.equal(raised.status, 'active');
  assert.equal(raised.amount.value, 5999);
  assert.deepEqual(raised.consented, {
    amount: gbp(4999),
    frequency: raised.frequency,
    end_date: null,
  });
  assert.ok(raised.consent_url);
  await runFor(24 * 4);
  assert.deepEqual(await amountsOf(id), [4999]);
  const again = await h.update(id, { amount: gbp(6999) });
  assert.equal(again.consent_url, raised.consent_url, 'one link at a time');
  assert.equal(await h.decide(again.consent_url), 'granted');
  const granted = await h.show(id);
  assert.equal(granted.consent_url, undefined);
  assert.equal(granted.consented?.amount.value, 6999);
  await runFor(1);
  assert.ok(h.bank.deleted.includes(old), 'the old bank consent is deleted');
  assert.equal(h.bank.consents.get(await bankConsentOf(h, id))?.status, 'AUTH');
  await runFor(24 * 31);
  assert.deepEqual(await amountsOf(id), [4999, 6999]);
  assert.deepEqual(await kindsOf(h, id), [
    'schedule.setup_success',
    'collection.success',
    'schedule.setup_success',
    'collection.success',
  ]);
});

for (const [what, code] of [
  ['denies', 'consent_denied'],
  ['is refused', 'consent_rejected'],
  ['lets run out', 'consent_expired'],
] as const)
  test(`an update that the customer ${what} is dropped, and the schedule goes on as it was`, async () => {
    const { id } = await agreed();
    const raised = await h.update(id, { amount: gbp(5999), frequency: { type: 'weekly' } });
    if (what === 'denies')
      assert.equal(await h.decide(raised.consent_url, 'access_denied'), 'denied');
    else if (what === 'is refused')
      assert.equal(await h.decide(raised.consent_url, 'rejected'), 'rejected');
    else await runFor(24 * 7 + 1);
    const after = await h.show(id);
    assert.equal(after.status, 'active');
    assert.equal(after.consent_url, undefined);
    assert.deepEqual(after.amount, gbp(4999));
    assert.equal(after.frequency.type, 'monthly');
    await runFor(24 * 11);
    assert.deepEqual(await amountsOf(id), [4999]);
    const [, failed] = await eventsOf(h, id);
    assert.equal(failed?.kind, 'schedule.setup_failed');
    assert.equal(errorCodeIn(failed), code);
  });

test('a lower amount, and back up to what was consented, needs nobody', async () => {
  const { id } = await agreed();
  const lowered = await h.update(id, { amount: gbp(1000) });
  assert.equal(lowered.consent_url, undefined);
  assert.equal(lowered.consented?.amount.value, 4999);
  await runFor(24 * 11);
  const back = await h.update(id, { amount: gbp(4999) });
  assert.equal(back.consent_url, undefined);
  await runFor(24 * 31);
  assert.deepEqual(await amountsOf(id), [1000, 4999]);
  assert.equal((await consentsOf(h, id)).length, 1);
});

test('a change that the old consent allows waits until one that the customer agreed to is set up', async () => {
  const { id } = await agreed();
  const { consent_url: url } = await h.update(id, { amount: gbp(5999) });
  const state = await h.begin(url);
  h.issuer.down = true;
  assert.equal(await h.complete(state), 'finishing');
  await assert.rejects(h.update(id, { amount: gbp(1000) }), refusedWith('request_in_progress'));
  assert.equal((await h.update(id, { description: 'Fibre' })).description, 'Fibre');
  h.issuer.down = false;
  await runFor(1);
  assert.equal((await h.show(id)).consented?.amount.value, 5999);
  const lowered = await h.update(id, { amount: gbp(1000) });
  assert.equal(lowered.consent_url, undefined);
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'schedule.setup_success']);
});

test('an end that comes earlier needs nobody, a later one or none asks for a new consent', async () => {
  const end = h.clock.at.add({ hours: 24 * 120 });
  const { id } = await agreed({ end_date: end.toString() });
  const shorter = await h.update(id, { end_date: end.subtract({ hours: 24 * 60 }).toString() });
  assert.equal(shorter.consent_url, undefined);
  assert.notEqual(shorter.consented?.end_date, shorter.end_date);
  const back = await h.update(id, { end_date: end.toString() });
  assert.equal(back.consent_url, undefined, 'as far as was consented');
  const cleared = await h.update(id, { end_date: null });
  assert.equal(cleared.end_date, null);
  assert.ok(cleared.consent_url);
  assert.equal(await h.decide(cleared.consent_url), 'granted');
  assert.equal((await h.show(id)).consented?.end_date, null);
  const ended = await h.update(id, { end_date: end.toString() });
  assert.equal(ended.consent_url, undefined);
});

test('after its last occurrence a schedule stays active with nothing more to come', async () => {
  const first = h.clock.at.round('second').add({ hours: 24 });
  const { id } = await h.agreed({
    start_date: first.toString(),
    end_date: first.add({ hours: 24 * 40 }).toString(),
  });
  await runFor(24 * 80);
  assert.equal((await amountsOf(id)).length, 2);
  const over = await h.show(id);
  assert.equal(over.status, 'active');
  assert.equal(over.next_payment_date, null);
  assert.equal((await h.update(id, { description: 'over', max_retries: 1 })).description, 'over');
  assert.equal(
    (await h.update(id, { amount: gbp(100) })).status,
    'active',
    'what is over can still be described',
  );
});

test('a frequency within the consent holds at once, one beyond it asks for a new consent', async () => {
  const { id } = await agreed();
  const day = h.clock.at.add({ hours: 240 }).toZonedDateTimeISO('Europe/London').day;
  const rarer = await h.update(id, { frequency: monthly(day, 2) });
  assert.equal(rarer.consent_url, undefined);
  assert.equal(rarer.frequency.interval, 2);
  assert.equal(rarer.consented?.frequency.interval, 1);
  const oftener = await h.update(id, { frequency: { type: 'weekly' } });
  assert.ok(oftener.consent_url);
  const dropped = await h.update(id, { frequency: monthly(day) });
  assert.equal(dropped.consent_url, undefined, 'what is covered after all asks for nothing');
  assert.deepEqual(
    (await consentsOf(h, id)).map((c) => c.status),
    ['granted', 'dropped'],
  );
});

test('sending what a schedule has already changes nothing', async () => {
  const { id } = await agreed({ frequency: { type: 'yearly' } });
  await runFor(24 * 11);
  const { amount, frequency, description, start_date, end_date, max_retries, next_payment_date } =
    await h.show(id);
  assert.ok(start_date);
  const same = await h.update(id, {
    amount,
    frequency,
    description,
    start_date,
    end_date,
    max_retries,
    status: 'active',
  });
  assert.equal(same.consent_url, undefined);
  assert.equal(same.next_payment_date, next_payment_date);
  assert.equal((await amountsOf(id)).length, 1);
});

test('while the customer has not decided, an update changes what the same link shows', async () => {
  const first = h.clock.at.add({ hours: 240 });
  const { id, consent_url } = await h.create({ start_date: first.toString() });
  const state = await h.begin(consent_url);
  const begun = [...h.bank.consents.keys()].at(-1) ?? '';
  const changed = await h.update(id, { amount: gbp(7000) });
  assert.equal(changed.consent_url, consent_url);
  assert.equal(await h.complete(state), 'unknown', 'what was begun under the old terms is void');
  await runFor(1);
  assert.ok(h.bank.deleted.includes(begun));
  assert.equal(await h.decide(consent_url), 'granted');
  assert.equal((await h.show(id)).consented?.amount.value, 7000);
  await runFor(24 * 11);
  assert.deepEqual(await amountsOf(id), [7000]);
});

test('start_date can change only before the first payment', async () => {
  const { id, first } = await agreed();
  const later = first.add({ hours: 24 * 2 }).toString({ fractionalSecondDigits: 3 });
  const day = Temporal.Instant.from(later).toZonedDateTimeISO('Europe/London').day;
  const moved = await h.update(id, { start_date: later, frequency: monthly(day) });
  assert.equal(moved.start_date, later);
  assert.equal(moved.next_payment_date, later);
  await runFor(24 * 13);
  assert.equal((await onlyPaymentOf(h, id)).due_date, later);
  const after = h.clock.at.add({ hours: 24 }).toString();
  await assert.rejects(
    h.update(id, { start_date: after }),
    refusedWith('invalid_request', 'start_date'),
  );
});

test('a start that the customer declines is dropped with the rest of the update', async () => {
  const { id, first, start_date } = await agreed();
  const early = first.subtract({ hours: 48 });
  const { day } = early.toZonedDateTimeISO('Europe/London');
  const moved = await h.update(id, {
    amount: gbp(9000),
    start_date: early.toString(),
    frequency: monthly(day),
  });
  assert.ok(moved.consent_url, 'the consent allows less');
  assert.equal(await h.decide(moved.consent_url, 'access_denied'), 'denied');
  const dropped = await h.show(id);
  assert.equal(dropped.start_date, start_date);
  assert.equal(dropped.next_payment_date, start_date);
});

test('dates that an update would make impossible are refused', async () => {
  const { id, first } = await agreed();
  const early = first.subtract({ hours: 24 }).toString();
  await assert.rejects(
    h.update(id, { end_date: early }),
    refusedWith('invalid_request', 'end_date'),
  );
  const pending = await h.create({
    start_date: first.toString(),
    frequency: monthly(first.toZonedDateTimeISO('Europe/London').day),
  });
  await assert.rejects(
    h.update(pending.id, { end_date: first.subtract({ hours: 1 }).toString() }),
    refusedWith('invalid_request', 'end_date'),
  );
  assert.equal(
    (await h.update(pending.id, { end_date: first.add({ hours: 1 }).toString() })).status,
    'pending_consent',
  );
});

test('metadata is replaced whole, null clears it, and what was not sent stays', async () => {
  const { id } = await h.create({
    metadata: { a: 1, b: { c: 2 } },
    start_date: h.clock.at.add({ hours: 24 }).toString(),
  });
  assert.deepEqual((await h.update(id, { metadata: { d: 3 } })).metadata, { d: 3 });
  assert.deepEqual((await h.update(id, { description: 'Fibre' })).metadata, { d: 3 });
  assert.equal((await h.update(id, { metadata: null })).metadata, null);
  assert.equal((await h.show(id)).description, 'Fibre');
});
