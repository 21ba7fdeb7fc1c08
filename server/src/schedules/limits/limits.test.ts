import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameLimits, limitsIn, refuseLowLimits } from '../request/limits-body.ts';
import type { FrequencyType } from '../terms/frequency.ts';
import { planSeries } from '../terms/plan.ts';
import type { AskedLimits } from '../terms/schedule.ts';
import { AS_NEEDED, describeAsked, limitErrors, limitsOf } from './limits.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const gbp = (value: number) => ({ value, currency: 'GBP' });

function termsOf(frequency: FrequencyType, limits: Partial<AskedLimits> = {}) {
  const planned = planSeries({
    frequency,
    startDate: null,
    endDate: null,
    timeZone: 'Europe/London',
    now: NOW,
  });
  assert.ok('series' in planned);
  return { amountPence: 5_000, series: planned.series, limits: { ...AS_NEEDED, ...limits } };
}

test('without a limit of its own, a schedule has as much room as its occurrences need', () => {
  const needed = (type: FrequencyType) => Object.values(limitsOf(termsOf(type)));
  assert.deepEqual(needed('daily'), [5_000, 40_000, 'Week']);
  assert.deepEqual(needed('weekly'), [5_000, 5_000, 'Week']);
  assert.deepEqual(needed('monthly'), [5_000, 5_000, 'Month']);
  assert.deepEqual(needed('quarterly'), [5_000, 10_000, 'Half-year']);
  assert.deepEqual(needed('yearly'), [5_000, 5_000, 'Year']);
});

test('a limit per payment alone gives the period room for its occurrences at that limit', () => {
  const limits = limitsOf(termsOf('quarterly', { perPaymentPence: 8_000 }));
  assert.deepEqual(Object.values(limits), [8_000, 16_000, 'Half-year']);
});

test('a limit per period is what was asked for, and never below one payment', () => {
  const alone = limitsOf(termsOf('monthly', { perPeriodPence: 12_000 }));
  assert.deepEqual(Object.values(alone), [5_000, 12_000, 'Month']);
  const both = limitsOf(termsOf('monthly', { perPaymentPence: 9_000, perPeriodPence: 6_000 }));
  assert.deepEqual(Object.values(both), [9_000, 9_000, 'Month']);
});

test('limits that were asked for before the amount rose rise with it', () => {
  const raised = { ...termsOf('quarterly', { perPaymentPence: 6_000, perPeriodPence: 11_000 }) };
  assert.deepEqual(Object.values(limitsOf({ ...raised, amountPence: 7_000 })), [
    7_000,
    14_000,
    'Half-year',
  ]);
});

test('a limit below what the terms need is named, with what they need', () => {
  const errors = (type: FrequencyType, perPayment: number | null, perPeriod: number | null) =>
    limitErrors(termsOf(type), { perPaymentPence: perPayment, perPeriodPence: perPeriod });
  assert.deepEqual(errors('monthly', 5_000, 5_000), {});
  assert.deepEqual(errors('monthly', null, null), {});
  assert.deepEqual(errors('monthly', 4_999, null), {
    'limits.per_payment.value': 'must be at least 5000 (£50.00): one payment takes as much',
  });
  assert.deepEqual(errors('quarterly', null, 9_999), {
    'limits.per_period.value':
      'must be at least 10000 (£100.00): a half-year needs room for 2 payments of £50.00',
  });
  assert.deepEqual(errors('monthly', 8_000, 7_999), {
    'limits.per_period.value': 'must be at least 8000 (£80.00): one payment may take as much',
  });
});

test('limits left out of a body stay, null gives them up, and what was read changes nothing', () => {
  const present = { perPaymentPence: 8_000, perPeriodPence: 9_000 };
  assert.deepEqual(limitsIn(undefined, present), present);
  assert.deepEqual(limitsIn(null, present), AS_NEEDED);
  assert.deepEqual(limitsIn({ per_period: gbp(7_000) }, present), {
    ...present,
    perPeriodPence: 7_000,
  });
  assert.deepEqual(limitsIn({ per_payment: null }, present), { ...present, perPaymentPence: null });
  const terms = termsOf('monthly', present);
  const read = { per_payment: gbp(8_000), per_period: gbp(9_000), period: 'month' } as const;
  assert.equal(isSameLimits(read, terms), true);
  assert.equal(isSameLimits({ ...read, period: 'week' }, terms), false);
  assert.equal(isSameLimits({ per_payment: gbp(8_001) }, terms), false);
  assert.equal(isSameLimits(null, terms), false);
  assert.equal(isSameLimits(null, termsOf('monthly')), true);
});

test('the period of a limit cannot be chosen', () => {
  const asked = (period: 'week' | 'month') => () => refuseLowLimits(termsOf('monthly'), { period });
  assert.doesNotThrow(asked('month'));
  assert.throws(asked('week'), {
    details: { 'limits.period': 'follows from the frequency: month' },
  });
});

test('limits that were asked for are described after the amount', () => {
  assert.equal(describeAsked(termsOf('monthly')), '');
  assert.equal(
    describeAsked(termsOf('monthly', { perPaymentPence: 8_000 })),
    ', at most £80.00 each and £80.00 per month',
  );
});
