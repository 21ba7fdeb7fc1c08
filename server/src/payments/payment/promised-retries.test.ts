import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlParameters } from '../../schedules/limits/limits.ts';
import { planSeries } from '../../schedules/terms/plan.ts';
import type { Terms } from '../../schedules/terms/schedule.ts';
import { type PromisedRetries, promisedRetries } from './promised-retries.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');

function promised(
  type: 'daily' | 'weekly' | 'monthly',
  maxRetries: number,
  endDate: string | null = null,
  startDate = '2026-03-03T22:30:00Z',
): PromisedRetries {
  const planned = planSeries({
    frequency: type,
    startDate: Temporal.Instant.from(startDate),
    endDate: endDate === null ? null : Temporal.Instant.from(endDate),
    timeZone: 'Europe/London',
    now: NOW,
  });
  assert.ok('series' in planned);
  const { series } = planned;
  const terms = { amountPence: 4_999, series } as Terms;
  return promisedRetries(terms, controlParameters(terms, NOW), maxRetries, NOW);
}

test('the customer is promised all retries where all of them fit', () => {
  assert.deepEqual(promised('daily', 3), { each: 3, last: null });
  assert.deepEqual(promised('weekly', 3), { each: 3, last: null });
  assert.deepEqual(promised('monthly', 10), { each: 10, last: null });
  assert.deepEqual(promised('monthly', 0), { each: 0, last: null });
});

test('retries that would meet the next payment are not promised', () => {
  assert.deepEqual(promised('weekly', 10), { each: 3, last: null });
  assert.deepEqual(promised('daily', 10), { each: 4, last: null });
});

test('the last payment of a schedule has the retries that fit before its end', () => {
  const end = '2026-05-03T21:30:00Z';
  assert.deepEqual(promised('monthly', 3, end), { each: 3, last: 0 });
  assert.deepEqual(promised('monthly', 3, '2026-05-05T21:30:00Z'), { each: 3, last: 1 });
  assert.deepEqual(
    promised('monthly', 3, '2026-03-03T22:30:00Z'),
    { each: 0, last: 0 },
    'the only one',
  );
});
