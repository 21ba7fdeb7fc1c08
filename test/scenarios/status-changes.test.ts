import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import type { UpdateBody } from '../../server/src/schedules/request/request.ts';
import {
  assertLaws,
  consentsOf,
  kindsOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  await assertLaws(h);
});
after(() => h.close());

type Status = ScheduleView['status'];
type Asked = NonNullable<UpdateBody['status']>;

/** Returns a schedule in this status; a paused one with or without a live consent. */
async function scheduleIn(status: Status | 'paused without consent'): Promise<ScheduleView> {
  const start = h.clock.at.add({ hours: 24 * 5 }).toString();
  if (status === 'pending_consent') return h.create({ start_date: start });
  if (status === 'paused without consent')
    return h.update((await h.create({ start_date: start })).id, { status: 'paused' });
  const active = await h.agreed({ start_date: start });
  return status === 'active' ? active : h.update(active.id, { status });
}

const TABLE: [
  Status | 'paused without consent',
  Asked,
  Status | 'consent_required' | 'schedule_cancelled',
][] = [
  ['pending_consent', 'active', 'consent_required'],
  ['pending_consent', 'paused', 'paused'],
  ['pending_consent', 'cancelled', 'cancelled'],
  ['active', 'active', 'active'],
  ['active', 'paused', 'paused'],
  ['active', 'cancelled', 'cancelled'],
  ['paused', 'active', 'active'],
  ['paused', 'paused', 'paused'],
  ['paused', 'cancelled', 'cancelled'],
  ['paused without consent', 'active', 'consent_required'],
  ['paused without consent', 'paused', 'paused'],
  ['paused without consent', 'cancelled', 'cancelled'],
  ['cancelled', 'active', 'schedule_cancelled'],
  ['cancelled', 'paused', 'schedule_cancelled'],
  ['cancelled', 'cancelled', 'cancelled'],
];

for (const [from, to, outcome] of TABLE)
  test(`PUT ${to} on a schedule that is ${from}: ${outcome}`, async () => {
    const schedule = await scheduleIn(from);
    const before = await kindsOf(h, schedule.id);
    const change = h.update(schedule.id, { status: to });
    if (outcome === 'consent_required' || outcome === 'schedule_cancelled') {
      await assert.rejects(change, refusedWith(outcome));
      assert.deepEqual(await h.show(schedule.id), schedule);
    } else {
      assert.equal((await change).status, outcome);
      assert.equal((await h.show(schedule.id)).status, outcome);
    }
    const told = (await kindsOf(h, schedule.id)).slice(before.length);
    const changed = schedule.status !== outcome && !outcome.includes('_');
    const kind = outcome === 'active' ? 'schedule.resumed' : `schedule.${outcome}`;
    assert.deepEqual(told, changed ? [kind] : []);
  });

test('a cancelled schedule takes no other update', async () => {
  const { id } = await scheduleIn('cancelled');
  for (const body of [
    { description: 'new' },
    { amount: { value: 1, currency: 'GBP' } },
    { status: 'cancelled', max_retries: 1 },
  ] as const)
    await assert.rejects(h.update(id, body), refusedWith('schedule_cancelled'));
});

test('a consent granted while the schedule is paused is kept, and collects after the resume', async () => {
  const { id, consent_url } = await h.create({ start_date: '2026-02-10T09:00:00Z' });
  const paused = await h.update(id, { status: 'paused' });
  assert.equal(paused.consent_url, consent_url, 'the link still works');
  assert.equal(await h.decide(consent_url), 'granted');
  const granted = await h.show(id);
  assert.equal(granted.status, 'paused');
  assert.equal(granted.next_payment_date, null);
  assert.equal(granted.consented?.amount.value, 4999);
  const resumed = await h.update(id, { status: 'active' });
  assert.equal(resumed.next_payment_date, '2026-02-10T09:00:00.000Z');
  assert.deepEqual(await kindsOf(h, id), [
    'schedule.paused',
    'schedule.setup_success',
    'schedule.resumed',
  ]);
  await h.runUntil('2026-02-10T12:00:00Z');
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('occurrences that fall due during a pause are skipped, never collected later', async () => {
  const { id } = await h.agreed({ start_date: '2026-02-20T09:00:00Z', frequency: 'weekly' });
  await h.runUntil('2026-02-21T12:00:00Z');
  await h.update(id, { status: 'paused' });
  assert.equal((await h.show(id)).next_payment_date, null);
  await h.runUntil('2026-03-10T12:00:00Z');
  const resumed = await h.update(id, { status: 'active' });
  assert.equal(resumed.next_payment_date, '2026-03-13T09:00:00.000Z');
  await h.runUntil('2026-03-14T12:00:00Z');
  assert.deepEqual(
    (await paymentsOf(h, id)).map((p) => [p.due_date.slice(0, 10), p.status]),
    [
      ['2026-02-20', 'success'],
      ['2026-03-13', 'success'],
    ],
  );
  await h.update(id, { status: 'cancelled' });
});

for (const status of ['paused', 'cancelled'] as const)
  test(`a retry that waits is stopped when the schedule is ${status}, and the merchant is told`, async () => {
    h.bank.mood.funds = false;
    const start = h.clock.at.add({ hours: 1 }).toString();
    const { id } = await h.agreed({ start_date: start });
    await h.runUntil(h.clock.at.add({ hours: 2 }));
    assert.notEqual((await onlyPaymentOf(h, id)).next_retry_at, null);
    await h.update(id, { status });
    const stopped = await onlyPaymentOf(h, id);
    assert.equal(stopped.status, 'failed');
    assert.equal(stopped.error?.code, `schedule_${status}`);
    assert.equal(stopped.next_retry_at, null);
    h.bank.mood.funds = true;
    const debits = h.bank.payments.size;
    await h.runUntil(h.clock.at.add({ hours: 24 * 7 }));
    assert.equal(h.bank.payments.size, debits, 'nothing is collected afterwards');
    assert.deepEqual(await kindsOf(h, id), [
      'schedule.setup_success',
      'collection.failed',
      'collection.failed',
      `schedule.${status}`,
    ]);
    await h.update(id, { status: 'cancelled' });
  });

test('cancelling deletes the bank consent; a payment that is at the bank already runs to its end', async () => {
  h.bank.mood.slow = true;
  const { id } = await h.agreed({ start_date: h.clock.at.add({ hours: 1 }).toString() });
  await h.runUntil(h.clock.at.add({ minutes: 61 }));
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await h.update(id, { status: 'cancelled' });
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const [consent] = await consentsOf(h, id);
  assert.equal(consent?.status, 'revoked');
  assert.equal(h.bank.consents.has(consent?.bankConsentId ?? ''), false);
  const payment = [...h.bank.payments.values()].at(-1);
  assert.ok(payment);
  h.bank.credit(payment);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(await kindsOf(h, id), [
    'schedule.setup_success',
    'schedule.cancelled',
    'collection.success',
  ]);
});

test('cancelling before the customer decided ends the link', async () => {
  const { id, consent_url } = await h.create({
    start_date: h.clock.at.add({ hours: 240 }).toString(),
  });
  const state = await h.begin(consent_url);
  const cancelled = await h.update(id, { status: 'cancelled' });
  assert.equal(cancelled.consent_url, undefined);
  assert.equal(cancelled.next_payment_date, null);
  assert.equal(await h.complete(state), 'decided');
  assert.equal(await h.begin(consent_url), null);
  assert.equal((await h.show(id)).status, 'cancelled');
  assert.deepEqual(await kindsOf(h, id), ['schedule.cancelled']);
});
