import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOfMoment, dayWords } from './days.ts';

test('a day keeps its date, wherever the reader is', () => {
  assert.equal(dayWords('2026-03-30', 'short'), '30 Mar');
  assert.equal(dayWords('2026-03-30', 'medium'), 'Mon 30 Mar 2026');
  assert.equal(dayWords('2026-03-30', 'long'), 'Monday 30 March 2026');
});

test('the day of a moment is that of the time zone', () => {
  const at = new Date('2026-03-30T23:30:00Z');
  assert.equal(dayOfMoment(at, 'Europe/London'), 'Tuesday 31 March 2026');
  assert.equal(dayOfMoment(at, 'UTC'), 'Monday 30 March 2026');
});
