import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import { ApiError } from '../../server/src/platform/values/errors.ts';
import { assertLaws, eventsOf, paymentsOf, retryByHand } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const WORD = { by: 'Ms Hill', reason: 'the payer has it back', evidence: 'a letter of the bank' };

let h: Harness;
let customers = 0;

before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  await assertLaws(h);
});
after(() => h.close());

/** Returns a schedule that a new customer agreed to; its first occurrence is tomorrow at this time, in London. */
async function agreed(type: 'daily' | 'weekly' | 'monthly', time: string, endDate?: string) {
  const tomorrow = h.clock.at.toZonedDateTimeISO('Europe/London').add({ days: 1 });
  const start = tomorrow.withPlainTime(time).toInstant();
  const { id } = await h.agreed({
    frequency: { type },
    customer: { phone: `+4477009${String(10_000 + customers++)}` },
    start_date: start.toString(),
    ...(endDate !== undefined && { end_date: endDate }),
  });
  return { id, start };
}

const statusesOf = async (id: string): Promise<string[]> =>
  (await paymentsOf(h, id)).map((payment) => payment.status);

test('a daily schedule has all three retries, at whatever time of day it collects', async () => {
  for (const time of ['15:00', '22:30']) {
    const { id, start } = await agreed('daily', time);
    h.bank.mood.funds = false;
    await h.runUntil(start.add({ hours: 23 }));
    const [payment] = await paymentsOf(h, id);
    assert.equal(payment?.attempts.length, 4, time);
    assert.equal(payment?.no_retry_reason, 'max_retries');
    h.bank.cheerUp();
    await h.update(id, { status: 'cancelled' });
  }
});

test('a retry after midnight is paid, and so are all occurrences of the week', async () => {
  const { id, start } = await agreed('daily', '22:30');
  await h.runUntil(start.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 1 }));
  h.bank.cheerUp();
  await h.runUntil(start.add({ hours: 24 * 7 + 1 }));
  assert.deepEqual(
    await statusesOf(id),
    Array.from({ length: 8 }, () => 'success'),
  );
  await h.update(id, { status: 'cancelled' });
});

test('an outage around midnight costs a daily customer no collection', async () => {
  const { id, start } = await agreed('daily', '23:55');
  await h.runUntil(start.subtract({ minutes: 1 }));
  h.bank.mood.down = true;
  await h.runUntil(start.add({ minutes: 10 }));
  h.bank.cheerUp();
  await h.runUntil(start.add({ hours: 24 * 8 }));
  assert.deepEqual(
    await statusesOf(id),
    Array.from({ length: 9 }, () => 'success'),
  );
  await h.update(id, { status: 'cancelled' });
});

test('a retry by hand never takes the room of the next occurrence: it is refused, with what is left and from when', async () => {
  const { id, start } = await agreed('monthly', '09:00');
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 24 * 10 }));
  const [failed] = await paymentsOf(h, id);
  assert.equal(failed?.status, 'failed');
  const nextMonth = start.toZonedDateTimeISO('Europe/London').add({ months: 1 });
  await h.runUntil(nextMonth.subtract({ hours: 1 }).toInstant());
  const refused = await retryByHand(h, failed.id).catch((error: unknown) => error);
  assert.ok(refused instanceof ApiError);
  assert.equal(refused.code, 'limit_exceeded');
  assert.equal(refused.details?.available, '0');
  assert.match(refused.message, /£0\.00 .*can't be collected any more/);
  h.bank.cheerUp();
  await h.runUntil(nextMonth.add({ days: 2 }).toInstant());
  assert.deepEqual(await statusesOf(id), ['failed', 'success'], 'the next occurrence had its room');
  await assert.rejects(retryByHand(h, failed.id), { code: 'limit_exceeded' });
  await h.update(id, { status: 'cancelled' });
});

test('a debit that went back to the payer uses the limits of its period, as at the bank', async () => {
  const { id, start } = await agreed('monthly', '09:00');
  h.bank.mood.slow = true;
  await h.runUntil(start.add({ minutes: 1 }));
  const [sent] = await paymentsOf(h, id);
  assert.ok(sent);
  h.bank.paymentOf(sent.id, 1).status = 'debited'; // and the creditor's side returns it
  await h.runUntil(start.add({ hours: 26 }));
  assert.equal(await giveUpPayment(h.service.authorisation, sent.id, WORD), 'failed');
  h.bank.cheerUp();
  await assert.rejects(retryByHand(h, sent.id), { code: 'payment_not_retryable' });
  await h.runUntil(start.add({ hours: 24 * 9 }));
  await assert.rejects(retryByHand(h, sent.id), { code: 'limit_exceeded' });
  const nextMonth = start.toZonedDateTimeISO('Europe/London').add({ months: 1, days: 2 });
  await h.runUntil(nextMonth.toInstant());
  assert.deepEqual(await statusesOf(id), ['failed', 'success'], 'the next occurrence had its room');
  await h.update(id, { status: 'cancelled' });
});

