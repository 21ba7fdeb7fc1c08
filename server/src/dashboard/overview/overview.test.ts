import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refund, settlementsOf } from '../../../test-support/books.ts';
import { feesFromTomorrow } from '../../../test-support/fees.ts';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { createEndpoint, deleteEndpoint, updateEndpoint } from '../../webhooks/service.ts';
import type { OverviewView } from './view.ts';

const NOTHING = { value: 0, count: 0 };
const gbp = (value: number) => ({ value, currency: 'GBP' });
const phone = (n: number) => ({ type: 'phone', value: `+4477009003${n}` });

let d: TestDashboard;
let empty: MerchantSide;
let away: MerchantSide;
before(async () => {
  d = await openDashboard('2026-03-02T09:30:00Z');
  empty = await d.h.merchant();
  away = await d.h.merchant({ timeZone: 'Pacific/Auckland' });
});
after(() => d.close());

const overview = (query = '', merchantId?: string): Promise<OverviewView> =>
  d.get<OverviewView>(`/api/overview${query}`, merchantId);
const dayOf = (o: OverviewView, date: string): OverviewView['days'][number] | undefined =>
  o.days.find((day) => day.date === date);

test('a merchant with nothing sees every day empty, and nothing in trouble', async () => {
  const shown = await overview('', empty.merchantId);
  assert.equal(shown.days.length, 30);
  assert.equal(shown.days[0]?.date, '2026-02-01');
  assert.equal(shown.days.at(-1)?.date, '2026-03-02');
  assert.deepEqual([shown.collected, shown.failed, shown.settled], [NOTHING, NOTHING, NOTHING]);
  assert.equal(shown.success_rate, null);
  assert.deepEqual([shown.upcoming.value, shown.upcoming.days.length], [0, 30]);
  assert.deepEqual(shown.wallet, { value: 0, currency: 'GBP' });
  assert.equal(shown.next_settlement, null);
  assert.deepEqual(shown.webhooks, { endpoints: 0, undelivered: 0, failing: [] });
});

test('collected, failed and settled stand on their days; the wallet and the next settlement follow', async () => {
  const start_date = '2026-03-03T09:00:00Z'; // a Tuesday
  await d.h.agreed({ customer: phone(10), amount: gbp(1000), start_date, frequency: 'weekly' });
  await d.h.create({ customer: phone(11) });
  const poor = await d.h.agreed({
    customer: phone(12),
    amount: gbp(700),
    start_date: '2026-03-04T09:00:00Z',
    max_retries: 0,
  });
  await d.h.runUntil('2026-03-03T12:00:00Z');
  const first = await overview();
  assert.deepEqual(dayOf(first, '2026-03-03')?.collected, { value: 1000, count: 1 });
  assert.deepEqual(first.wallet, gbp(1000));
  assert.deepEqual(first.next_settlement, { date: '2026-03-04', value: 1000 });
  assert.equal(first.success_rate, 1);
  d.h.bank.mood.funds = false;
  await d.h.runUntil('2026-03-04T12:00:00Z');
  d.h.bank.cheerUp();
  const second = await overview('?days=7');
  assert.equal(second.days.length, 7);
  assert.deepEqual(dayOf(second, '2026-03-04'), {
    date: '2026-03-04',
    collected: NOTHING,
    failed: { value: 700, count: 1 },
    settled: { value: 1000, count: 1 },
  });
  assert.deepEqual(second.settled, { value: 1000, count: 1 });
  assert.equal(second.success_rate, 0.5);
  assert.equal(second.next_settlement, null);
  assert.deepEqual(second.schedules, { pending_consent: 1, active: 2, paused: 0, cancelled: 0 });
  await d.h.update(poor.id, { status: 'paused' });
  assert.equal((await overview()).schedules.paused, 1);
});

test('the coming 30 days are those of the active schedules, day by day', async () => {
  const { upcoming } = await overview();
  const days = upcoming.days.filter((day) => day.count > 0);
  assert.deepEqual(
    days.map((day) => [day.date, day.value]),
    [
      ['2026-03-10', 1000],
      ['2026-03-17', 1000],
      ['2026-03-24', 1000],
      ['2026-03-31', 1000],
    ],
  );
  assert.deepEqual([upcoming.value, upcoming.count], [4000, 4]);
});

