import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSeries } from '../terms/plan.ts';
import { parametersAtAgreement } from './agreement.ts';
import type { LimitedTerms } from './limits.ts';

const DAY = { hours: 24 };

/** Returns what is asked of the bank for a gym: £12.50 on the 15th of each month from 15 December on, agreed to on a day. */
function asked(
  now: string,
  more: Partial<LimitedTerms> & { maxRetries?: number; start?: string; linkDays?: number } = {},
) {
  const { maxRetries = 3, start = '2026-12-01T09:00:00Z', linkDays = 7, ...terms } = more;
  const at = Temporal.Instant.from(now);
  const planned = planSeries({
    frequency: { type: 'monthly', day: 15 },
    startDate: Temporal.Instant.from(start),
    endDate: null,
    timeZone: 'Europe/London',
    now: at,
  });
  assert.ok('series' in planned);
  const { series } = planned;
  const asking = { now: at, until: at.add({ hours: 24 * linkDays }), maxRetries };
  const params = parametersAtAgreement(
    { amountPence: 1_250, series, ...terms },
    series.firstAt,
    asking,
  );
  const [limit] = params.periodicLimits;
  return [params.validFrom.toString(), params.maximumAmountPence, limit?.amountPence];
}

test('a consent is valid at once where an occurrence and its retries share a period counted from then', () => {
  assert.deepEqual(asked('2026-11-28T18:00:00Z'), ['2026-11-28T18:00:00Z', 1_250, 1_250]);
  // The last retry of the 15th comes on the 21st: a period from the 22nd on still has it.
  assert.deepEqual(asked('2026-11-22T18:00:00Z'), ['2026-11-22T18:00:00Z', 1_250, 1_250]);
  assert.deepEqual(asked('2026-12-14T18:00:00Z'), ['2026-12-14T18:00:00Z', 1_250, 1_250]);
});

test('where a retry would leave the period, the consent begins with the first occurrence', () => {
  for (const day of [16, 18, 21])
    assert.deepEqual(asked(`2026-11-${day}T18:00:00Z`), ['2026-12-15T09:00:00Z', 1_250, 1_250]);
  assert.deepEqual(asked('2026-11-21T18:00:00Z', { maxRetries: 2 })[0], '2026-11-21T18:00:00Z');
  assert.deepEqual(asked('2026-11-16T18:00:00Z', { maxRetries: 0 })[0], '2026-11-16T18:00:00Z');
});

test('a first payment has room beside the occurrences of its period: £29.00 at once, £12.50 a month', () => {
  const gym = { firstPence: 2_900 };
  assert.deepEqual(asked('2026-11-28T18:00:00Z', gym), ['2026-11-28T18:00:00Z', 2_900, 4_150]);
  // One that is less than an occurrence: the most for one payment stays that of the occurrences.
  assert.deepEqual(asked('2026-11-28T18:00:00Z', { firstPence: 100 }).slice(1), [1_250, 1_350]);
});

test('a first payment asks for no room of an occurrence that comes in a later period', () => {
  const later = { firstPence: 2_900, start: '2027-01-10T09:00:00Z' };
  assert.deepEqual(asked('2026-11-28T18:00:00Z', later).slice(1), [2_900, 2_900]);
});

test('with a first payment a consent is valid at once in any case, with room for the retries that leave their period', () => {
  const at = '2026-11-18T18:00:00Z';
  assert.deepEqual(asked(at, { firstPence: 100 }), [at, 1_250, 2_500]);
  assert.deepEqual(asked(at, { firstPence: 2_900 }), [at, 2_900, 4_150]);
});

test('limits that were asked for stay where they have room for the first payment, and are raised where they have not', () => {
  const at = '2026-11-28T18:00:00Z';
  const wide = { perPaymentPence: null, perPeriodPence: 9_000 };
  assert.deepEqual(asked(at, { firstPence: 2_900, limits: wide }).slice(1), [2_900, 9_000]);
  const narrow = { perPaymentPence: null, perPeriodPence: 2_000 };
  assert.deepEqual(asked(at, { firstPence: 2_900, limits: narrow }).slice(1), [2_900, 4_150]);
});

test('a consent that is asked for in the last minute of a day begins with the next one: no bank takes a day that is over', () => {
  assert.equal(asked('2026-11-28T23:59:30Z')[0], '2026-11-29T00:00:00Z');
  assert.equal(asked('2026-11-28T23:58:30Z')[0], '2026-11-28T23:58:30Z');
  const first = Temporal.Instant.from('2026-12-15T09:00:00Z');
  assert.equal(asked(first.subtract({ seconds: 30 }).toString())[0], '2026-12-15T08:59:30Z');
  assert.equal(asked(first.subtract(DAY).toString())[0], '2026-12-14T09:00:00Z');
});

test('a link that ends in that minute too leaves the first payment its room beside the occurrence of the next day', () => {
  const last = { firstPence: 2_900, linkDays: 0, maxRetries: 0 };
  assert.deepEqual(asked('2026-12-14T23:59:30Z', last), ['2026-12-15T00:00:00Z', 2_900, 4_150]);
});
