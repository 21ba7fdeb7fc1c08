// Slow: covers months around the changes of the clocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import { assertLaws, paymentsOf } from '../../server/test-support/books.ts';
import { openHarness } from '../../server/test-support/harness.ts';

/** Returns the due dates of a schedule's payments between two moments; all of them are collected. */
async function dueDates(
  start: string,
  body: Partial<CreateBody>,
  until: string,
  timeZone?: string,
): Promise<string[]> {
  const h = await openHarness(start);
  try {
    const m = timeZone === undefined ? h : await h.merchant({ timeZone });
    const { id } = await m.agreed(body);
    await h.runUntil(until);
    const payments = await paymentsOf(h, id, m);
    assert.ok(
      payments.every((p) => p.status === 'success'),
      JSON.stringify(payments.map((p) => p.error)),
    );
    assert.equal(h.bank.payments.size, payments.length);
    await assertLaws(h);
    return payments.map((p) => p.due_date.slice(0, 16));
  } finally {
    await h.close();
  }
}

test('at 01:30 on the day the clocks go forward a daily schedule collects once, an hour later, and then as before', async () => {
  const dates = await dueDates(
    '2026-03-27T12:00:00Z',
    { frequency: 'daily', start_date: '2026-03-28T01:30:00Z' },
    '2026-03-31T12:00:00Z',
  );
  // 01:30 does not exist on the 29th: it becomes 02:30 in summer time.
  assert.deepEqual(dates, [
    '2026-03-28T01:30',
    '2026-03-29T01:30',
    '2026-03-30T00:30',
    '2026-03-31T00:30',
  ]);
});

test('at 01:30 on the day the clocks go back a daily schedule collects once, the first time', async () => {
  const dates = await dueDates(
    '2026-10-23T12:00:00Z',
    { frequency: 'daily', start_date: '2026-10-24T01:30:00+01:00' },
    '2026-10-27T12:00:00Z',
  );
  assert.deepEqual(dates, [
    '2026-10-24T00:30',
    '2026-10-25T00:30',
    '2026-10-26T01:30',
    '2026-10-27T01:30',
  ]);
});

test('a monthly collection keeps its wall-clock time through both changes of a year', async () => {
  const dates = await dueDates(
    '2026-01-05T12:00:00Z',
    { frequency: { type: 'monthly', day: 31 } },
    '2026-12-31T12:00:00Z',
  );
  assert.deepEqual(dates, [
    '2026-01-31T09:00',
    '2026-02-28T09:00',
    '2026-03-31T08:00',
    '2026-04-30T08:00',
    '2026-05-31T08:00',
    '2026-06-30T08:00',
    '2026-07-31T08:00',
    '2026-08-31T08:00',
    '2026-09-30T08:00',
    '2026-10-31T09:00',
    '2026-11-30T09:00',
    '2026-12-31T09:00',
  ]);
});

test('a yearly collection on the leap day falls on the last of February in other years', async () => {
  const dates = await dueDates(
    '2028-02-01T12:00:00Z',
    { frequency: 'yearly', start_date: '2028-02-29T09:00:00Z' },
    '2032-03-01T12:00:00Z',
  );
  assert.deepEqual(
    dates.map((d) => d.slice(0, 10)),
    ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  );
});

test('the calendar is the one of the merchant', async () => {
  const dates = await dueDates(
    '2026-03-05T20:00:00Z',
    { frequency: { type: 'weekly', day: 7 }, start_date: '2026-03-06T23:30:00-05:00' },
    '2026-03-24T12:00:00Z',
    'America/New_York',
  );
  // The clocks of New York change on 8 March: 23:30 there is 04:30, then 03:30 of the next day.
  assert.deepEqual(dates, ['2026-03-09T03:30', '2026-03-16T03:30', '2026-03-23T03:30']);
});
