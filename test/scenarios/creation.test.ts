import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';

// Monday 5 January 2026, 09:30 in London.
let h: Harness;
let http: HttpSide;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
});
after(async () => {
  await http.close();
  await h.close();
});

const GOOD = {
  amount: { value: 4999, currency: 'GBP' },
  frequency: { type: 'monthly', day: 10 },
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Broadband',
};

const create = (changes: object) => http.call('POST', '/schedules', { ...GOOD, ...changes });

/** Returns the fields that a refused create request names. */
async function wrongFields(changes: object): Promise<string[]> {
  const { status, body } = await create(changes);
  assert.equal(status, 400, JSON.stringify(body));
  assert.equal(body.error.code, 'invalid_request');
  return Object.keys(body.error.details).sort();
}

/** Creates a schedule, which is read as it was answered. */
async function created(changes: object): Promise<Record<string, unknown>> {
  const { status, body } = await create(changes);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual((await http.call('GET', `/schedules/${body.id}`)).body, body);
  return body;
}

test('one refusal names every wrong field by its dotted path', async () => {
  const wrong = await wrongFields({
    amount: { value: 0, currency: 'EUR' },
    frequency: { type: 'weekly', day: 8, interval: 53 },
    customer: { type: 'bank_account', account_number: '12345', sort_code: '12345' },
    description: ' ',
    start_date: '2026-01-10T09:00:00',
    end_date: 'tomorrow',
    max_retries: 11,
    colour: 'green',
  });
  assert.deepEqual(wrong, [
    'amount.currency',
    'amount.value',
    'colour',
    'customer.account_number',
    'customer.sort_code',
    'description',
    'end_date',
    'frequency.day',
    'frequency.interval',
    'max_retries',
    'start_date',
  ]);
  assert.deepEqual((await http.call('POST', '/schedules', {})).body.error.details, {
    amount: 'is required',
    customer: 'is required',
    description: 'is required',
    frequency: 'is required',
  });
});

test('an amount is whole pence up to what a Faster Payment carries', async () => {
  for (const value of [0, -1, 1.5, '4999', 100_000_001, 2 ** 53, null])
    assert.deepEqual(
      await wrongFields({ amount: { value, currency: 'GBP' } }),
      ['amount.value'],
      String(value),
    );
  for (const currency of ['EUR', 'gbp', '', 826])
    assert.deepEqual(
      await wrongFields({ amount: { value: 1, currency } }),
      ['amount.currency'],
      String(currency),
    );
  for (const value of [1, 100_000_000])
    assert.deepEqual((await created({ amount: { value, currency: 'GBP' } })).amount, {
      value,
      currency: 'GBP',
    });
});

test('a frequency takes the days and intervals of its type, and no others', async () => {
  const longest = { daily: 365, weekly: 52, monthly: 12, quarterly: 4, yearly: 10 };
  for (const [type, interval] of Object.entries(longest)) {
    assert.equal((await create({ frequency: { type, interval } })).status, 200);
    for (const wrong of [0, interval + 1, 1.5])
      assert.deepEqual(
        await wrongFields({ frequency: { type, interval: wrong } }),
        ['frequency.interval'],
        `${type} ${wrong}`,
      );
  }
  const days = { weekly: 7, monthly: 31, quarterly: 31, yearly: 31 };
  for (const [type, day] of Object.entries(days)) {
    assert.equal((await create({ frequency: { type, day } })).status, 200);
    for (const wrong of [0, day + 1, '1'])
      assert.deepEqual(
        await wrongFields({ frequency: { type, day: wrong } }),
        ['frequency.day'],
        `${type} ${wrong}`,
      );
  }
  assert.deepEqual(await wrongFields({ frequency: { type: 'daily', day: 1 } }), ['frequency.day']);
  assert.deepEqual(await wrongFields({ frequency: { type: 'hourly' } }), ['frequency.type']);
  assert.deepEqual(await wrongFields({ frequency: 'hourly' }), ['frequency']);
});

test('the shorthand of the onboarding flow is taken, and answered in the object forms', async () => {
  const body = await created({ frequency: 'monthly', customer: { phone: '+44 7700 900123' } });
  assert.deepEqual(body.frequency, { type: 'monthly', day: 5, interval: 1 });
  const { id, ...customer } = body.customer as { id: string };
  assert.match(id, /^cus_/);
  assert.deepEqual(customer, { type: 'phone', value: '+447700900123' });
});

test('what is left out has its default, and a day comes from start_date or from today', async () => {
  const plain = await created({ frequency: 'weekly' });
  assert.deepEqual(plain.frequency, { type: 'weekly', day: 1, interval: 1 });
  assert.equal(plain.max_retries, 3);
  assert.equal(plain.metadata, null);
  assert.equal(plain.start_date, null);
  assert.equal(plain.end_date, null);
  assert.equal(plain.consented, null);
  assert.equal(plain.status, 'pending_consent');
  // Monday 09:00 has passed at 09:30: the next one.
  assert.equal(plain.next_payment_date, '2026-01-12T09:00:00.000Z');
  const started = await created({ frequency: 'yearly', start_date: '2026-07-31T18:45:00+01:00' });
  assert.deepEqual(started.frequency, { type: 'yearly', day: 31, interval: 1 });
  assert.equal(started.start_date, '2026-07-31T17:45:00.000Z');
  assert.equal(started.next_payment_date, '2026-07-31T17:45:00.000Z');
  const daily = await created({ frequency: 'daily' });
  assert.deepEqual(daily.frequency, { type: 'daily', interval: 1 });
  assert.equal(daily.next_payment_date, '2026-01-06T09:00:00.000Z');
});