test('days are those of the merchant’s own calendar', async () => {
  await away.agreed({ amount: gbp(300), start_date: '2026-03-05T12:30:00Z' }); // 6 March in Auckland
  await d.h.runUntil('2026-03-05T14:00:00Z');
  const shown = await overview('', away.merchantId);
  assert.equal(shown.days.at(-1)?.date, '2026-03-06');
  assert.deepEqual(dayOf(shown, '2026-03-06')?.collected, { value: 300, count: 1 });
  assert.equal(shown.upcoming.days[0]?.date, '2026-03-06');
});

test('an endpoint is in trouble once retries have not helped for an hour, and while it is disabled with events', async () => {
  const { platform, clock, merchantId, db } = d.h;
  const asked = <T>(
    work: (asked: Parameters<typeof createEndpoint>[1]) => Promise<T>,
  ): Promise<T> => db.transaction((tx) => work({ tx, now: clock.at, merchantId }));
  const url = 'http://127.0.0.1:9/hooks';
  const { endpoint } = await asked((a) =>
    createEndpoint(platform, a, { url, eventKinds: ['schedule.cancelled'] }),
  );
  const quiet = await overview();
  assert.deepEqual(quiet.webhooks, { endpoints: 1, undelivered: 0, failing: [] });
  const { id } = await d.h.create({ customer: phone(20) });
  await d.h.update(id, { status: 'cancelled' });
  await d.h.runUntil(clock.at);
  const retried = (await overview()).webhooks;
  assert.deepEqual([retried.undelivered, retried.failing], [1, []]);
  await d.h.runUntil(clock.at.add({ minutes: 59 }));
  assert.deepEqual((await overview()).webhooks.failing, []);
  await d.h.runUntil(clock.at.add({ minutes: 1 }));
  const failing = (await overview()).webhooks;
  assert.equal(failing.undelivered, 1);
  assert.equal(failing.failing[0]?.url, url);
  assert.equal(failing.failing[0]?.undelivered, 1);
  assert.ok(failing.failing[0]?.last_error);
  await asked((a) => updateEndpoint(platform, a, endpoint.endpointId, { status: 'disabled' }));
  const held = (await overview()).webhooks;
  assert.deepEqual([held.endpoints, held.failing[0]?.status], [0, 'disabled']);
  const foreign = (await overview('', empty.merchantId)).webhooks;
  assert.deepEqual(foreign, { endpoints: 0, undelivered: 0, failing: [] });
});

test('what is undelivered is what the event log lists as such, events without an endpoint included', async () => {
  const { platform, clock, db } = d.h;
  const side = await d.h.merchant();
  const { merchantId } = side;
  const asked = <T>(
    work: (asked: Parameters<typeof createEndpoint>[1]) => Promise<T>,
  ): Promise<T> => db.transaction((tx) => work({ tx, now: clock.at, merchantId }));
  const both = async (): Promise<number[]> => {
    const { total } = await d.get<{ total: number }>(
      '/api/v1/events?delivery=undelivered',
      merchantId,
    );
    return [(await overview('', merchantId)).webhooks.undelivered, total];
  };
  const cancelOne = async (n: number): Promise<void> => {
    const { id } = await side.create({ customer: phone(n) });
    await side.update(id, { status: 'cancelled' });
    await d.h.runUntil(clock.at);
  };
  await cancelOne(30);
  assert.deepEqual(await both(), [1, 1], 'no endpoint');
  const url = 'http://127.0.0.1:9/hooks';
  const deaf = await asked((a) =>
    createEndpoint(platform, a, { url, eventKinds: ['settlement.failed'] }),
  );
  assert.deepEqual(await both(), [0, 0], 'nobody asks for it');
  const { endpoint } = await asked((a) =>
    createEndpoint(platform, a, { url, eventKinds: ['schedule.cancelled'] }),
  );
  assert.deepEqual(await both(), [1, 1], 'from before there was an endpoint');
  await cancelOne(31);
  assert.deepEqual(await both(), [2, 2], 'an endpoint that does not answer');
  await asked((a) => deleteEndpoint(a, endpoint.endpointId));
  assert.deepEqual(await both(), [0, 0], 'who asked for it is gone');
  await asked((a) => deleteEndpoint(a, deaf.endpoint.endpointId));
  assert.deepEqual(await both(), [2, 2], 'no endpoint is left');
});

