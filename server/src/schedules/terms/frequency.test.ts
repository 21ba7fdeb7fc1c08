import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frequencyErrors, normaliseFrequency, stepOf } from './frequency.ts';

// A Saturday.
const FROM = Temporal.ZonedDateTime.from('2026-01-31T09:00[Europe/London]');

test('a day left out is that of the start: of the week for weekly, of the month for longer', () => {
  assert.deepEqual(normaliseFrequency({ type: 'weekly' }, FROM), {
    type: 'weekly',
    day: 6,
    interval: 1,
  });
  for (const type of ['monthly', 'quarterly', 'yearly'] as const) {
    assert.deepEqual(normaliseFrequency({ type }, FROM), { type, day: 31, interval: 1 });
  }
  assert.deepEqual(normaliseFrequency({ type: 'daily' }, FROM), {
    type: 'daily',
    day: null,
    interval: 1,
  });
});

test('what was asked for is kept, and the shorthand is the type alone', () => {
  const asked = { type: 'monthly', day: 15, interval: 2 } as const;
  assert.deepEqual(normaliseFrequency(asked, FROM), asked);
  assert.deepEqual(normaliseFrequency('monthly', FROM), { type: 'monthly', day: 31, interval: 1 });
});

test('every type has its own range of intervals', () => {
  const longest = { daily: 365, weekly: 52, monthly: 12, quarterly: 4, yearly: 10 };
  for (const [type, interval] of Object.entries(longest)) {
    assert.deepEqual(frequencyErrors({ type, interval: 1 }), {});
    assert.deepEqual(frequencyErrors({ type, interval }), {});
    for (const wrong of [0, -1, 1.5, '2', null, interval + 1]) {
      const errors = frequencyErrors({ type, interval: wrong });
      assert.deepEqual(errors, {
        'frequency.interval': `must be a whole number from 1 to ${interval}`,
      });
    }
  }
});

test('a day is 1 to 7 for weekly, 1 to 31 for longer, and refused for daily', () => {
  assert.deepEqual(frequencyErrors({ type: 'weekly', day: 7 }), {});
  assert.deepEqual(Object.keys(frequencyErrors({ type: 'weekly', day: 8 })), ['frequency.day']);
  for (const type of ['monthly', 'quarterly', 'yearly']) {
    assert.deepEqual(frequencyErrors({ type, day: 31 }), {});
    for (const day of [0, 32, 1.5, '1', null]) {
      assert.deepEqual(Object.keys(frequencyErrors({ type, day })), ['frequency.day']);
    }
  }
  assert.deepEqual(Object.keys(frequencyErrors({ type: 'daily', day: 1 })), ['frequency.day']);
});

test('every wrong field is named at once, and so is an unknown one', () => {
  const errors = frequencyErrors({ type: 'hourly', day: 40, interval: 0, month: 3 });
  assert.deepEqual(Object.keys(errors).sort(), [
    'frequency.day',
    'frequency.interval',
    'frequency.month',
    'frequency.type',
  ]);
  assert.deepEqual(Object.keys(frequencyErrors({})), ['frequency.type']);
});

test('the shorthand string is accepted, anything else is named as a whole', () => {
  assert.deepEqual(frequencyErrors('monthly'), {});
  for (const input of ['fortnightly', 'toString', '', undefined, null, 1, ['monthly']]) {
    assert.deepEqual(Object.keys(frequencyErrors(input)), ['frequency']);
  }
  assert.deepEqual(Object.keys(frequencyErrors({ type: 'constructor' })), ['frequency.type']);
});

test('the distance between two occurrences is the interval times that of the type', () => {
  const step = (type: 'daily' | 'weekly' | 'quarterly' | 'yearly', interval: number) =>
    stepOf({ type, day: null, interval });
  assert.deepEqual(step('daily', 5), { unit: 'days', size: 5 });
  assert.deepEqual(step('weekly', 2), { unit: 'days', size: 14 });
  assert.deepEqual(step('quarterly', 3), { unit: 'months', size: 9 });
  assert.deepEqual(step('yearly', 2), { unit: 'months', size: 24 });
});

test('what is wrong with a frequency is said in words', () => {
  const types = 'daily, weekly, monthly, quarterly, yearly';
  assert.deepEqual(frequencyErrors('often'), { frequency: `must be one of: ${types}` });
  assert.deepEqual(frequencyErrors(7), {
    frequency: 'must be an object with type, day and interval, or the type alone',
  });
  assert.deepEqual(frequencyErrors({ type: 'often', day: 32, interval: 366, at: 9 }), {
    'frequency.type': `must be one of: ${types}`,
    'frequency.day': 'must be a whole number from 1 to 31',
    'frequency.interval': 'must be a whole number from 1 to 365',
    'frequency.at': 'is not a known field',
  });
  assert.deepEqual(frequencyErrors({ type: 'daily', day: 1 }), {
    'frequency.day': 'has no meaning for a daily frequency: leave it out',
  });
  assert.deepEqual(frequencyErrors({ type: 'weekly', day: 8 }), {
    'frequency.day': 'must be a whole number from 1 (Monday) to 7 (Sunday)',
  });
});