test('debits that went back leave each later occurrence its room, and are not retried while an order may be open', async () => {
  const { id, start } = await agreed('daily', '09:00');
  h.bank.mood.slow = true;
  for (const day of [0, 1]) {
    await h.runUntil(start.add({ hours: 24 * day, minutes: 1 }));
    const sent = (await paymentsOf(h, id)).find((payment) => payment.status === 'processing');
    assert.ok(sent);
    h.bank.paymentOf(sent.id, 1).status = 'debited';
    await h.runUntil(start.add({ hours: 24 * day + 23, minutes: 30 }));
    assert.equal(await giveUpPayment(h.service.authorisation, sent.id, WORD), 'failed');
  }
  h.bank.cheerUp();
  await h.runUntil(start.add({ hours: 50 }));
  const [first, second] = await paymentsOf(h, id);
  assert.ok(first && second);
  for (const { id: paymentId } of [first, second])
    await assert.rejects(retryByHand(h, paymentId), { code: 'payment_not_retryable' });
  await h.runUntil(start.add({ hours: 24 * 6 + 1 }));
  assert.deepEqual(
    (await statusesOf(id)).toSorted(),
    ['failed', 'failed', ...Array.from({ length: 5 }, () => 'success')],
    'each occurrence of the week had its room',
  );
  await h.update(id, { status: 'cancelled' });
});

test('a retry by hand in a period with room is collected', async () => {
  const { id, start } = await agreed('monthly', '09:00');
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 24 * 10 }));
  h.bank.cheerUp();
  const [failed] = await paymentsOf(h, id);
  await retryByHand(h, failed?.id ?? '');
  await h.runUntil(start.add({ hours: 24 * 11 }));
  assert.deepEqual(await statusesOf(id), ['success']);
  await h.update(id, { status: 'cancelled' });
});

test('what is left and from when on is told where a later period has room', async () => {
  const { id, start } = await agreed('daily', '12:00');
  await h.runUntil(start.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  const twoDays = start.add({ hours: 47 });
  await h.runUntil(twoDays);
  h.bank.cheerUp();
  const week = start.add({ hours: 24 * 7 });
  await h.runUntil(week.add({ hours: 1 }));
  const [first, second] = await paymentsOf(h, id);
  await retryByHand(h, first?.id ?? ''); // takes the only room for a payment carried over
  await h.runUntil(week.add({ hours: 2 }));
  const refused = await retryByHand(h, second?.id ?? '').catch((error: unknown) => error);
  assert.ok(refused instanceof ApiError);
  assert.equal(refused.code, 'limit_exceeded');
  const from = Temporal.Instant.from(refused.details?.available_from ?? '');
  await h.runUntil(from);
  await retryByHand(h, second?.id ?? '');
  await h.runUntil(from.add({ hours: 24 }));
  const statuses = await statusesOf(id);
  assert.ok(
    statuses.every((status) => status === 'success'),
    statuses.join(' '),
  );
  await h.update(id, { status: 'cancelled' });
});

test('an occurrence carried past its period fails with the reason, and the next one is collected', async () => {
  const { id, start } = await agreed('monthly', '09:00');
  await h.runUntil(start.subtract({ minutes: 1 }));
  const back = start
    .toZonedDateTimeISO('Europe/London')
    .add({ months: 1 })
    .subtract({ minutes: 30 });
  h.clock.at = back.toInstant(); // nothing ran for a month
  await h.runUntil(back.add({ days: 2 }).toInstant());
  assert.deepEqual(await statusesOf(id), ['failed', 'success']);
  const [carried] = await paymentsOf(h, id);
  assert.equal(carried?.error?.code, 'limit_exceeded');
  assert.match(carried?.error?.message ?? '', /besides the coming payments/);
  assert.equal(carried?.no_retry_reason, 'limits');
  const failure = (await eventsOf(h, id)).find((event) => event.kind === 'collection.failed');
  assert.equal(failure?.data.no_retry_reason, 'limits');
  assert.equal(failure?.data.next_retry_at, null);
  await h.update(id, { status: 'cancelled' });
});

test('an occurrence held up by an outage is collected while its period lasts', async () => {
  const { id, start } = await agreed('monthly', '09:00');
  await h.runUntil(start.subtract({ minutes: 1 }));
  h.clock.at = start.add({ hours: 24 * 20 });
  await h.runUntil(start.add({ hours: 24 * 21 }));
  assert.deepEqual(await statusesOf(id), ['success']);
  await h.update(id, { status: 'cancelled' });
});

test('of two that were carried over the older one gets the room', async () => {
  const { id, start } = await agreed('daily', '12:00');
  // Its weeks begin with the day of the agreement, which is the day before the first occurrence.
  await h.runUntil(start.add({ hours: 24 * 4 - 1 }));
  h.clock.at = start.add({ hours: 24 * 6 + 1 }); // nothing ran for three occurrences, one of them in the new week
  await h.runUntil(start.add({ hours: 24 * 13 - 1 }));
  const statuses = await statusesOf(id);
  assert.deepEqual(statuses.slice(0, 7), [
    ...Array.from({ length: 5 }, () => 'success'),
    'failed',
    'success',
  ]);
  assert.ok(
    statuses.slice(7).every((status) => status === 'success'),
    statuses.join(' '),
  );
  await h.update(id, { status: 'cancelled' });
});

test('an occurrence at the end date says that the end is why it is not retried', async () => {
  const end = h.clock.at
    .toZonedDateTimeISO('Europe/London')
    .add({ days: 1 })
    .withPlainTime('09:00');
  const { id, start } = await agreed('monthly', '09:00', end.toInstant().toString());
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 1 }));
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'failed');
  assert.equal(payment.next_retry_at, null);
  assert.equal(payment.no_retry_reason, 'end_date');
});

test('a payment that is stopped says so', async () => {
  const { id, start } = await agreed('weekly', '09:00');
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 1 }));
  const [waiting] = await paymentsOf(h, id);
  assert.equal(waiting?.no_retry_reason, null, 'a retry follows');
  await h.update(id, { status: 'cancelled' });
  const [stopped] = await paymentsOf(h, id);
  assert.equal(stopped?.no_retry_reason, 'stopped');
});
