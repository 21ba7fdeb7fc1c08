import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CreateBody, createErrors, customerOf, instantOf, updateErrors } from './request.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');

const BODY: CreateBody = {
  amount: { value: 4999, currency: 'GBP' },
  frequency: { type: 'monthly', day: 31 },
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Broadband',
};

const wrong = (more: object): string[] =>
  Object.keys(createErrors({ ...BODY, ...more }, NOW)).sort();

test('a full example, in its long form and its shorthand, has no errors', () => {
  assert.deepEqual(wrong({}), []);
  assert.deepEqual(wrong({ frequency: 'monthly', customer: { phone: '+447700900123' } }), []);
  assert.deepEqual(
    wrong({
      metadata: { order: 'A-17' },
      start_date: '2026-04-01T09:00:00+01:00',
      end_date: '2027-04-01T09:00:00Z',
      max_retries: 0,
    }),
    [],
  );
  assert.deepEqual(wrong({ start_date: null, end_date: null, metadata: null }), []);
});

test('each field that is wrong is named by its dotted path', () => {
  assert.deepEqual(wrong({ amount: { value: 0, currency: 'GBP' } }), ['amount.value']);
  assert.deepEqual(wrong({ amount: { value: 100_000_001, currency: 'GBP' } }), ['amount.value']);
  assert.deepEqual(wrong({ amount: { value: 1, currency: 'EUR' } }), ['amount.currency']);
  assert.deepEqual(wrong({ frequency: 'hourly' }), ['frequency']);
  assert.deepEqual(wrong({ frequency: { type: 'weekly', day: 8 } }), ['frequency.day']);
  assert.deepEqual(wrong({ frequency: { type: 'daily', day: 1 } }), ['frequency.day']);
  assert.deepEqual(wrong({ frequency: { type: 'yearly', interval: 11 } }), ['frequency.interval']);
  assert.deepEqual(wrong({ customer: { type: 'phone', value: '07700900123' } }), [
    'customer.value',
  ]);
  assert.deepEqual(wrong({ description: ' \n' }), ['description']);
  const once = (value: number, description: string | null) => ({
    first_payment: { amount: { value, currency: 'GBP' }, description },
  });
  assert.deepEqual(wrong(once(2_900, 'Joining fee')), []);
  assert.deepEqual(wrong(once(0, ' ')), [
    'first_payment.amount.value',
    'first_payment.description',
  ]);
});

test('all wrong fields are named at once', () => {
  const body = {
    amount: { value: -1, currency: 'USD' },
    frequency: { type: 'monthly', day: 32, interval: 13 },
    customer: { type: 'bank_account', account_number: '1', sort_code: '2' },
    description: '',
    start_date: '2026-03-01',
    end_date: '2026-03-01T00:00:00Z',
  };
  assert.deepEqual(Object.keys(createErrors(body, NOW)).sort(), [
    'amount.currency',
    'amount.value',
    'customer.account_number',
    'customer.sort_code',
    'description',
    'end_date',
    'frequency.day',
    'frequency.interval',
    'start_date',
  ]);
});

test('a date without an offset, or no date at all, is refused and said to be so', () => {
  for (const text of ['2026-04-01T09:00:00', '2026-04-01', 'tomorrow', '', '2026-02-30T09:00:00Z'])
    for (const name of ['start_date', 'end_date'])
      assert.match(
        createErrors({ ...BODY, [name]: text }, NOW)[name] ?? '',
        /with an offset or Z/,
        text,
      );
});

test('a start in the past and an end before the start or now are refused', () => {
  assert.deepEqual(wrong({ start_date: '2026-03-02T09:59:59.999Z' }), ['start_date']);
  assert.deepEqual(wrong({ start_date: '2026-03-02T10:00:00Z' }), []);
  assert.deepEqual(wrong({ end_date: '2026-03-02T10:00:00Z' }), ['end_date']);
  const [start_date, end_date] = ['2026-05-01T09:00:00Z', '2026-04-01T09:00:00Z'];
  assert.deepEqual(wrong({ start_date, end_date }), ['end_date']);
});

test('metadata may be as long as 16,384 characters of JSON', () => {
  const fill = (length: number) => ({ x: 'y'.repeat(length - '{"x":""}'.length) });
  assert.deepEqual(wrong({ metadata: fill(16_384) }), []);
  assert.deepEqual(wrong({ metadata: fill(16_385) }), ['metadata']);
});

test('an update is checked by the same rules, and may name nothing at all', () => {
  assert.deepEqual(updateErrors({ status: 'paused' }, NOW), {});
  assert.deepEqual(updateErrors({ end_date: null, metadata: null }, NOW), {});
  assert.deepEqual(updateErrors({}, NOW), {});
  const body = {
    amount: { value: 0, currency: 'GBP' },
    frequency: 'never',
    start_date: '2020-01-01',
  };
  assert.deepEqual(Object.keys(updateErrors(body, NOW)).sort(), [
    'amount.value',
    'frequency',
    'start_date',
  ]);
});

test('whether dates have passed and a bank takes a reference is left to what compares them with the schedule', () => {
  const own = {
    start_date: '2020-01-01T00:00:00Z',
    end_date: '2020-02-01T00:00:00Z',
    reference: 'EXEC GYM 42',
  };
  assert.deepEqual(updateErrors(own, NOW), {});
  assert.deepEqual(wrong(own), ['end_date', 'reference', 'start_date']);
});

test('an update says of what it is read with that it cannot be changed', () => {
  const read = {
    id: 'sch_1',
    customer: BODY.customer,
    created_at: '2026-01-01T00:00:00Z',
    first_payment: null,
  };
  assert.deepEqual(updateErrors(read, NOW), {
    id: 'cannot be changed',
    customer: 'cannot be changed',
    created_at: 'cannot be changed',
    first_payment: 'cannot be changed',
  });
});

test('what is no object is left to the shape of the body', () => {
  for (const body of [null, undefined, 7, 'x', [BODY]]) {
    assert.deepEqual(createErrors(body, NOW), {});
    assert.deepEqual(updateErrors(body, NOW), {});
  }
});

test('a checked body gives its customer normalised and its dates as instants', () => {
  assert.deepEqual(customerOf({ ...BODY, customer: { phone: '+44 7700 900123' } }).customer, {
    type: 'phone',
    value: '+447700900123',
  });
  assert.throws(() => customerOf({ ...BODY, customer: {} }), /was not checked/);
  assert.equal(instantOf('2026-04-01T09:00:00+01:00')?.toString(), '2026-04-01T08:00:00Z');
  assert.equal(instantOf(null), null);
  assert.equal(instantOf(undefined), null);
});
