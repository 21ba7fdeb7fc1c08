import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockScheduleOf } from '../../server/src/schedules/books/store.ts';
import { applyUpdate, planUpdate } from '../../server/src/schedules/change/update.ts';
import type { UpdateBody } from '../../server/src/schedules/request/request.ts';
import { updateErrors } from '../../server/src/schedules/request/request.ts';
import { eventsOf, kindsOf, paymentsOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach();

/** Returns a weekly schedule whose first occurrence is in an hour, at 10:30 on 5 January 2026. */
async function weekly(): Promise<string> {
  const start_date = h.clock.at.add({ hours: 1 }).toString();
  return (await h.agreed({ frequency: 'weekly', start_date })).id;
}

const pauseUntil = (id: string, resume_at: string | null) =>
  h.update(id, { status: 'paused', resume_at });

test('a schedule paused until a day resumes then automatically, from the next occurrence on, and says so', async () => {
  const id = await weekly();
  const paused = await pauseUntil(id, '2026-01-20T08:00:00Z');
  assert.equal(paused.resume_at, '2026-01-20T08:00:00.000Z');
  await h.runUntil('2026-01-20T07:59:00Z');
  assert.equal((await h.show(id)).status, 'paused');
  await h.runUntil('2026-01-20T08:00:00Z');
  const resumed = await h.show(id);
  assert.equal(resumed.status, 'active');
  assert.equal(resumed.resume_at, null);
  assert.equal(resumed.next_payment_date, '2026-01-26T10:30:00.000Z');
  const [event] = (await eventsOf(h, id)).filter(({ kind }) => kind === 'schedule.resumed');
  assert.equal(event?.data.reason, 'resumed at the planned time');
  await h.runUntil('2026-01-26T11:00:00Z');
  assert.deepEqual(
    (await paymentsOf(h, id)).map(({ due_date, status }) => [due_date, status]),
    [['2026-01-26T10:30:00.000Z', 'success']],
  );
  const who = await h.db.read((tx) =>
    tx.row<{ actor: string }>(
      `SELECT actor FROM state_changes WHERE object_id = $1 AND from_state = 'paused' AND to_state = 'active'`,
      [id],
    ),
  );
  assert.equal(who?.actor, 'service');
});

test('what falls due at the time of the resume, and while the service was down after it, is collected', async () => {
  const id = await weekly();
  await pauseUntil(id, '2026-01-12T10:30:00Z');
  h.clock.at = Temporal.Instant.from('2026-01-19T12:00:00Z'); // nothing ran for a week
  await runFor({ hours: 1 });
  assert.deepEqual(
    (await paymentsOf(h, id)).map(({ due_date }) => due_date),
    ['2026-01-12T10:30:00.000Z', '2026-01-19T10:30:00.000Z'],
  );
});

test('who changes a schedule after that time, before the service looked, finds it resumed', async () => {
  const until = '2026-01-12T10:00:00Z';
  const changes: [UpdateBody, string[]][] = [
    [{ status: 'active' }, ['success']],
    [{ description: 'Piano' }, ['success']],
    [{ status: 'paused', resume_at: '2026-01-13T10:00:00Z' }, ['failed']],
    [{ status: 'cancelled' }, ['failed']],
  ];
  const ids = [];
  for (const _ of changes) ids.push(await weekly());
  for (const id of ids) await pauseUntil(id, until);
  h.clock.at = Temporal.Instant.from('2026-01-12T11:00:00Z'); // after the occurrence of 10:30
  for (const [n, [change]] of changes.entries()) {
    const id = ids[n] ?? '';
    const effects = await h.db.transaction(async (tx) => {
      const life = { ...h.service.schedules, tx, now: h.clock.at };
      const schedule = await lockScheduleOf(tx, { merchantId: h.merchantId, scheduleId: id });
      const planned = await planUpdate(life, schedule, change);
      return [planned, await applyUpdate(life, schedule, change)];
    });
    assert.deepEqual(effects[0], effects[1], 'a preview says what is done');
  }
  await runFor({ hours: 1 });
  for (const [n, [change, wanted]] of changes.entries()) {
    const payments = await paymentsOf(h, ids[n] ?? '');
    const what = JSON.stringify(change);
    assert.deepEqual(
      payments.map(({ status }) => status),
      wanted,
      what,
    );
    assert.equal(payments[0]?.due_date, '2026-01-12T10:30:00.000Z', what);
  }
});

test('resuming or cancelling by hand clears the time, and another pause may change or clear it', async () => {
  const until = '2026-01-20T08:00:00.000Z';
  const id = await weekly();
  await pauseUntil(id, until);
  assert.equal((await h.update(id, { status: 'paused' })).resume_at, until, 'no change');
  const later = '2026-01-21T08:00:00.000Z';
  assert.equal((await pauseUntil(id, later)).resume_at, later);
  assert.equal((await h.update(id, { resume_at: null })).resume_at, null);
  await h.runUntil('2026-01-22T08:00:00Z');
  assert.equal((await h.show(id)).status, 'paused');
  await pauseUntil(id, '2026-02-01T08:00:00Z');
  assert.equal((await h.update(id, { status: 'active' })).resume_at, null);
  await pauseUntil(id, '2026-02-01T08:00:00Z');
  assert.equal((await h.update(id, { status: 'cancelled' })).resume_at, null);
  await h.runUntil('2026-02-02T08:00:00Z');
  assert.equal((await h.show(id)).status, 'cancelled');
});

test('without a consent it stays paused at that time, and the event says why', async () => {
  const { id } = await h.create({ start_date: null });
  await pauseUntil(id, '2026-01-06T08:00:00Z');
  await h.runUntil('2026-01-06T09:00:00Z');
  const shown = await h.show(id);
  assert.equal(shown.status, 'paused');
  assert.equal(shown.resume_at, null);
  assert.deepEqual(await kindsOf(h, id), ['schedule.paused', 'schedule.paused']);
  const [, event] = await eventsOf(h, id);
  assert.match(
    String(event?.data.reason),
    /^not resumed .* no consent of the customer is in force$/,
  );
});

test('a time in the past, without the pause, or that is no time is refused at its field', () => {
  const now = Temporal.Instant.from('2026-01-05T09:30:00Z');
  const wrong = (body: UpdateBody) => Object.keys(updateErrors(body, now));
  const later = '2026-01-06T08:00:00Z';
  assert.deepEqual(wrong({ status: 'paused', resume_at: '2026-01-05T09:30:00Z' }), ['resume_at']);
  assert.deepEqual(wrong({ status: 'paused', resume_at: 'soon' }), ['resume_at']);
  assert.deepEqual(wrong({ status: 'active', resume_at: later }), ['resume_at']);
  assert.deepEqual(wrong({ resume_at: later }), ['resume_at']);
  assert.deepEqual(wrong({ status: 'paused', resume_at: later }), []);
  assert.deepEqual(wrong({ resume_at: null }), []);
});
