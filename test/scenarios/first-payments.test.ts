import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import {
  assertLaws,
  collectOnceFrom,
  eventsOf,
  paymentsOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForAll();
const gbp = (value: number) => ({ value, currency: 'GBP' });
const HOUR = { hours: 1 };
let customers = 0;

/** Returns the terms of a gym: £29.00 at once, then £12.50 on a day of each month, from some days on. */
function gym(daysAhead = 14, more: Partial<CreateBody> = {}): Partial<CreateBody> {
  const start = h.clock.at.toZonedDateTimeISO('Europe/London').add({ days: daysAhead });
  return {
    frequency: 'monthly',
    amount: gbp(1250),
    customer: { phone: `+4477006${String(10_000 + customers++)}` },
    start_date: start.round('hour').toInstant().toString(),
    first_payment: { amount: gbp(2900), description: 'Joining fee' },
    ...more,
  };
}

const limitsAtBank = async (id: string) => {
  const row = await h.db.read((tx) =>
    tx.row<{
      p: {
        validFrom: string;
        maximumAmountPence: number;
        periodicLimits: { amountPence: number }[];
      };
    }>(
      `SELECT control_parameters AS p FROM consents WHERE schedule_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [id],
    ),
  );
  assert.ok(row);
  const { validFrom, maximumAmountPence, periodicLimits } = row.p;
  return [validFrom, maximumAmountPence, periodicLimits[0]?.amountPence] as const;
};

const kinds = async (id: string) =>
  (await paymentsOf(h, id)).map((p) => [p.kind, p.amount.value, p.status] as const);

test('a first payment is collected as soon as the customer has agreed, once, and is no occurrence', async () => {
  const agreedAt = h.clock.at;
  const schedule = await h.agreed(gym());
  assert.deepEqual(schedule.first_payment, { amount: gbp(2900), description: 'Joining fee' });
  assert.deepEqual(await limitsAtBank(schedule.id), [agreedAt.toString(), 2900, 4150]);
  await runFor(HOUR);
  const [first, ...others] = await paymentsOf(h, schedule.id);
  assert.deepEqual(others, []);
  assert.equal(first?.kind, 'first');
  assert.equal(first.description, 'Joining fee');
  assert.equal(first.status, 'success');
  const [setUp] = await eventsOf(h, schedule.id);
  assert.deepEqual(setUp?.data.first_payment, schedule.first_payment);
  await runFor({ hours: 24 * 50 });
  assert.deepEqual((await kinds(schedule.id)).sort(), [
    ['first', 2900, 'success'],
    ['scheduled', 1250, 'success'],
    ['scheduled', 1250, 'success'],
  ]);
  await assertLaws(h);
  await h.update(schedule.id, { status: 'cancelled' });
});

test('a consent to changed terms asks for no second first payment, and has no room for one', async () => {
  const { id } = await h.agreed(gym());
  await runFor(HOUR);
  const raised = await h.update(id, { amount: gbp(5000) });
  assert.equal(await h.decide(raised.consent_url), 'granted');
  await runFor(HOUR);
  assert.deepEqual(await kinds(id), [['first', 2900, 'success']]);
  const [, most, perPeriod] = await limitsAtBank(id);
  assert.deepEqual([most, perPeriod], [5000, 5000]);
  const again = (await eventsOf(h, id)).filter(({ kind }) => kind === 'schedule.setup_success');
  assert.equal(again.at(-1)?.data.first_payment, null);
  assert.deepEqual((await h.show(id)).first_payment?.amount, gbp(2900), 'it is still shown');
  await h.update(id, { status: 'cancelled' });
});

test('terms that change before the customer agrees keep the first payment', async () => {
  const created = await h.create(gym());
  const { consent_url: url } = await h.update(created.id, { amount: gbp(1500) });
  await h.decide(url);
  await runFor(HOUR);
  assert.deepEqual(await kinds(created.id), [['first', 2900, 'success']]);
  await h.update(created.id, { status: 'cancelled' });
});

test('a schedule that is paused or cancelled before the customer agrees collects no first payment', async () => {
  const created = await h.create(gym());
  await h.update(created.id, { status: 'paused' });
  await h.decide(created.consent_url);
  await runFor(HOUR);
  const [stopped] = await paymentsOf(h, created.id);
  assert.equal(stopped?.error?.code, 'schedule_paused');
  assert.deepEqual(stopped.attempts, []);
  await retryByHand(h, stopped.id);
  await runFor(HOUR);
  assert.deepEqual(await kinds(created.id), [['first', 2900, 'success']]);
  await h.update(created.id, { status: 'cancelled' });
  const dropped = await h.create(gym());
  await h.update(dropped.id, { status: 'cancelled' });
  assert.deepEqual(await paymentsOf(h, dropped.id), []);
});

test('a first payment that fails is retried by the plan, and then failed as any other', async () => {
  h.bank.mood.funds = false;
  const { id } = await h.agreed(gym(14, { max_retries: 1 }));
  await runFor(HOUR);
  const [waits] = await paymentsOf(h, id);
  assert.equal(waits?.status, 'pending');
  assert.ok(waits.next_retry_at);
  await runFor({ hours: 25 });
  h.bank.cheerUp();
  const [failed] = await paymentsOf(h, id);
  assert.deepEqual([failed?.status, failed?.no_retry_reason], ['failed', 'max_retries']);
  assert.equal(failed?.attempts.length, 2);
  await h.update(id, { status: 'cancelled' });
});

test('limits that leave no room for the first payment are refused on create, and the field is named', async () => {
  const create = (limits: CreateBody['limits']) => h.create(gym(14, { limits }));
  await assert.rejects(
    create({ per_payment: gbp(2000) }),
    refusedWith('invalid_request', 'limits.per_payment.value'),
  );
  await assert.rejects(
    create({ per_period: gbp(4149) }),
    refusedWith('invalid_request', 'limits.per_period.value'),
  );
  const { limits } = await create({ per_payment: gbp(2900), per_period: gbp(4150) });
  assert.deepEqual([limits.per_payment.value, limits.per_period.value], [2900, 4150]);
});

test('a payment can be collected between the consent and the first occurrence, within the limits', async () => {
  const { id } = await h.agreed(
    gym(14, { first_payment: null, limits: { per_period: gbp(5000) } }),
  );
  const made = await collectOnceFrom(h, id, { amount: gbp(1234) });
  await runFor(HOUR);
  assert.equal((await paymentsOf(h, id)).find((p) => p.id === made.id)?.status, 'success');
  await assert.rejects(
    collectOnceFrom(h, id, { amount: gbp(1251) }),
    /The customer allows at most £12.50 for one payment/,
  );
  await h.update(id, { status: 'cancelled' });
});

test('where a retry would leave its period, the consent begins with the first occurrence, and a refusal says so', async () => {
  // Periods from today on end two days before the next occurrence but one: a retry of the first would fall into the next.
  const local = h.clock.at.toZonedDateTimeISO('Europe/London');
  const start = local.add({ months: 1 }).subtract({ days: 2 }).round('hour').toInstant();
  const terms = gym(0, { first_payment: null, start_date: start.toString() });
  const { id, next_payment_date: next } = await h.agreed(terms);
  assert.ok(next);
  const [validFrom] = await limitsAtBank(id);
  assert.ok(Temporal.Instant.from(validFrom).equals(Temporal.Instant.from(next)));
  const begins = start.toZonedDateTimeISO('Europe/London').toPlainDate();
  const day = begins.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  await assert.rejects(
    collectOnceFrom(h, id, { amount: gbp(100) }),
    new RegExp(`The customer's consent begins on ${day}: nothing can be collected before`),
  );
  await h.update(id, { status: 'cancelled' });
  // With a first payment it is valid at once anyway, with room for the retry.
  const once = gym(0, { first_payment: { amount: gbp(100) }, start_date: start.toString() });
  const { id: other } = await h.agreed(once);
  const [at, most, perPeriod] = await limitsAtBank(other);
  assert.ok(Temporal.Instant.from(at).equals(h.clock.at));
  assert.deepEqual([most, perPeriod], [1250, 2500]);
  await runFor(HOUR);
  assert.deepEqual(await kinds(other), [['first', 100, 'success']]);
  await h.update(other, { status: 'cancelled' });
});
