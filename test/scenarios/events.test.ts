import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PAYMENT_EVENTS } from '../../server/src/payments/payment/events.ts';
import { checker } from '../../server/src/platform/http/schemas/fields.ts';
import type { EventDescriptions } from '../../server/src/platform/state/events.ts';
import { SCHEDULE_EVENTS } from '../../server/src/schedules/request/events.ts';
import { SETTLEMENT_EVENTS } from '../../server/src/settlements/events.ts';
import {
  assertLaws,
  bankConsentOf,
  eventsOf,
  notifyOf,
  settleByHand,
  settlementsOf,
  type ToldEvent,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

// The fields of each event: docs/rules/webhooks.md#event-kinds.
let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
after(() => h.close());

const AMOUNT = { value: 4999, currency: 'GBP' };
const ACCOUNT = { account_number: '66374958', sort_code: '089999' };
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));
const sorted = (object: object): string[] => Object.keys(object).sort();

async function only(
  kind: string,
  scheduleId: string | null = null,
): Promise<Record<string, unknown>> {
  const found = (await eventsOf(h, scheduleId)).filter((e) => e.kind === kind);
  assert.equal(found.length, 1, `${found.length} ${kind}`);
  return found[0]?.data ?? {};
}

test('schedule.setup_success tells the schedule, the customer and the terms', async () => {
  const schedule = await h.agreed();
  assert.deepEqual(await only('schedule.setup_success', schedule.id), {
    schedule_id: schedule.id,
    customer_id: schedule.customer.id,
    amount: AMOUNT,
    frequency: { type: 'monthly', day: 10, interval: 1 },
    first_payment: null,
    created_at: '2026-01-05T09:30:00.000Z',
  });
});

test('schedule.setup_failed tells why', async () => {
  const schedule = await h.create();
  await h.decide(schedule.consent_url, 'access_denied');
  assert.deepEqual(await only('schedule.setup_failed', schedule.id), {
    schedule_id: schedule.id,
    customer_id: schedule.customer.id,
    error: { code: 'consent_denied', message: 'The customer declined.' },
    created_at: '2026-01-05T09:30:00.000Z',
  });
});

test('collection.failed tells the attempt and the next retry, collection.success when the money was there', async () => {
  h.bank.mood.funds = false;
  await h.runUntil('2026-01-10T09:00:00Z');
  h.bank.mood.funds = true;
  await runFor({ hours: 25 });
  const { payment_id, schedule_id, ...failed } = await only('collection.failed');
  assert.deepEqual(failed, {
    amount: AMOUNT,
    error: {
      code: 'insufficient_funds',
      message: 'There was not enough money in the customer’s account.',
    },
    failed_at: '2026-01-10T09:00:00.000Z',
    attempt: 1,
    next_retry_at: '2026-01-11T09:00:00.000Z',
    no_retry_reason: null,
  });
  const success = await only('collection.success');
  assert.deepEqual(success, {
    payment_id,
    schedule_id,
    amount: AMOUNT,
    completed_at: '2026-01-11T09:00:00.000Z',
  });
});

test('settlement.failed and settlement.success tell the amount, the reference and the account it goes to', async () => {
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-13T07:00:00Z');
  h.issuer.payOutError = null;
  const [settlement] = await settlementsOf(h);
  assert.ok(settlement);
  await settleByHand(h, settlement.id);
  await runFor({ hours: 1 });
  const common = {
    settlement_id: settlement.id,
    amount: AMOUNT,
    statement_reference: settlement.statement_reference,
    destination_account: ACCOUNT,
  };
  assert.deepEqual(await only('settlement.failed'), {
    ...common,
    error: { code: 'invalid_account', message: 'refused' },
    failed_at: '2026-01-13T06:00:00.000Z',
  });
  assert.deepEqual(await only('settlement.success'), {
    ...common,
    completed_at: '2026-01-13T07:00:00.000Z',
  });
});

test('collection.failed tells the last attempt once more, and that it was stopped, where a pause ends the retries', async () => {
  const start = h.clock.at.round('second').add({ hours: 1 }).toString();
  const { id } = await h.agreed({ start_date: start, customer: { phone: '+447700900777' } });
  h.bank.mood.funds = false;
  await runFor({ hours: 2 });
  h.bank.mood.funds = true;
  await h.update(id, { status: 'paused' });
  const told = (await eventsOf(h, id)).filter(({ kind }) => kind === 'collection.failed');
  assert.deepEqual(
    told.map(({ data }) => [data.attempt, data.next_retry_at !== null, data.reason]),
    [
      [1, true, undefined],
      [1, false, 'stopped'],
    ],
  );
  assert.equal(told[1]?.data.no_retry_reason, 'stopped');
});

