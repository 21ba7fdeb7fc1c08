import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asked } from '../../../test-support/books.ts';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { collectOnce } from '../../payments/api/collect-once.ts';
import { changeOccurrence, restoreOccurrence } from '../../schedules/change/change-occurrence.ts';
import { showSchedules } from '../../schedules/change/service.ts';
import { showUpcoming } from '../../schedules/change/upcoming.ts';
import type { OccurrenceBody } from '../../schedules/request/occurrence-schemas.ts';
import type { CreateBody } from '../../schedules/request/request.ts';
import type { ScheduleItem } from '../schedules/list-view.ts';
import type { OverviewView } from './view.ts';

// The next payment of a schedule, wherever it is shown, and the overview's forecast: both know what was set for single
// occurrences, what is collected besides them, and when a pause ends.

const on = (date: string): string => `2026-${date}T09:00:00.000Z`;
const gbp = (value: number) => ({ value, currency: 'GBP' });
const skip = true;
const SKIPPED: OccurrenceBody = { skip };
const LIMITS = { per_payment: gbp(5_000), per_period: gbp(10_000) };

let d: TestDashboard;
let side: MerchantSide;
let customers = 0;

before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z'); // a Monday
});
after(() => d.close());

/** Returns the id of a schedule of a merchant of its own, which collects £20 on Wednesdays from 7 January on. */
async function weekly(body: Partial<CreateBody> = {}): Promise<string> {
  side = await d.h.merchant();
  return another(body);
}

async function another(body: Partial<CreateBody> = {}): Promise<string> {
  customers += 1;
  const customer = { phone: `+44770090${String(1_000 + customers)}` };
  const frequency = { type: 'weekly', day: 3 } as const;
  const terms = { amount: gbp(2_000), frequency, start_date: on('01-07') };
  return (await side.agreed({ ...terms, limits: LIMITS, customer, ...body })).id;
}

const change = (id: string, due: string, body: OccurrenceBody) =>
  d.h.db.transaction((tx) =>
    changeOccurrence(d.h.service.schedules, asked(d.h, tx, side), id, due, body),
  );
const restore = (id: string, due: string) =>
  d.h.db.transaction((tx) => restoreOccurrence(asked(d.h, tx, side), id, due));
const collect = (id: string, pence: number, due_date: string) =>
  d.h.db.transaction((tx) =>
    collectOnce(d.h.platform, { ...asked(d.h, tx, side), idempotencyKey: null }, id, {
      amount: gbp(pence),
      due_date,
    }),
  );
const upcomingOf = (id: string) => d.h.db.read((tx) => showUpcoming(asked(d.h, tx, side), id, 5));

/** Returns when a schedule collects next, which its page and both lists say alike. */
async function nextOf(id: string): Promise<string | null> {
  const { next_payment_date: next } = await side.show(id);
  const page = { limit: 10, offset: 0 };
  const { data } = await d.h.db.read((tx) =>
    showSchedules(d.h.service.schedules, asked(d.h, tx, side), {}, page),
  );
  const items = await d.get<{ data: ScheduleItem[] }>('/api/v1/schedules', side.merchantId);
  const listed = [data, items.data].map(
    (list) => list.find((one) => one.id === id)?.next_payment_date,
  );
  assert.deepEqual(listed, [next, next]);
  return next;
}

/** Returns the days on which the overview expects payments, as `01-07 2000 1`: pounds in pence, number of payments. */
async function forecast(): Promise<string[]> {
  const { upcoming } = await d.get<OverviewView>('/api/overview', side.merchantId);
  const days = upcoming.days.filter(({ value, count }) => value !== 0 || count !== 0);
  assert.equal(
    upcoming.value,
    days.reduce((sum, { value }) => sum + value, 0),
  );
  return days.map(({ date, value, count }) => `${date.slice(5)} ${value} ${count}`);
}

test('a skipped occurrence is not the next payment, and the forecast leaves it out', async () => {
  const id = await weekly();
  assert.equal(await nextOf(id), on('01-07'));
  await change(id, on('01-07'), SKIPPED);
  await change(id, on('01-14'), SKIPPED);
  assert.equal(await nextOf(id), on('01-21'));
  assert.deepEqual(await forecast(), ['01-21 2000 1', '01-28 2000 1']);
  await restore(id, on('01-07'));
  assert.equal(await nextOf(id), on('01-07'));
  assert.deepEqual(await forecast(), ['01-07 2000 1', '01-21 2000 1', '01-28 2000 1']);
});

