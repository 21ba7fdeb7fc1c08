// Slow: covers a whole year.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Occurrence, Schedule } from '@recollect/sdk';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { assertBooksInOrder, grantedSchedule, kindsOf, paymentsOf, webhooksOf } from './acts.ts';

type Refused = { error: { details: object } };
const gbp = (value: number) => ({ value, currency: 'GBP' });

/** What a household used in a year, in pence: a bill for each month. */
const BILLS = [
  21_040, 19_875, 17_310, 12_250, 9_480, 7_015, 6_790, 6_905, 8_120, 11_660, 16_430, 20_385,
];
const MAX = 25_000;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.close());

test('twelve bills are collected under one consent, and one above its limits never reaches the bank', async () => {
  const { id } = await grantedSchedule(service, 'alex', {
    amount: gbp(15_000),
    amount_mode: 'per_occurrence',
    limits: { per_payment: gbp(MAX), per_period: gbp(MAX) },
    frequency: { type: 'monthly', day: 1 },
    description: 'Electricity',
  });
  const path = `/api/v1/schedules/${id}`;
  const { body: upcoming } = await service.api<{ data: Occurrence[] }>(
    'GET',
    `${path}/upcoming?limit=13`,
  );
  assert.ok(upcoming.data.every(({ amount, changed }) => amount === null && !changed));
  const months = upcoming.data.map((one) => one.due_date);

  const [firstMonth = ''] = months;
  const tooMuch = await service.api('PUT', `${path}/upcoming/${firstMonth}`, {
    amount: gbp(MAX + 1),
  });
  assert.deepEqual(
    [tooMuch.status, tooMuch.body.error],
    [
      409,
      {
        code: 'limit_exceeded',
        message: "The customer's limits leave £250.00 for this collection.",
        details: { available: String(MAX) },
      },
    ],
  );
  for (const [month, bill] of BILLS.entries()) {
    const due = months[month] ?? '';
    const set = await service.api<Occurrence>('PUT', `${path}/upcoming/${due}`, {
      amount: gbp(bill),
    });
    assert.deepEqual([set.status, set.body.amount, set.body.changed], [200, gbp(bill), true]);
    const { body: schedule } = await service.api<Schedule>('GET', path);
    assert.equal(schedule.consent_url, undefined, 'no second consent');
    await service.advance(
      Temporal.Instant.from(due)
        .add({ hours: 24 * 10 })
        .toString(),
    );
  }
  const payments = await paymentsOf(service, id);
  assert.deepEqual(
    payments.map(({ amount, status }) => `${status} ${amount.value}`).reverse(),
    BILLS.map((bill) => `success ${bill}`),
  );
  const { payments: atBank } = await service.bankBooks();
  assert.ok(atBank.every((payment) => payment.amount_pence <= MAX));

  // Nobody set the thirteenth month.
  await service.advance(
    Temporal.Instant.from(months[12] ?? '')
      .add({ hours: 24 })
      .toString(),
  );
  assert.equal((await paymentsOf(service, id)).length, BILLS.length);
  const kinds = new Set(kindsOf(webhooksOf(service, id)));
  assert.deepEqual([...kinds].sort(), ['collection.success', 'schedule.setup_success']);
  await assertBooksInOrder(service);
});

test('a change of an occurrence is an amount or a skip, the one wrong field is named, and the date finds it', async () => {
  const { id } = await grantedSchedule(service, 'alex');
  const path = `/api/v1/schedules/${id}/upcoming`;
  const { body } = await service.api<{ data: Occurrence[] }>('GET', `${path}?limit=1`);
  const due = body.data[0]?.due_date ?? '';
  const skip = true;
  const wrong: [object, string][] = [
    [{}, 'amount: must be given, or skip'],
    [{ skip, amount: gbp(1) }, 'skip: must be left out where an amount is given'],
    [JSON.parse('{"skip":"yes"}'), 'skip: must be true'],
    [{ amount: gbp(0) }, 'amount.value: must be greater than 0'],
    [{ skip, other: 1 }, 'other: is not a field of this request'],
  ];
  for (const [change, expected] of wrong) {
    const { status, body } = await service.api<Refused>('PUT', `${path}/${due}`, change);
    const [[field, problem] = [], ...others] = Object.entries(body.error.details);
    assert.deepEqual([status, `${field}: ${problem}`, others], [400, expected, []]);
  }
  const left = await service.api<Occurrence>('PUT', `${path}/${due}`, { skip });
  assert.deepEqual(left.body, {
    due_date: due,
    amount: gbp(4_999),
    skipped: true,
    changed: true,
    reason: 'skipped: nothing is collected',
  });
  const back = await service.api<Occurrence>('DELETE', `${path}/${encodeURIComponent(due)}`);
  assert.deepEqual([back.status, back.body.skipped, back.body.changed], [200, false, false]);
  assert.equal((await service.api('DELETE', `${path}/2026-01-01T00:00:00Z`)).status, 404);
});
