import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentsOf, refusedWith } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h } = oneForEach('2026-01-05T09:30:00Z');

/** A monthly schedule on the 10th; in January 2026 that is a Saturday, in May a Sunday. */
const onThe10th = {
  frequency: { type: 'monthly', day: 10 },
  start_date: '2026-01-10T09:00:00Z',
} as const;

const duesOf = async (id: string): Promise<string[]> =>
  (await paymentsOf(h, id)).map(({ due_date, status }) => `${due_date.slice(0, 10)} ${status}`);

test('an occurrence on a weekend is collected on the next working day, within its limits', async () => {
  const made = await h.agreed({ ...onThe10th, non_working_day: 'next' });
  assert.equal(made.non_working_day, 'next');
  assert.equal(made.next_payment_date, '2026-01-12T09:00:00.000Z');
  await h.runUntil('2026-06-01T00:00:00Z');
  assert.deepEqual(await duesOf(made.id), [
    '2026-01-12 success',
    '2026-02-10 success',
    '2026-03-10 success',
    '2026-04-10 success',
    '2026-05-11 success',
  ]);
});

test('or on the working day before, but never before the first moment', async () => {
  const made = await h.agreed({ ...onThe10th, non_working_day: 'previous' });
  assert.equal(made.next_payment_date, '2026-01-12T09:00:00.000Z', 'the start is not passed over');
  await h.runUntil('2026-06-01T00:00:00Z');
  assert.deepEqual((await duesOf(made.id)).at(-1), '2026-05-08 success');
});

test('a change of the policy neither repeats nor drops an occurrence', async () => {
  const { id } = await h.agreed(onThe10th);
  await h.runUntil('2026-01-10T12:00:00Z'); // collected on the Saturday
  const later = await h.update(id, { non_working_day: 'next' });
  await h.decide(later.consent_url);
  const next = (await h.show(id)).next_payment_date;
  assert.equal(next, '2026-02-10T09:00:00.000Z', 'not again on Monday 12 January');
  await h.update(id, { status: 'paused' });
  const resumed = await h.update(id, { status: 'active' });
  assert.equal(resumed.next_payment_date, next, 'nor after a pause');
  await h.runUntil('2026-05-08T12:00:00Z');
  await h.update(id, { non_working_day: 'previous' }); // Friday 8 May at 9 has just passed
  await h.runUntil('2026-06-01T00:00:00Z');
  assert.deepEqual(await duesOf(id), [
    '2026-01-10 success',
    '2026-02-10 success',
    '2026-03-10 success',
    '2026-04-10 success',
    '2026-05-08 success',
  ]);
});

test('a daily schedule cannot move, whichever of the two is sent', async () => {
  await assert.rejects(
    h.create({ frequency: 'daily', non_working_day: 'next' }),
    refusedWith('invalid_request', 'non_working_day'),
  );
  const { id } = await h.create({ ...onThe10th, non_working_day: 'previous' });
  await assert.rejects(
    h.update(id, { frequency: 'daily' }),
    refusedWith('invalid_request', 'non_working_day'),
  );
  const daily = await h.update(id, { frequency: 'daily', non_working_day: 'same' });
  assert.equal(daily.frequency.type, 'daily');
  await assert.rejects(
    h.update(id, { non_working_day: 'next' }),
    refusedWith('invalid_request', 'non_working_day'),
  );
});
