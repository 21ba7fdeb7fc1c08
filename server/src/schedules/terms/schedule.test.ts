import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkMoment,
  type RequestedStatus,
  type ScheduleStatus,
  statusChange,
} from './schedule.ts';

/** The status changes: what a PUT of a status does, with a live consent and without. */
const TABLE: [ScheduleStatus, RequestedStatus, string, string][] = [
  ['pending_consent', 'active', 'consent_required', 'consent_required'],
  ['pending_consent', 'paused', 'pause', 'pause'],
  ['pending_consent', 'cancelled', 'cancel', 'cancel'],
  ['active', 'active', 'none', 'none'],
  ['active', 'paused', 'pause', 'pause'],
  ['active', 'cancelled', 'cancel', 'cancel'],
  ['paused', 'active', 'resume', 'consent_required'],
  ['paused', 'paused', 'none', 'none'],
  ['paused', 'cancelled', 'cancel', 'cancel'],
  ['cancelled', 'active', 'schedule_cancelled', 'schedule_cancelled'],
  ['cancelled', 'paused', 'schedule_cancelled', 'schedule_cancelled'],
  ['cancelled', 'cancelled', 'none', 'none'],
];

for (const [from, to, withConsent, without] of TABLE)
  test(`a PUT of ${to} on a schedule that is ${from}: ${withConsent}, without consent ${without}`, () => {
    assert.equal(statusChange(from, to, true), withConsent);
    assert.equal(statusChange(from, to, false), without);
  });

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const inHours = (hours: number): Temporal.Instant => NOW.add({ minutes: Math.round(hours * 60) });

test('the bank is asked a day before a collection, else an hour before, else not at all', () => {
  assert.ok(checkMoment(inHours(240), NOW)?.equals(inHours(216)));
  assert.ok(checkMoment(inHours(25), NOW)?.equals(inHours(1)));
  assert.ok(checkMoment(inHours(24), NOW)?.equals(inHours(23)));
  assert.ok(checkMoment(inHours(1.5), NOW)?.equals(inHours(0.5)));
  assert.equal(checkMoment(inHours(1), NOW), null);
  assert.equal(checkMoment(inHours(-5), NOW), null);
  assert.equal(checkMoment(null, NOW), null);
});
