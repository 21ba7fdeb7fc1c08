import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpdateBody } from '../../server/src/schedules/request/request.ts';
import {
  assertLaws,
  collectOnceFrom,
  eventsOf,
  kindsOf,
  paymentsOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForAll();
const gbp = (value: number) => ({ value, currency: 'GBP' });
const HOUR = { hours: 1 };
let customers = 0;

/** Returns a monthly schedule that collects £30 under a consent for £49.99 a month, and the time of its next occurrence. */
async function withRoom(): Promise<{ id: string; next: Temporal.Instant }> {
  const start = h.clock.at.toZonedDateTimeISO('Europe/London').add({ days: 2 }).round('hour');
  const { id } = await h.agreed({
    frequency: 'monthly',
    customer: { phone: `+4477005${String(10_000 + customers++)}` },
    start_date: start.toInstant().toString(),
  });
  const { next_payment_date: next } = await h.update(id, { amount: gbp(3000) });
  assert.ok(next);
  return { id, next: Temporal.Instant.from(next) };
}

const detailsOf = async (call: Promise<unknown>): Promise<Record<string, string>> => {
  try {
    await call;
  } catch (error) {
    return (error as { details?: Record<string, string> }).details ?? {};
  }
  throw new Error('it was not refused');
};

test('an ad-hoc payment within the limits is collected at once, with the events of every payment', async () => {
  const { id, next } = await withRoom();
  await h.runUntil(next);
  const made = await collectOnceFrom(h, id, { amount: gbp(1999), description: 'Router' });
  assert.equal(made.kind, 'ad_hoc');
  assert.equal(made.description, 'Router');
  assert.equal(made.status, 'pending');
  assert.equal(made.due_date, h.clock.at.toString({ fractionalSecondDigits: 3 }));
  await runFor(HOUR);
  const [occurrence, adHoc] = await paymentsOf(h, id);
  assert.equal(occurrence?.kind, 'scheduled');
  assert.equal(occurrence.description, null);
  assert.equal(adHoc?.id, made.id);
  assert.equal(adHoc.status, 'success');
  const successes = (await eventsOf(h, id)).filter((e) => e.kind === 'collection.success');
  assert.deepEqual(
    successes.map((e) => e.data.payment_id),
    [occurrence.id, made.id],
  );
  await h.update(id, { status: 'cancelled' });
});

test('an ad-hoc payment leaves the occurrence to come its room, and its refusal says what is left and from when', async () => {
  const { id, next } = await withRoom();
  const refused = collectOnceFrom(h, id, { amount: gbp(2000), due_date: next.toString() });
  // Periods are counted from the day on which the customer agreed.
  const following = h.clock.at.toZonedDateTimeISO('Europe/London').add({ months: 1 });
  await assert.rejects(refused, refusedWith('limit_exceeded', 'available'));
  assert.deepEqual(await detailsOf(refused), { available: '1999' }, 'no month has more room');
  await collectOnceFrom(h, id, { amount: gbp(1999), due_date: next.toString() });
  const again = collectOnceFrom(h, id, { amount: gbp(1), due_date: next.add(HOUR).toString() });
  assert.deepEqual(await detailsOf(again), {
    available: '0',
    available_from: following.startOfDay().toInstant().toString({ fractionalSecondDigits: 3 }),
  });
  await h.runUntil(next.add(HOUR));
  assert.deepEqual(
    (await paymentsOf(h, id)).map((p) => [p.kind, p.status]).sort(),
    [
      ['ad_hoc', 'success'],
      ['scheduled', 'success'],
    ],
    'both fall due at the same moment, and both are collected',
  );
  await h.update(id, { status: 'cancelled' });
});

test('a planned ad-hoc payment waits for its due date, and a cancellation or a pause ends it', async () => {
  for (const status of ['cancelled', 'paused'] as const) {
    const { id, next } = await withRoom();
    const due_date = next.add({ hours: 24 }).toString();
    const made = await collectOnceFrom(h, id, { amount: gbp(500), due_date });
    await h.runUntil(next.add(HOUR));
    const waits = (await paymentsOf(h, id)).find((p) => p.id === made.id);
    assert.equal(waits?.status, 'pending');
    assert.deepEqual(waits.attempts, []);
    await h.update(id, { status });
    const ended = (await paymentsOf(h, id)).find((p) => p.id === made.id);
    assert.equal(ended?.status, 'failed');
    assert.equal(ended.error?.code, `schedule_${status}`);
    assert.ok((await kindsOf(h, id)).includes('collection.failed'));
    if (status === 'paused') await h.update(id, { status: 'cancelled' });
  }
});

test('a payment that a pause ended before its due date waits for that date when it is retried by hand', async () => {
  const { id, next } = await withRoom();
  const due_date = next.add({ hours: 240 }).toString();
  const { id: paymentId } = await collectOnceFrom(h, id, { amount: gbp(500), due_date });
  const payment = async () => (await paymentsOf(h, id)).find((p) => p.id === paymentId);
  await h.update(id, { status: 'paused' });
  await h.update(id, { status: 'active' });
  assert.equal((await payment())?.status, 'failed');
  await retryByHand(h, paymentId);
  await runFor({ hours: 216 });
  const waits = await payment();
  assert.deepEqual([waits?.status, waits?.attempts], ['pending', []]);
  await assertLaws(h);
  await runFor({ hours: 96 });
  assert.equal((await payment())?.status, 'success');
  await h.update(id, { status: 'cancelled' });
});

test('an ad-hoc payment that fails is retried as every payment, before the next occurrence', async () => {
  const { id, next } = await withRoom();
  await h.runUntil(next.add(HOUR));
  h.bank.mood.funds = false;
  const { id: paymentId } = await collectOnceFrom(h, id, { amount: gbp(1999) });
  await runFor(HOUR);
  const failed = (await paymentsOf(h, id)).find((p) => p.id === paymentId);
  assert.equal(failed?.status, 'pending');
  assert.ok(failed.next_retry_at);
  h.bank.cheerUp();
  await runFor({ hours: 25 });
  const paid = (await paymentsOf(h, id)).find((p) => p.id === paymentId);
  assert.equal(paid?.status, 'success');
  assert.equal(paid.attempts.length, 2);
  await h.update(id, { status: 'cancelled' });
});

test('an ad-hoc payment to come is not the next occurrence: the retries of an occurrence go on beside it', async () => {
  const { id, next } = await withRoom();
  await collectOnceFrom(h, id, { amount: gbp(1000), due_date: next.add({ hours: 2 }).toString() });
  await h.runUntil(next.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  await h.runUntil(next.add(HOUR));
  const occurrence = (await paymentsOf(h, id)).find((p) => p.kind === 'scheduled');
  assert.ok(occurrence?.next_retry_at, String(occurrence?.no_retry_reason));
  h.bank.cheerUp();
  await runFor({ hours: 25 });
  assert.deepEqual(
    (await paymentsOf(h, id)).map((p) => p.status),
    ['success', 'success'],
  );
  await h.update(id, { status: 'cancelled' });
});

test('the same idempotency key gives the same payment id, even to a database that has lost the payment', async () => {
  const { id, next } = await withRoom();
  await h.runUntil(next.add(HOUR));
  const restore = await h.backUp();
  const first = await collectOnceFrom(h, id, { amount: gbp(700) }, 'order-1');
  await runFor({ minutes: 5 });
  await restore();
  const again = await collectOnceFrom(h, id, { amount: gbp(700) }, 'order-1');
  assert.equal(again.id, first.id);
  await runFor(HOUR);
  const orders = [...h.bank.payments.keys()].filter((name) => name.startsWith(first.id));
  assert.equal(orders.length, 1, 'the bank has one order');
  await assert.rejects(
    collectOnceFrom(h, id, { amount: gbp(700) }, 'order-1'),
    refusedWith('idempotency_conflict'),
  );
  const others = await Promise.all(
    ['order-2', null, null].map((key) => collectOnceFrom(h, id, { amount: gbp(100) }, key)),
  );
  assert.equal(new Set([first, ...others].map((p) => p.id)).size, 4);
  await h.update(id, { status: 'cancelled' });
});

const REPLACEMENTS: [string, UpdateBody, string | null][] = [
  ['goes under it', { frequency: 'daily' }, null], // a week has room for one payment more
  ['ends where that has no room', { amount: gbp(6000) }, 'limit_exceeded'],
];

for (const [what, change, code] of REPLACEMENTS)
  test(`when a new consent takes over, an ad-hoc payment that is not due yet ${what}`, async () => {
    const { id, next } = await withRoom();
    const raised = await h.update(id, change);
    const due_date = next.add({ hours: 24 * 3 + 1 }).toString();
    const planned = await collectOnceFrom(h, id, { amount: gbp(1000), due_date });
    assert.equal(await h.decide(raised.consent_url), 'granted');
    const find = async () => (await paymentsOf(h, id)).find((p) => p.id === planned.id);
    assert.equal((await find())?.error?.code ?? null, code);
    assert.equal((await find())?.no_retry_reason, code === null ? null : 'limits');
    await h.runUntil(next.add({ hours: 24 * 7 }));
    assert.equal((await find())?.status, code === null ? 'success' : 'failed');
    const occurrences = (await paymentsOf(h, id)).filter((p) => p.kind === 'scheduled');
    assert.deepEqual(new Set(occurrences.map((p) => p.status)), new Set(['success']));
    await h.update(id, { status: 'cancelled' });
  });

test('nothing is collected once without a consent, nor from a paused or cancelled schedule', async () => {
  const pending = await h.create({ customer: { phone: '+447700900777' }, start_date: null });
  const ask = (id: string) => collectOnceFrom(h, id, { amount: gbp(100) });
  await assert.rejects(ask(pending.id), refusedWith('consent_required'));
  await assert.rejects(ask('sch_unknown'), refusedWith('not_found'));
  const { id } = await withRoom();
  await h.update(id, { status: 'paused' });
  await assert.rejects(ask(id), refusedWith('schedule_paused'));
  await h.update(id, { status: 'cancelled' });
  await assert.rejects(ask(id), refusedWith('schedule_cancelled'));
});
