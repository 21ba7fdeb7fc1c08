import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromLocalTime, toLocalTime } from './zoned-time.ts';

const LONDON = 'Europe/London';

test('an instant is shown on the clock of the time zone, and read back from it', () => {
  assert.equal(toLocalTime('2026-07-01T08:00:00.000Z', LONDON), '2026-07-01T09:00');
  assert.equal(fromLocalTime('2026-07-01T09:00', LONDON), '2026-07-01T08:00:00.000Z');
  assert.equal(fromLocalTime('2026-01-01T00:00', LONDON), '2026-01-01T00:00:00.000Z');
  assert.equal(fromLocalTime('2026-07-01T09:00', 'America/New_York'), '2026-07-01T13:00:00.000Z');
});

test('of an hour that comes twice the first is meant, and a skipped one is moved on', () => {
  assert.equal(fromLocalTime('2026-10-25T01:30', LONDON), '2026-10-25T00:30:00.000Z');
  assert.equal(fromLocalTime('2026-03-29T01:30', LONDON), '2026-03-29T01:30:00.000Z');
});

test('what is no local time is null', () => {
  for (const text of ['', '2026-07-01', '2026-13-01T09:00', 'soon'])
    assert.equal(fromLocalTime(text, LONDON), null);
});

test('reading agrees with Temporal at every minute and in every zone', () => {
  const zones = [LONDON, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];
  const minutes = fc.integer({ min: 0, max: 60 * 24 * 365 * 60 });
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
      const local = Temporal.PlainDateTime.from('1990-01-01T00:00').add({ minutes: minute });
      const expected = local.toZonedDateTime(zone).toInstant().epochMilliseconds;
      const text = local.toString({ smallestUnit: 'minute' });
      return Date.parse(fromLocalTime(text, zone) ?? '') === expected;
    }),
  );
});
