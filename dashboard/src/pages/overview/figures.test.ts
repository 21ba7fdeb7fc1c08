import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import {
  axisWords,
  bucketsOf,
  bucketWords,
  changeWords,
  countWords,
  firstStep,
  lawWords,
  paymentsOf,
  percentWords,
  spanOf,
} from './figures.ts';

const nothing = { value: 0, count: 0 };
const untouched: OverviewView = {
  currency: 'GBP',
  days: [],
  collected: nothing,
  failed: nothing,
  settled: nothing,
  success_rate: null,
  upcoming: { ...nothing, days: [] },
  wallet: { value: 0, currency: 'GBP' },
  next_settlement: null,
  schedules: { pending_consent: 0, active: 0, paused: 0, cancelled: 0 },
  webhooks: { endpoints: 0, undelivered: 0, failing: [] },
  laws: { checked_at: null, findings: [] },
};

test('an address that names no span gets the usual one', () => {
  assert.equal(spanOf('90'), 90);
  assert.equal(spanOf('31'), 30);
  assert.equal(spanOf(null), 30);
});

test('a success rate is never rounded up to all', () => {
  assert.equal(percentWords(1), '100%');
  assert.equal(percentWords(0.99999), '99.9%');
  assert.equal(percentWords(0.5), '50%');
  assert.equal(percentWords(0), '0%');
});

test('one is not many', () => {
  assert.equal(countWords(1, 'payment'), '1 payment');
  assert.equal(countWords(1200, 'payment'), '1,200 payments');
});

test('an axis shows short amounts', () => {
  assert.equal(axisWords(0, 'GBP'), '£0');
  assert.equal(axisWords(250, 'GBP'), '£2.50');
  assert.equal(axisWords(4999, 'GBP'), '£50');
  assert.equal(axisWords(125_000, 'GBP'), '£1.3k');
});

test('a law is named in words', () => {
  assert.equal(lawWords('debits-equal-credits'), 'Debits equal credits');
});

test('a new merchant is led from the first schedule to the first collection, and no further', () => {
  const schedules = untouched.schedules;
  assert.equal(firstStep(untouched), 'create');
  assert.equal(
    firstStep({ ...untouched, schedules: { ...schedules, pending_consent: 1 } }),
    'agree',
  );
  const active = { ...untouched, schedules: { ...schedules, pending_consent: 1, active: 1 } };
  assert.equal(firstStep(active), 'move_clock');
  assert.equal(firstStep({ ...active, failed: { value: 100, count: 1 } }), null);
  assert.equal(firstStep({ ...active, wallet: { value: 100, currency: 'GBP' } }), null);
  assert.equal(firstStep({ ...untouched, schedules: { ...schedules, cancelled: 1 } }), null);
});

const aDay = (n: number, pence: number) => ({
  date: new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10),
  collected: { value: pence, count: 1 },
  failed: nothing,
  settled: nothing,
});

test('few days stand alone, many by the week; nothing is lost or counted twice', () => {
  const thirty = Array.from({ length: 30 }, (_, n) => aDay(n + 1, n));
  assert.deepEqual(
    bucketsOf(thirty).map(({ date, to }) => [date, to]),
    thirty.map(({ date }) => [date, date]),
  );
  const ninety = Array.from({ length: 90 }, (_, n) => aDay(n + 1, n));
  const weeks = bucketsOf(ninety);
  assert.equal(weeks.length, 13);
  assert.deepEqual([weeks[0]?.date, weeks[0]?.to], ['2026-01-01', '2026-01-06']);
  assert.deepEqual([weeks[12]?.date, weeks[12]?.to], ['2026-03-25', '2026-03-31']);
  assert.equal(
    weeks.reduce((sum, week) => sum + week.collected.value, 0),
    (89 * 90) / 2,
  );
  assert.deepEqual(bucketsOf([]), []);
});

test('a day and a week are named so that nobody takes one for the other', () => {
  const [week] = bucketsOf(Array.from({ length: 35 }, (_, n) => aDay(n + 1, n)));
  assert.equal(week === undefined ? '' : bucketWords(week), '1 Jan – 7 Jan');
});

test('a figure is compared with the days before, and not where there was nothing', () => {
  assert.equal(changeWords(5, 0, 30), '');
  assert.equal(changeWords(112, 100, 30), '12% more than in the previous 30 days');
  assert.equal(changeWords(50, 100, 7), '50% less than in the previous 7 days');
  assert.equal(changeWords(0, 100, 7), '100% less than in the previous 7 days');
  assert.equal(changeWords(10_001, 10_000, 90), 'Same as in the previous 90 days');
  assert.equal(changeWords(900, 100, 90), '800% more than in the previous 90 days');
  assert.equal(
    changeWords(1_300, 100, 90),
    'More than 10 times as much as in the previous 90 days',
  );
});

test('a bar leads to the payments that were due on its days', () => {
  const sums = { collected: nothing, failed: nothing, settled: nothing };
  const week = { date: '2026-03-30', to: '2026-04-05', ...sums };
  assert.equal(paymentsOf(week), '/payments?from=2026-03-30&to=2026-04-05');
});
