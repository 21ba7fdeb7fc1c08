// Slow: covers the weeks around every kind of edit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeHold } from '../../server/src/merchants/holds/hold-service.ts';
import { showUpcoming } from '../../server/src/schedules/change/upcoming.ts';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import { assertLaws, paymentsOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

/** 5 January 2026 is a Monday, 9 January a Friday. */
const { h, runFor } = oneForEach('2026-01-05T08:00:00Z');

const gbp = (value: number) => ({ value, currency: 'GBP' });

/** Returns a daily schedule of GBP 5.00 at 09:00 whose first occurrence is at the start of the test. */
const daily = async (start: string, more: Partial<CreateBody> = {}): Promise<string> => {
  h.clock.at = Temporal.Instant.from(`${start}T08:00:00Z`);
  const series = { frequency: 'daily', start_date: `${start}T09:00:00Z` } as const;
  return (await h.agreed({ ...series, amount: gbp(500), ...more })).id;
};

/** Returns the days on which a schedule was collected. */
const daysOf = async (id: string): Promise<string[]> =>
  (await paymentsOf(h, id)).map(({ due_date }) => due_date.slice(0, 10)).sort();

const days = (from: string, count: number, step = 1): string[] =>
  Array.from({ length: count }, (_, n) =>
    Temporal.PlainDate.from(from)
      .add({ days: n * step })
      .toString(),
  );

const promised = async (id: string): Promise<string[]> => {
  const asked = { now: h.clock.at, merchantId: h.merchantId };
  const { data } = await h.db.read((tx) => showUpcoming({ ...asked, tx }, id, 5));
  return data.map(({ due_date }) => due_date);
};

/** What somebody does to a schedule at noon, and which leaves its days as they are. */
const EDITS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'a lower amount': (id) => h.update(id, { amount: gbp(400) }),
  'a raise that the customer agrees to': async (id) =>
    h.decide((await h.update(id, { amount: gbp(600) })).consent_url),
  'a new end date': (id) => h.update(id, { end_date: '2027-01-01T00:00:00Z' }),
  'lower limits': (id) => h.update(id, { limits: { per_payment: gbp(500) } }),
  'another amount mode and back': async (id) => {
    await h.update(id, { amount_mode: 'per_occurrence' });
    await h.update(id, { amount_mode: 'fixed' });
  },
  'a pause, and a resume a minute later': async (id) => {
    await h.update(id, { status: 'paused' });
    await runFor({ minutes: 1 });
    await h.update(id, { status: 'active' });
  },
  'a pause for ten minutes': async (id) => {
    const resumeAt = h.clock.at.add({ minutes: 10 }).toString();
    await h.update(id, { status: 'paused', resume_at: resumeAt });
    await runFor({ minutes: 20 });
  },
  'two changes, one after the other': async (id) => {
    await h.update(id, { amount: gbp(400) });
    await h.update(id, { amount: gbp(300) });
  },
};

for (const [what, edit] of Object.entries(EDITS))
  for (const [day, date] of [
    ['Friday', '2026-01-09'],
    ['Saturday', '2026-01-10'],
  ] as const)
    test(`${what} at noon on a ${day} loses no daily collection, and moves none`, async () => {
      const id = await daily('2026-01-05');
      await h.runUntil(`${date}T12:00:00Z`);
      const before = await promised(id);
      await edit(id);
      assert.deepEqual(await promised(id), before);
      assert.equal((await h.show(id)).next_payment_date, before[0]);
      await h.runUntil('2026-01-15T12:00:00Z');
      assert.deepEqual(await daysOf(id), days('2026-01-05', 11));
      await assertLaws(h);
    });

test('a change before a weekend loses no collection of every second day', async () => {
  const id = await daily('2026-01-05', { frequency: { type: 'daily', interval: 2 } });
  await h.runUntil('2026-01-09T12:00:00Z'); // a Friday on which it was collected; next is Sunday
  await h.update(id, { amount: gbp(400) });
  await h.runUntil('2026-01-10T12:00:00Z');
  await h.update(id, { amount: gbp(300) });
  await h.runUntil('2026-01-20T12:00:00Z');
  assert.deepEqual(await daysOf(id), days('2026-01-05', 8, 2));
});

