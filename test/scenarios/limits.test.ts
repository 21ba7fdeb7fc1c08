import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import {
  assertLaws,
  bankConsentOf,
  notifyOf,
  paymentsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

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

/** Returns a schedule that a new customer agreed to tomorrow; its first occurrence is on that day at this time, in London. */
async function agreed(type: 'daily' | 'weekly' | 'monthly', time: string) {
  const tomorrow = h.clock.at.toZonedDateTimeISO('Europe/London').add({ days: 1 });
  const start = tomorrow.withPlainTime(time).toInstant();
  await h.runUntil(tomorrow.startOfDay().toInstant());
  const { id } = await h.agreed({
    frequency: { type },
    customer: { phone: `+4477008${String(10_000 + customers++)}` },
    start_date: start.toString(),
  });
  return { id, start };
}

const statusesOf = async (id: string): Promise<string[]> =>
  (await paymentsOf(h, id)).map((payment) => payment.status);

test('of two that an outage of the bank carried over, only one takes the new week, even while it is under way', async () => {
  const { id, start } = await agreed('daily', '12:00');
  await h.runUntil(start.add({ hours: 24 * 5 - 1 }));
  h.bank.mood.down = true; // for three occurrences, one of them in the new week
  await h.runUntil(start.add({ hours: 24 * 7 + 1 }));
  h.bank.mood.down = false;
  h.bank.mood.slow = true;
  await h.runUntil(start.add({ hours: 24 * 7 + 3 }));
  for (const payment of h.bank.payments.values())
    if (payment.status === 'pending') h.bank.credit(payment);
  h.bank.cheerUp();
  await h.runUntil(start.add({ hours: 24 * 14 - 1 }));
  const statuses = await statusesOf(id);
  assert.deepEqual(statuses, [
    ...Array.from({ length: 6 }, () => 'success'),
    'failed',
    ...Array.from({ length: 7 }, () => 'success'),
  ]);
  await h.update(id, { status: 'cancelled' });
});

test('a payment whose money comes in the next week uses the week in which the bank took its order', async () => {
  const { id, start } = await agreed('weekly', '23:59');
  await h.runUntil(start.subtract({ minutes: 1 }));
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 24 * 5 }));
  h.bank.cheerUp();
  h.bank.mood.slow = true;
  await h.runUntil(start.add({ hours: 24 * 6 })); // the third retry is with the bank, on the last day of its week
  const [first] = await paymentsOf(h, id);
  assert.equal(first?.attempts.length, 4);
  await h.runUntil(start.add({ hours: 24 * 6, minutes: 2 }));
  h.bank.credit(h.bank.paymentOf(first.id, 4));
  await h.runUntil(start.add({ hours: 24 * 6 + 1 }));
  assert.deepEqual(await statusesOf(id), ['success']);
  h.bank.cheerUp();
  h.bank.mood.funds = false;
  await h.runUntil(start.add({ hours: 24 * 7, minutes: 1 }));
  const second = (await paymentsOf(h, id))[1];
  assert.equal(second?.no_retry_reason, null, 'the bank has room for its retry');
  assert.equal(second.status, 'pending');
  h.bank.cheerUp();
  await h.runUntil(start.add({ hours: 24 * 9 }));
  assert.deepEqual(await statusesOf(id), ['success', 'success']);
  await h.update(id, { status: 'cancelled' });
});

test('a payment whose money came late does not make a lower amount need a new consent', async () => {
  const { id, start } = await agreed('weekly', '23:59');
  await h.runUntil(start.subtract({ minutes: 1 }));
  h.bank.mood.slow = true;
  await h.runUntil(start.add({ hours: 24 * 6 + 23 })); // the bank takes a week
  const [first] = await paymentsOf(h, id);
  h.bank.credit(h.bank.paymentOf(first?.id ?? '', 1));
  h.bank.cheerUp();
  await h.runUntil(start.add({ hours: 24 * 9 }));
  assert.deepEqual(await statusesOf(id), ['success', 'success']);
  const { consent_url } = await h.update(id, { amount: { value: 3000, currency: 'GBP' } });
  assert.equal(consent_url ?? null, null, 'the consent allows less');
  await h.update(id, { status: 'cancelled' });
});

test('a lower limit that the customer set at the bank does not forbid the lower amount because of older payments', async () => {
  const { id, start } = await agreed('monthly', '09:00');
  await h.runUntil(start.add({ hours: 24 }));
  assert.deepEqual(await statusesOf(id), ['success']);
  const { control } = await lowerAtBank(id, 3000);
  assert.equal(control, 3000);
  const nextMonth = start.toZonedDateTimeISO('Europe/London').add({ months: 1 });
  await h.runUntil(nextMonth.subtract({ hours: 1 }).toInstant());
  const { consent_url } = await h.update(id, { amount: { value: 3000, currency: 'GBP' } });
  assert.equal(consent_url ?? null, null, 'the consent allows it');
  await h.runUntil(nextMonth.add({ hours: 1 }).toInstant());
  assert.deepEqual(await statusesOf(id), ['success', 'success']);
  await h.update(id, { status: 'cancelled' });
});

/** The customer lowers the limits in the banking app, and the service hears of it. */
async function lowerAtBank(id: string, pence: number): Promise<{ control: number | undefined }> {
  const bankConsentId = await bankConsentOf(h, id);
  const book = h.bank.consents.get(bankConsentId);
  assert.ok(book);
  const periodicLimits = book.controlParameters.periodicLimits.map((limit) => ({
    ...limit,
    amountPence: pence,
  }));
  book.controlParameters = { ...book.controlParameters, maximumAmountPence: pence, periodicLimits };
  await notifyOf(h, 'consent', bankConsentId);
  await h.runUntil(h.clock.at.add({ minutes: 30 }));
  const row = await h.db.read((tx) =>
    tx.row<{ controlParameters: { maximumAmountPence: number } }>(
      'SELECT control_parameters FROM consents WHERE bank_consent_id = $1',
      [bankConsentId],
    ),
  );
  return { control: row?.controlParameters.maximumAmountPence };
}
