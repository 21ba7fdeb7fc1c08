import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrequencyType } from './frequency.ts';
import { warningsOf } from './max-gap.ts';

const at = (day: string): Temporal.Instant => Temporal.Instant.from(`${day}T09:00:00Z`);
const NOW = at('2026-03-02');

const codes = (
  [type, interval]: [FrequencyType, number],
  { first = '2026-04-01', end = null as string | null, isAgreed = false } = {},
): string[] => {
  const day = type === 'daily' ? null : 1;
  const series = {
    frequency: { type, day, interval },
    firstAt: at(first),
    timeZone: 'Europe/London',
    endAt: end === null ? null : at(end),
  };
  return warningsOf({ series }, NOW, isAgreed).map(({ code }) => code);
};

test('more than twelve months between two collections are warned of, twelve are not', () => {
  assert.deepEqual(codes(['yearly', 3]), ['max_gap']);
  assert.deepEqual(codes(['yearly', 2], { isAgreed: true }), ['max_gap']);
  for (const one of [
    ['yearly', 1],
    ['quarterly', 4],
    ['monthly', 12],
    ['daily', 365],
  ] as const)
    assert.deepEqual(codes([...one]), []);
});

test('so is a first collection that is more than twelve months away, until the customer has agreed', () => {
  assert.deepEqual(codes(['monthly', 1], { first: '2027-03-03' }), ['max_gap']);
  assert.deepEqual(codes(['monthly', 1], { first: '2027-03-02' }), []);
  assert.deepEqual(codes(['monthly', 1], { first: '2027-03-03', isAgreed: true }), []);
});

test('where no two collections are left, there is no gap between them', () => {
  assert.deepEqual(codes(['yearly', 3], { end: '2026-12-31' }), []);
  assert.deepEqual(codes(['yearly', 3], { first: '2025-01-01', end: '2026-01-31' }), []);
});