test('pauses and resumes on each day of Easter lose no daily collection', async () => {
  const id = await daily('2026-03-30');
  for (const day of ['02', '03', '04', '05', '06']) {
    await h.runUntil(`2026-04-${day}T12:00:00Z`);
    await h.update(id, { status: 'paused' });
    await runFor({ minutes: 1 });
    await h.update(id, { status: 'active' });
  }
  await h.runUntil('2026-04-09T12:00:00Z');
  assert.deepEqual(await daysOf(id), days('2026-03-30', 11));
  await assertLaws(h);
});

test('a pause until a day loses no daily collection after it', async () => {
  const id = await daily('2026-01-05');
  await h.runUntil('2026-01-07T12:00:00Z');
  await h.update(id, { status: 'paused', resume_at: '2026-01-09T12:00:00Z' });
  assert.equal((await promised(id))[0], '2026-01-10T09:00:00.000Z');
  await h.runUntil('2026-01-13T12:00:00Z');
  assert.deepEqual(await daysOf(id), [...days('2026-01-05', 3), ...days('2026-01-10', 4)]);
  await assertLaws(h);
});

/** A monthly schedule on the 10th: a Saturday in January 2026. */
const onThe10th: Partial<CreateBody> = {
  frequency: { type: 'monthly', day: 10 },
  start_date: '2026-01-10T09:00:00Z',
};

test('an occurrence that was collected is not collected again on the day it would move to, after pauses either', async () => {
  const { id } = await h.agreed(onThe10th);
  await h.runUntil('2026-01-10T12:00:00Z'); // collected on the Saturday
  await h.decide((await h.update(id, { non_working_day: 'next' })).consent_url);
  assert.equal((await promised(id))[0], '2026-02-10T09:00:00.000Z', 'and nobody is told so');
  for (const status of ['paused', 'active', 'paused'] as const) await h.update(id, { status });
  assert.equal((await promised(id))[0], '2026-02-10T09:00:00.000Z');
  await h.update(id, { status: 'active' });
  await h.runUntil('2026-02-11T12:00:00Z');
  assert.deepEqual(await daysOf(id), ['2026-01-10', '2026-02-10']);
  await assertLaws(h);
});

test('nor is one that was skipped', async () => {
  const { id } = await h.agreed({ ...onThe10th, amount_mode: 'per_occurrence' });
  await h.runUntil('2026-01-10T12:00:00Z'); // skipped: no amount was set
  await h.update(id, { non_working_day: 'next', amount_mode: 'fixed' });
  await h.update(id, { status: 'paused' });
  await h.update(id, { status: 'active' });
  await h.runUntil('2026-02-11T12:00:00Z');
  assert.deepEqual(await daysOf(id), ['2026-02-10']);
  await assertLaws(h);
});

test('what passed in a pause on the day it had moved to does not come again when it moves no more', async () => {
  const { id } = await h.agreed({ ...onThe10th, non_working_day: 'previous' });
  await h.runUntil('2026-05-07T12:00:00Z');
  await h.update(id, { status: 'paused' });
  await h.runUntil('2026-05-08T12:00:00Z'); // the Friday to which Sunday the 10th had moved
  await h.update(id, { non_working_day: 'same' });
  assert.equal((await promised(id))[0], '2026-06-10T08:00:00.000Z');
  await h.update(id, { description: 'Another' });
  await h.update(id, { status: 'active' });
  assert.equal((await h.show(id)).next_payment_date, '2026-06-10T08:00:00.000Z');
  await h.runUntil('2026-06-11T12:00:00Z');
  assert.deepEqual((await daysOf(id)).slice(-2), ['2026-04-10', '2026-06-10']);
  await assertLaws(h);
});

