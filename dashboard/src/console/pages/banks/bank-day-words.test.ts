import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BankDay, ConditionPeriod } from '../../api/banks.ts';
import { dayWords } from './bank-day-words.ts';

const at = (time: string): string =>
  time === 'start'
    ? '2026-03-01T12:00:00Z'
    : time === 'end'
      ? '2026-03-02T12:00:00Z'
      : `2026-03-02T${time}:00Z`;

/** Returns a day from lines such as `down 02:10`: from then on, until the next. */
function day(lines: readonly string[], stops: readonly [from: string, to: string][] = []): BankDay {
  const begun = lines.map((line) => line.split(' '));
  return {
    last_day: begun.map(([condition, from = ''], n) => ({
      condition: condition === 'unknown' ? null : (condition as ConditionPeriod['condition']),
      from: at(from),
      to: at(begun[n + 1]?.[1] ?? 'end'),
    })),
    last_day_stops: stops.map(([from, to]) => ({ from: at(from), to: at(to) })),
  };
}

const words = (...made: Parameters<typeof day>): string =>
  dayWords(day(...made), (moment) => moment.slice(11, 16));

test('trouble is named with its times, in order, and stops among it', () => {
  const lines = [
    'operational start',
    'down 02:10',
    'operational 02:45',
    'degraded 09:00',
    'operational 09:20',
  ];
  assert.equal(words(lines), 'Down 02:10–02:45, degraded 09:00–09:20');
  assert.equal(
    words(lines, [['08:00', '08:30']]),
    'Down 02:10–02:45, stopped 08:00–08:30, degraded 09:00–09:20',
  );
});

test('trouble that began before the day or goes on says so', () => {
  assert.equal(
    words(['down start', 'operational 02:45', 'degraded 11:10']),
    'Down until 02:45, degraded since 11:10',
  );
  assert.equal(words(['degraded start'], [['start', 'end']]), 'Degraded all day, stopped all day');
});

test('a day without trouble says so, and what is not known of it', () => {
  assert.equal(words(['operational start']), 'No trouble');
  assert.equal(
    words(['unknown start', 'operational 08:00']),
    'No trouble, not called before 08:00',
  );
  assert.equal(words(['unknown start']), 'Not called');
  assert.equal(words(['unknown start'], [['08:00', '09:00']]), 'Stopped 08:00–09:00, not called');
});

test('of many troubles the longest are named, and the others counted', () => {
  const lines = [
    'operational start',
    ...['01', '02', '03', '04', '05'].flatMap((hour, n) => [
      `down ${hour}:00`,
      `operational ${hour}:${10 + n}`,
    ]),
  ];
  assert.equal(
    words(lines),
    'Down 02:00–02:11, down 03:00–03:12, down 04:00–04:13, down 05:00–05:14, and 1 shorter',
  );
});
