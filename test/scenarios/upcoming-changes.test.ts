import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import {
  changeOccurrence,
  restoreOccurrence,
} from '../../server/src/schedules/change/change-occurrence.ts';
import { showUpcoming } from '../../server/src/schedules/change/upcoming.ts';
import type { OccurrenceBody } from '../../server/src/schedules/request/occurrence-schemas.ts';
import { asked, assertLaws, eventsOf, paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const gbp = (value: number) => ({ value, currency: 'GBP' });

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  await assertLaws(h);
});
after(() => h.close());

const skip = true;
const SKIPPED: OccurrenceBody = { skip };

const change = (id: string, due: string, body: OccurrenceBody) =>
  h.db.transaction((tx) => changeOccurrence(h.service.schedules, asked(h, tx), id, due, body));
const restore = (id: string, due: string) =>
  h.db.transaction((tx) => restoreOccurrence(asked(h, tx), id, due));
const comingOf = async (id: string, limit = 3) =>
  (await h.db.read((tx) => showUpcoming(asked(h, tx), id, limit))).data;

/** Returns the due dates of a schedule's next occurrences. */
const datesOf = async (id: string, limit = 3): Promise<string[]> =>
  (await comingOf(id, limit)).map((one) => one.due_date);

const skipsOf = async (id: string) =>
  (await eventsOf(h, id))
    .filter(({ kind }) => kind === 'collection.skipped')
    .map(({ data }) => [data.due_date, data.reason]);

const collectedOf = async (id: string): Promise<number[]> =>
  (await paymentsOf(h, id)).filter((p) => p.status === 'success').map((p) => p.amount.value);

const runDays = (days: number): Promise<void> => h.runUntil(h.clock.at.add({ hours: 24 * days }));

test('an occurrence collects the amount that was set for it, and the next the usual one', async () => {
  const { id } = await h.agreed({ frequency: 'weekly', amount: gbp(2_000) });
  const [first = '', second = ''] = await datesOf(id);
  const set = await change(id, first, { amount: gbp(1_500) });
  assert.deepEqual(set, {
    due_date: first,
    amount: gbp(1_500),
    skipped: false,
    changed: true,
    reason: 'the amount was set for this collection',
  });
  assert.deepEqual(
    (await comingOf(id, 2)).map((one) => [one.amount?.value, one.changed]),
    [
      [1_500, true],
      [2_000, false],
    ],
  );
  await change(id, second, { amount: gbp(1_000) });
  await restore(id, second);
  await runDays(15);
  assert.deepEqual(await collectedOf(id), [1_500, 2_000]);
});

test('a skipped occurrence collects nothing, and is reported once when it falls due', async () => {
  const { id } = await h.agreed({ frequency: 'daily', amount: gbp(2_000) });
  const [first = '', second = ''] = await datesOf(id);
  assert.equal((await change(id, first, SKIPPED)).skipped, true);
  assert.deepEqual(await skipsOf(id), [], 'not before it falls due');
  await runDays(2);
  assert.deepEqual(await skipsOf(id), [[first, 'skipped']]);
  const payments = await paymentsOf(h, id);
  assert.equal(payments[0]?.due_date, second);
});

test('an occurrence without an amount is skipped where each has its own', async () => {
  const { id, amount_mode: mode } = await h.agreed({
    frequency: 'weekly',
    amount: gbp(9_000),
    amount_mode: 'per_occurrence',
  });
  assert.equal(mode, 'per_occurrence');
  const [first = '', second = '', third = ''] = await datesOf(id);
  assert.deepEqual((await comingOf(id, 1))[0], {
    due_date: first,
    amount: null,
    skipped: false,
    changed: false,
    reason: 'no amount is set yet: without one it is skipped',
  });
  await change(id, second, { amount: gbp(8_250) });
  await runDays(22);
  assert.deepEqual(await collectedOf(id), [8_250]);
  assert.deepEqual(await skipsOf(id), [
    [first, 'amount_not_set'],
    [third, 'amount_not_set'],
  ]);
});

test('a moment that is no occurrence is not found, and one that has fallen due is refused', async () => {
  const { id } = await h.agreed({ frequency: 'weekly' });
  const [first = '', second = ''] = await datesOf(id);
  const notFound = { code: 'not_found' };
  await assert.rejects(change(id, 'next', SKIPPED), notFound);
  await assert.rejects(change(id, second.replace('09:00', '09:01'), SKIPPED), notFound);
  await assert.rejects(change('sch_0', second, SKIPPED), notFound);
  await runDays(8);
  await assert.rejects(change(id, first, SKIPPED), { code: 'occurrence_passed' });
  await assert.rejects(restore(id, first), { code: 'occurrence_passed' });
  await h.update(id, { status: 'cancelled' });
  await assert.rejects(change(id, second, SKIPPED), { code: 'schedule_cancelled' });
});

test('an amount beyond the limits is refused before the bank is asked, with what they leave', async () => {
  const { id } = await h.agreed({
    frequency: 'quarterly',
    amount: gbp(2_000),
    limits: { per_payment: gbp(5_000), per_period: gbp(6_000) },
  });
  const [first = '', second = ''] = await datesOf(id);
  const exceeds = (available: string) => ({ code: 'limit_exceeded', details: { available } });
  await assert.rejects(change(id, first, { amount: gbp(5_001) }), exceeds('4000'));
  await change(id, first, { amount: gbp(4_000) });
  await assert.rejects(change(id, second, { amount: gbp(2_001) }), exceeds('2000'));
  await change(id, first, SKIPPED);
  await change(id, second, { amount: gbp(5_000) });
});

test('before the customer agrees, amounts are set within the limits that they are asked for', async () => {
  const { id, consent_url: link } = await h.create({ frequency: 'weekly', amount: gbp(2_000) });
  const [first = ''] = await datesOf(id);
  await assert.rejects(change(id, first, { amount: gbp(2_001) }), { code: 'limit_exceeded' });
  await change(id, first, { amount: gbp(1_999) });
  await h.decide(link);
  await runDays(8);
  assert.deepEqual(await collectedOf(id), [1_999]);
});

test('new terms leave room for what is set, and a retry collects what was set', async () => {
  const { id } = await h.agreed({
    frequency: 'weekly',
    amount: gbp(2_000),
    limits: { per_payment: gbp(5_000) },
  });
  const [first = ''] = await datesOf(id);
  await change(id, first, { amount: gbp(4_000) });
  await assert.rejects(h.update(id, { limits: { per_payment: gbp(3_000) } }), {
    details: {
      'limits.per_payment.value': `must be at least 4000 (£40.00): as much is set for the collection of ${first}`,
    },
  });
  h.bank.mood.funds = false;
  await h.runUntil(Temporal.Instant.from(first).add({ hours: 1 }));
  h.bank.cheerUp();
  await runDays(5);
  assert.deepEqual(await collectedOf(id), [4_000]);
});
