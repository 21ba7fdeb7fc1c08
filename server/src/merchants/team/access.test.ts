import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOver, limitErrors, NO_RULES, rulesInWords, sessionsInWords } from './access.ts';

const at = (time: string) => Temporal.Instant.from(`2026-03-02T${time}Z`);
const session = { createdAt: at('08:00:00'), usedAt: at('12:00:00') };
const limits = (sessionIdleMinutes: number | null, sessionLongestMinutes: number | null) => ({
  sessionIdleMinutes,
  sessionLongestMinutes,
});

test('a session ends when it was not used for its time, and a minute, because uses are recorded by the minute', () => {
  assert.equal(isOver(session, limits(15, null), at('12:15:59')), false);
  assert.equal(isOver(session, limits(15, null), at('12:16:00')), true);
});

test('a session ends when its whole time is over, however much it is used', () => {
  assert.equal(isOver(session, limits(null, 300), at('12:59:59')), false);
  assert.equal(isOver(session, limits(null, 300), at('13:00:00')), true);
});

test('a session ends at the earlier of both, and never by limits that nobody set', () => {
  assert.equal(isOver(session, limits(15, 300), at('12:30:00')), true);
  assert.equal(isOver(session, limits(120, 300), at('13:30:00')), true);
  assert.equal(isOver(session, limits(null, null), at('23:59:59')), false);
});

test('a session cannot last longer without use than it lasts', () => {
  assert.deepEqual(Object.keys(limitErrors(limits(61, 60))), ['session_idle_minutes']);
  for (const fine of [limits(60, 60), limits(60, null), limits(null, 60)])
    assert.deepEqual(limitErrors(fine), {});
});

test('the rules are said in words', () => {
  assert.equal(sessionsInWords(limits(null, null)), 'Sessions end after 7 days without use.');
  assert.equal(
    sessionsInWords(limits(90, 60 * 24)),
    'Sessions end after 90 minutes without use, and 1 day after signing in.',
  );
  assert.equal(
    rulesInWords({ ...NO_RULES, requiresSecondFactor: true, sessionIdleMinutes: 60 }),
    'Every member needs a second factor. Sessions end after 1 hour without use.',
  );
  assert.match(rulesInWords(NO_RULES), /^A second factor is optional\./);
});