test('the first occurrence is the first matching moment at or after start_date, the interval counts from there', async () => {
  const start_date = '2026-01-20T10:15:00Z';
  const next = async (frequency: object): Promise<unknown> =>
    (await created({ frequency, start_date })).next_payment_date;
  assert.equal(await next({ type: 'monthly', day: 20, interval: 3 }), '2026-01-20T10:15:00.000Z');
  assert.equal(await next({ type: 'monthly', day: 19 }), '2026-02-19T10:15:00.000Z');
  assert.equal(await next({ type: 'weekly', day: 7 }), '2026-01-25T10:15:00.000Z');
  const { id } = await created({ frequency: { type: 'weekly', day: 7, interval: 2 }, start_date });
  const { body } = await http.call('GET', `/schedules/${id}/upcoming?limit=3`);
  assert.deepEqual(
    body.data.map((u: { due_date: string }) => u.due_date.slice(0, 10)),
    ['2026-01-25', '2026-02-08', '2026-02-22'],
  );
});

test('a day that a month lacks falls on its last day, says so, and does not drift', async () => {
  const { id } = await created({
    frequency: { type: 'monthly', day: 31 },
    start_date: '2026-01-31T09:00:00Z',
  });
  const { body } = await http.call('GET', `/schedules/${id}/upcoming?limit=4`);
  assert.deepEqual(
    body.data.map((u: { due_date: string; reason: string | null }) => [
      u.due_date.slice(0, 10),
      u.reason === null,
    ]),
    [
      ['2026-01-31', true],
      ['2026-02-28', false],
      ['2026-03-31', true],
      ['2026-04-30', false],
    ],
  );
});

test('dates that cannot be are refused: a past start, an end before it, an end before the first occurrence', async () => {
  assert.deepEqual(await wrongFields({ start_date: '2026-01-05T09:29:59Z' }), ['start_date']);
  assert.deepEqual(await wrongFields({ end_date: '2026-01-05T09:30:00Z' }), ['end_date']);
  assert.deepEqual(
    await wrongFields({ start_date: '2026-03-01T09:00:00Z', end_date: '2026-03-01T09:00:00Z' }),
    ['end_date'],
  );
  const tight = { start_date: '2026-01-10T09:00:00Z', frequency: { type: 'monthly', day: 12 } };
  assert.deepEqual(await wrongFields({ ...tight, end_date: '2026-01-12T08:59:59Z' }), ['end_date']);
  assert.equal(
    (await created({ ...tight, end_date: '2026-01-12T09:00:00Z' })).next_payment_date,
    '2026-01-12T09:00:00.000Z',
  );
});

test('dates that cannot be are refused before a customer that is not known', async () => {
  const customer = { type: 'user_id', value: 'cus_0000000000000000000000' };
  const dates = { start_date: '2026-02-10T09:00:00Z', end_date: '2026-02-09T09:00:00Z' };
  assert.deepEqual(await wrongFields({ customer, ...dates }), ['end_date']);
  assert.equal((await create({ customer })).body.error.code, 'customer_not_found');
});

test('a customer is found again by phone or account, however it is written, and by id only where it exists', async () => {
  const idOf = async (customer: object): Promise<string> =>
    ((await created({ customer })).customer as { id: string }).id;
  const byPhone = await idOf({ phone: '+447700900123' });
  assert.equal(await idOf({ type: 'phone', value: '+44 7700 900 123' }), byPhone);
  const byAccount = await idOf({
    type: 'bank_account',
    sort_code: '12-34-56',
    account_number: '123456',
  });
  assert.equal(
    await idOf({ type: 'bank_account', sort_code: '12 34 56', account_number: '00123456' }),
    byAccount,
  );
  assert.notEqual(byAccount, byPhone);
  const again = await created({ customer: { type: 'user_id', value: byAccount } });
  assert.deepEqual(again.customer, { id: byAccount, type: 'user_id', value: byAccount });
  const nobody = await create({
    customer: { type: 'user_id', value: 'cus_0000000000000000000000' },
  });
  assert.equal(nobody.status, 404);
  assert.equal(nobody.body.error.code, 'customer_not_found');
});

test('a customer that could not be one is refused by the field that is wrong', async () => {
  assert.deepEqual(await wrongFields({ customer: { phone: '07700900123' } }), ['customer.phone']);
  assert.deepEqual(await wrongFields({ customer: { type: 'phone', value: '+4477' } }), [
    'customer.value',
  ]);
  assert.deepEqual(await wrongFields({ customer: { type: 'email', value: 'a@b.c' } }), [
    'customer.type',
  ]);
  assert.deepEqual(
    await wrongFields({ customer: { type: 'phone', value: '+447700900123', sort_code: '1' } }),
    ['customer.sort_code'],
  );
  assert.deepEqual(await wrongFields({ customer: 'Ada' }), ['customer']);
});