test('the laws of money stand as the last check found them', async () => {
  const before = await overview('', empty.merchantId);
  assert.deepEqual(before.laws, { checked_at: null, findings: [] });
  await d.h.db.transaction((tx) =>
    tx.run(
      `INSERT INTO law_findings (law, sentence, holds, checked_at, unknown_since, unknown_reason)
       VALUES ('b', 'Second.', NULL, $1, $1, 'the issuer does not answer'),
         ('a', 'First.', true, $2, NULL, NULL)`,
      [d.h.clock.at, d.h.clock.at.add({ minutes: 1 })],
    ),
  );
  const { laws } = await overview('', empty.merchantId);
  assert.equal(laws.checked_at, d.h.clock.at.toString({ fractionalSecondDigits: 3 }));
  assert.deepEqual(laws.findings, [
    { law: 'a', sentence: 'First.', holds: true, unknown: null },
    {
      law: 'b',
      sentence: 'Second.',
      holds: null,
      unknown: {
        since: d.h.clock.at.toString({ fractionalSecondDigits: 3 }),
        reason: 'the issuer does not answer',
      },
    },
  ]);
});

test('the number of days is bounded', async () => {
  for (const days of ['6', '91', 'many'])
    assert.match((await d.refused('GET', `/api/overview?days=${days}`)).body.message, /^days: /);
});

test('the next settlement is all that is being paid out on its day, however many pay-outs carry it', async () => {
  const large = await d.h.merchant();
  const { at } = d.h.clock;
  for (const [n, pence] of [70_000_000, 50_000_000].entries())
    await large.agreed({
      customer: phone(40 + n),
      amount: gbp(pence),
      start_date: at.add({ hours: 1 }).toString(),
      frequency: 'yearly',
    });
  d.h.issuer.slowPayOuts = true;
  await d.h.runUntil(at.add({ hours: 48 }));
  const { next_settlement } = await overview('', large.merchantId);
  assert.equal(next_settlement?.value, 120_000_000);
  // Otherwise the issuer would be asked about them through the days of the next test.
  d.h.issuer.slowPayOuts = false;
  for (const [key, { status }] of d.h.issuer.orders)
    if (status === 'pending') d.h.issuer.endPayOut(key, null);
});

test('the next settlement is less fees and refunds, and nothing where they take all of it', async () => {
  const charged = await d.h.merchant();
  await feesFromTomorrow(d.h, { fixedPence: 20, basisPoints: 100 }, charged);
  const monday = '2026-03-16T09:00:00Z';
  for (const [n, pence] of [1000, 4999].entries())
    await charged.agreed({
      customer: phone(50 + n),
      amount: gbp(pence),
      start_date: monday,
      frequency: 'yearly',
    });
  const next = async () => (await overview('', charged.merchantId)).next_settlement;
  await d.h.runUntil('2026-03-16T12:00:00Z');
  assert.deepEqual(await next(), { date: '2026-03-17', value: 1000 + 4999 - 30 - 70 });
  const { rows } = await d.h.db.read(async (tx) => ({
    rows: await tx.rows<{ id: string; pence: number }>(
      `SELECT payment_id AS id, amount_pence AS pence FROM payments WHERE merchant_id = $1 ORDER BY amount_pence`,
      [charged.merchantId],
    ),
  }));
  await refund(d.h, rows[0]?.id ?? '', {}, charged);
  assert.deepEqual(await next(), { date: '2026-03-17', value: 4999 - 30 - 70 });
  await refund(d.h, rows[1]?.id ?? '', { amount: gbp(4899) }, charged);
  assert.equal(await next(), null, 'nothing would be paid out');
  await d.h.runUntil('2026-03-17T12:00:00Z');
  assert.deepEqual(await settlementsOf(d.h, charged), []);
});