test('one whose day moves in a pause, before it has passed, is still to come', async () => {
  const { id } = await h.agreed({ ...onThe10th, non_working_day: 'previous' });
  await h.runUntil('2026-05-07T12:00:00Z');
  await h.update(id, { status: 'paused', resume_at: '2026-05-09T12:00:00Z' });
  await h.update(id, { non_working_day: 'same' });
  assert.equal((await promised(id))[0], '2026-05-10T08:00:00.000Z');
  await h.runUntil('2026-05-11T12:00:00Z');
  assert.deepEqual((await daysOf(id)).slice(-1), ['2026-05-10']);
  await assertLaws(h);
});

test('an end that is put off after it had come brings no collection of the time in between', async () => {
  const id = await daily('2026-01-05', { end_date: '2026-01-07T12:00:00Z' });
  await h.runUntil('2026-01-10T12:00:00Z');
  const shown = await h.update(id, { end_date: '2026-02-01T00:00:00Z' });
  await h.decide(shown.consent_url);
  await h.runUntil('2026-01-12T12:00:00Z');
  assert.deepEqual(await daysOf(id), [...days('2026-01-05', 3), ...days('2026-01-11', 2)]);
  await assertLaws(h);
});

test('what fell due before a pause, a cancellation or a change, and was not opened yet, is accounted for', async () => {
  const make = () => h.agreed({ frequency: 'daily', start_date: '2026-01-06T09:00:00Z' });
  const paused = (await make()).id;
  const cancelled = (await make()).id;
  const changed = (await make()).id;
  h.clock.at = Temporal.Instant.from('2026-01-07T12:00:00Z'); // nothing ran for a day
  await h.update(paused, { status: 'paused' });
  await h.update(cancelled, { status: 'cancelled' });
  await h.update(changed, { frequency: 'monthly' });
  await runFor({ minutes: 1 });
  const due = ['2026-01-06', '2026-01-07'];
  for (const id of [paused, cancelled, changed]) assert.deepEqual(await daysOf(id), due);
  const errors = async (id: string) => (await paymentsOf(h, id)).map(({ error }) => error?.code);
  assert.deepEqual(await errors(paused), ['schedule_paused', 'schedule_paused']);
  assert.deepEqual(await errors(cancelled), ['schedule_cancelled', 'schedule_cancelled']);
  const debited = [...h.bank.payments.values()].filter(({ status }) => status !== 'failed');
  assert.equal(debited.length, 2, 'only the one that goes on is debited');
  await assertLaws(h);
});

test('what waits because its merchant is suspended survives a change, and ends with a pause', async () => {
  const make = () => h.agreed({ frequency: 'daily', start_date: '2026-01-06T09:00:00Z' });
  const changed = (await make()).id;
  const paused = (await make()).id;
  await h.db.transaction((tx) =>
    placeHold(h.platform, { tx, now: h.clock.at, merchantId: h.merchantId }, 'suspended', {
      by: 'Robin Fern',
      reason: 'fraud alert',
    }),
  );
  await h.runUntil('2026-01-07T12:00:00Z');
  await h.update(changed, { frequency: 'weekly' });
  await h.update(paused, { status: 'paused' });
  await runFor({ minutes: 1 });
  for (const id of [changed, paused])
    assert.deepEqual(await daysOf(id), ['2026-01-06', '2026-01-07']);
  await assertLaws(h);
});

test('an occurrence at the very moment of a resume belongs to the pause, and at a planned one to the schedule', async () => {
  const byHand = await daily('2026-01-06');
  const planned = (await h.agreed({ frequency: 'daily', start_date: '2026-01-06T09:00:00Z' })).id;
  const until = '2026-01-08T09:00:00Z';
  await h.update(byHand, { status: 'paused' });
  await h.update(planned, { status: 'paused', resume_at: until });
  h.clock.at = Temporal.Instant.from(until);
  await h.update(byHand, { status: 'active' });
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(await daysOf(byHand), ['2026-01-09']);
  assert.deepEqual(await daysOf(planned), ['2026-01-08', '2026-01-09']);
  await assertLaws(h);
});