test('the opt-in events say what happened and why', async () => {
  const { id, customer } = await h.agreed({ start_date: '2026-02-01T09:00:00Z' });
  await h.update(id, { status: 'paused' });
  await h.update(id, { status: 'active' });
  h.bank.consents.clear();
  await h.runUntil('2026-01-31T10:00:00Z');
  const told = (await eventsOf(h, id)).slice(1);
  assert.deepEqual(
    told.map((e) => [e.kind, e.data.status, e.data.reason]),
    [
      ['schedule.paused', 'paused', 'paused by the merchant'],
      ['schedule.resumed', 'active', 'resumed by the merchant'],
      ['consent.revoked', undefined, 'withdrawn_at_bank'],
      ['schedule.cancelled', 'cancelled', 'withdrawn_at_bank'],
    ],
  );
  for (const { data } of told) {
    assert.equal(data.schedule_id, id);
    assert.equal(data.customer_id, customer.id);
  }
  assert.deepEqual(sorted(told[0]?.data ?? {}), [
    'created_at',
    'customer_id',
    'reason',
    'schedule_id',
    'status',
  ]);
});

test('consent.reauthentication_needed tells once whose consent the bank wants to be confirmed again', async () => {
  const start = h.clock.at.round('second').add({ hours: 100 }).toString();
  const { id, customer } = await h.agreed({
    start_date: start,
    customer: { phone: '+447700900778' },
  });
  const bankConsent = await bankConsentOf(h, id);
  Object.assign(h.bank.consents.get(bankConsent) ?? {}, { status: 'SUSP', reason: 'TKSP' });
  await notifyOf(h, 'consent', bankConsent);
  const at = h.clock.at.toString({ fractionalSecondDigits: 3 });
  await runFor({ hours: 20 });
  assert.deepEqual(await only('consent.reauthentication_needed', id), {
    schedule_id: id,
    customer_id: customer.id,
    created_at: at,
  });
});

/** An object's description: its possible fields, and those that are always present. */
interface Shape {
  properties?: object;
  required?: string[];
}

test('every event carries the fields that the reference shows, and no others', async () => {
  const described: EventDescriptions = {
    ...SCHEDULE_EVENTS,
    ...PAYMENT_EVENTS,
    ...SETTLEMENT_EVENTS,
  };
  const movements = [...h.issuer.wallets.values()].flatMap((one) => one.movements);
  const payIn = movements.find((movement) => movement.kind === 'payin');
  const [paid] = h.bank.payments.values();
  assert.ok(payIn && paid);
  h.issuer.recall(payIn);
  h.issuer.payIn(paid); // the same payment's money comes again
  const start = h.clock.at.add({ hours: 1 });
  await h.agreed({ amount_mode: 'per_occurrence', start_date: start.toString() });
  await h.runUntil(start); // no amount was set for it
  const events = await eventsOf(h);
  for (const { kind, data } of events) {
    const { data: schema } = described[kind] ?? {};
    assert.ok(schema, kind);
    assert.deepEqual(checker(schema, kind)(data).details, null, kind);
    const { properties = {}, required = [] } = schema as Shape;
    const optional = Object.keys(properties).filter((field) => !required.includes(field));
    const always = sorted(data).filter((field) => !optional.includes(field));
    assert.deepEqual(always, [...required].sort(), kind);
  }
  const kinds = new Set(events.map((e) => e.kind));
  assert.deepEqual([...kinds].sort(), sorted(described), 'each has been seen');
});

test('the events of each schedule are numbered from one without a gap, in the order in which they occurred', async () => {
  const events = await eventsOf(h);
  const bySchedule = Map.groupBy(events, (e: ToldEvent) => e.scheduleId);
  assert.ok(bySchedule.size >= 3);
  for (const [scheduleId, own] of bySchedule)
    assert.deepEqual(
      own.map((e) => e.sequence),
      scheduleId === null ? own.map(() => null) : own.map((_, n) => n + 1),
    );
  await assertLaws(h);
});