test('where everything up to the end is skipped, there is no next payment', async () => {
  const id = await weekly({ end_date: '2026-01-15T00:00:00Z' });
  for (const due of [on('01-07'), on('01-14')]) await change(id, due, SKIPPED);
  assert.equal(await nextOf(id), null);
  assert.deepEqual(await forecast(), []);
});

test('the forecast counts what was set for single occurrences', async () => {
  const id = await weekly();
  await another();
  await change(id, on('01-07'), { amount: gbp(4_500) });
  await change(id, on('01-21'), { amount: gbp(150) });
  assert.equal(await nextOf(id), on('01-07'));
  assert.deepEqual(await forecast(), [
    '01-07 6500 2',
    '01-14 4000 2',
    '01-21 2150 2',
    '01-28 4000 2',
  ]);
});

test('where each occurrence has an amount of its own, the forecast counts those that have one', async () => {
  const id = await weekly({ amount_mode: 'per_occurrence' });
  assert.deepEqual(await forecast(), []);
  assert.equal(await nextOf(id), on('01-07'), 'its amount may still be set');
  await change(id, on('01-14'), { amount: gbp(3_300) });
  await change(id, on('01-21'), SKIPPED);
  assert.deepEqual(await forecast(), ['01-14 3300 1']);
});

test('what was set for a date on which new terms do not collect counts no more', async () => {
  const id = await weekly();
  await change(id, on('01-14'), { amount: gbp(4_500) });
  await change(id, on('01-21'), SKIPPED);
  await side.update(id, { frequency: { type: 'weekly', day: 3, interval: 2 } });
  const collecting = (await upcomingOf(id)).data.filter(({ skipped }) => !skipped);
  assert.equal(await nextOf(id), collecting[0]?.due_date);
  assert.deepEqual(
    await forecast(),
    collecting
      .filter(({ due_date: due }) => due < '2026-02-04')
      .map(({ due_date: due, amount }) => `${due.slice(5, 10)} ${amount?.value} 1`),
  );
});

test('a payment besides the occurrences is the next one if it is earlier, and is in the forecast', async () => {
  const id = await weekly();
  await collect(id, 700, '2026-01-08T15:00:00Z');
  await collect(id, 800, '2026-01-14T15:00:00Z');
  assert.equal(await nextOf(id), on('01-07'));
  await change(id, on('01-07'), SKIPPED);
  assert.equal(await nextOf(id), '2026-01-08T15:00:00.000Z');
  assert.deepEqual(await forecast(), [
    '01-08 700 1',
    '01-14 2800 2',
    '01-21 2000 1',
    '01-28 2000 1',
  ]);
});

test('a schedule that is paused until a day collects next after that day', async () => {
  const id = await weekly();
  await side.update(id, { status: 'paused' });
  assert.equal(await nextOf(id), null);
  assert.deepEqual(await forecast(), []);
  await side.update(id, { status: 'paused', resume_at: '2026-01-14T09:00:00Z' });
  assert.equal(await nextOf(id), on('01-14'), 'an occurrence at that very moment is collected');
  await side.update(id, { status: 'paused', resume_at: '2026-01-14T09:00:01Z' });
  assert.equal(await nextOf(id), on('01-21'));
  await change(id, on('01-21'), SKIPPED);
  assert.equal(await nextOf(id), on('01-28'));
  assert.deepEqual(await forecast(), ['01-28 2000 1']);
});

test('before the customer agrees, a skipped first occurrence is not the next payment either', async () => {
  side = await d.h.merchant();
  const { id } = await side.create({ frequency: 'weekly', start_date: on('01-07') });
  assert.equal(await nextOf(id), on('01-07'));
  await change(id, on('01-07'), SKIPPED);
  assert.equal(await nextOf(id), on('01-14'));
  assert.deepEqual(await forecast(), [], 'nothing is expected without a consent');
});

test('occurrences that a bank holiday moves are expected on the days to which they move', async () => {
  d.h.clock.at = Temporal.Instant.from('2026-03-30T09:30:00Z');
  const id = await weekly({
    frequency: { type: 'weekly', day: 5 },
    start_date: '2026-04-03T08:00:00Z', // Good Friday
    non_working_day: 'next',
  });
  const due = (await upcomingOf(id)).data.map((one) => one.due_date.slice(5, 10));
  assert.deepEqual(due.slice(0, 4), ['04-07', '04-10', '04-17', '04-24']);
  assert.equal((await nextOf(id))?.slice(5, 10), '04-07');
  assert.deepEqual(
    await forecast(),
    due.slice(0, 4).map((date) => `${date} 2000 1`),
  );
});
