import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertLaws } from '../../../test-support/books.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { brokenIn } from '../../../test-support/slices/laws.ts';
import { changeOccurrence } from '../../schedules/change/change-occurrence.ts';

const skip = true as const;
const LEFT_OUT = { skip };

let h: Harness;
let id: string;

/**
 * A daily schedule that was paused, skipped, changed twice and made monthly, and one that was paused on the Saturday on which it
 * began, before its first collection on Monday; 5 January 2026 is a Monday.
 */
before(async () => {
  h = await openHarness('2026-01-05T08:00:00Z');
  const start_date = '2026-01-05T09:00:00Z';
  ({ id } = await h.agreed({ frequency: 'daily', start_date }));
  const weekend = await h.agreed({
    frequency: 'weekly',
    start_date: '2026-01-10T09:00:00Z',
    non_working_day: 'previous',
  });
  await h.runUntil('2026-01-06T12:00:00Z');
  const asked = { now: h.clock.at, merchantId: h.merchantId };
  await h.db.transaction((tx) =>
    changeOccurrence(h.service.schedules, { ...asked, tx }, id, '2026-01-08T09:00:00Z', LEFT_OUT),
  );
  await h.runUntil('2026-01-09T12:00:00Z'); // collected twice, skipped, collected
  await h.update(id, { amount: { value: 4000, currency: 'GBP' } });
  await h.runUntil('2026-01-10T12:00:00Z');
  await h.update(id, { status: 'paused' });
  await h.update(weekend.id, { status: 'paused' });
  await h.runUntil('2026-01-12T12:00:00Z');
  await h.update(id, { status: 'active' });
  await h.runUntil('2026-01-14T12:00:00Z');
  await h.update(id, { frequency: { type: 'monthly', day: 31 } });
  await h.runUntil('2026-03-01T12:00:00Z');
});

after(() => h.close());

const LAW = 'occurrences-accounted-for';

/** What the law says after changes; that of other laws is not asked. */
async function said(...statements: string[]): Promise<string> {
  return ((await brokenIn(h, statements))[LAW] ?? []).join('\n');
}

const payment = (day: string): string => `due_date = '2026-${day}T09:00:00Z'`;

/** A payment with another key, so that it is as if there were none. */
const gone = (day: string): string => `UPDATE payments SET occurrence = NULL WHERE ${payment(day)}`;

test('a schedule that was paused, skipped and changed is accounted for', async () => {
  await assertLaws(h);
  const runs = await h.db.read((tx) =>
    tx.rows<{ first: number; next: number | null }>(
      `SELECT first_occurrence AS first, next_occurrence AS next FROM schedule_runs WHERE schedule_id = $1 ORDER BY number`,
      [id],
    ),
  );
  assert.deepEqual(
    runs.map(({ first, next }) => [first, next]),
    [
      [0, 5],
      [5, 6],
      [8, 10],
      [0, null],
    ],
  );
});

for (const [what, day] of Object.entries({
  'the first of a schedule': '01-05',
  'one in the middle of a run': '01-07',
  'the last before a change': '01-09',
  'the last before a pause': '01-10',
  'the first after a resume': '01-13',
  'the newest': '02-28',
}))
  test(`an occurrence without a payment is noticed: ${what}`, async () => {
    assert.match(await said(gone(day)), /occurrence \d+/);
  });

test('a skip that was lost, that has no event and that has a payment is noticed', async () => {
  assert.match(await said('DELETE FROM skipped_occurrences'), /before it came occurrence 2/);
  const untold = await said(`UPDATE skipped_occurrences SET event_id = 'evt_none'`);
  assert.match(untold, /it was skipped without an event/);
  const paid = `UPDATE skipped_occurrences SET due_date = '2026-01-07T09:00:00Z', occurrence = 2`;
  assert.match(await said(paid), /it was skipped and has a payment/);
});

test('a change that leaves out an occurrence is noticed, and one that repeats one', async () => {
  const begins = (at: number, number: number): string =>
    `UPDATE schedule_runs SET first_occurrence = ${at} WHERE number = ${number}`;
  assert.match(await said(gone('01-10'), begins(6, 2)), /begins with occurrence 6/);
  assert.match(await said(gone('01-13'), begins(9, 3)), /occurrence 8 was left out/);
  assert.match(await said(begins(5, 3)), /repeats occurrence 5/);
  const late = `UPDATE schedule_runs SET after_at = after_at - interval '3 days' WHERE number = 3`;
  assert.match(await said(late), /occurrence 7 was left out/);
});

test('an occurrence that was due and not opened before a pause is noticed', async () => {
  const later = `UPDATE schedule_runs SET ended_at = ended_at + interval '1 day' WHERE number = 2`;
  assert.match(await said(later), /occurrence 6 fell due before the run ended/);
});

test('a pause of which the audit trail does not say anything is noticed', async () => {
  const forgotten = `UPDATE state_changes SET to_state = 'active' WHERE to_state = 'paused'`;
  assert.match(await said(forgotten), /the audit trail does not say why/);
});

test('a payment on a day that the calendar does not have, or under other terms, is noticed', async () => {
  const moved = (by: string): string =>
    `UPDATE payments SET due_date = due_date + interval '${by}' WHERE ${payment('01-31')}`;
  assert.match(await said(moved('1 day')), /the calendar says 2026-01-31 09:00/);
  assert.match(await said(moved('5 hours')), /the calendar says/);
  const other = `UPDATE payments SET terms_version = 1 WHERE ${payment('01-10')}`;
  assert.match(await said(other), /the schedule did not collect it under terms 1/);
});

test('an agenda that waits for another day than its next occurrence, or for none, is noticed', async () => {
  const waits = (for_: string): string => `UPDATE schedule_agenda SET due_at = ${for_}`;
  assert.match(await said(waits(`due_at + interval '1 day'`)), /and occurrence 2 is of 2026-03-31/);
  assert.match(await said(waits('NULL')), /it has stopped/);
  assert.match(await said('UPDATE schedule_agenda SET next_occurrence = 3'), /occurrence 2/);
});

test('an active schedule that is in no run, or in one of other terms, is noticed', async () => {
  assert.match(await said('DELETE FROM schedule_runs WHERE ended_at IS NULL'), /under none/);
  const asked = 'UPDATE schedules SET live_version = 1';
  assert.match(await said(asked), /is active under terms 1, and collects under 3/);
});

test('what was opened before payments named their occurrence is not missed', async () => {
  assert.equal(
    await said(
      'UPDATE payments SET occurrence = NULL, terms_version = NULL',
      'DELETE FROM schedule_runs WHERE ended_at IS NOT NULL',
      'DELETE FROM skipped_occurrences',
      'UPDATE schedule_runs SET first_occurrence = 2, after_at = now()',
    ),
    '',
  );
});
