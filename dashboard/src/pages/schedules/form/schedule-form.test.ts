import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '@recollect/sdk';
import {
  changesOf,
  emptyValues,
  newSchedule,
  previewTerms,
  type ScheduleValues,
  valuesOf,
} from './schedule-form.ts';

const schedule: Schedule = {
  id: 'sch_1',
  status: 'active',
  amount: { value: 4999, currency: 'GBP' },
  frequency: { type: 'monthly', day: 31, interval: 1 },
  non_working_day: 'next',
  customer: {
    id: 'cus_1',
    type: 'phone',
    value: '+447911123456',
  },
  description: 'Gym membership',
  metadata: { plan: 'gold', seats: 3, flags: { trial: false } },
  start_date: '2026-03-31T08:00:00.000Z',
  end_date: null,
  max_retries: 3,
  limits: {
    per_payment: { value: 6000, currency: 'GBP' },
    per_period: { value: 7000, currency: 'GBP' },
    period: 'month',
  },
  amount_mode: 'fixed',
  reference: 'FERNHILL 0042',
  next_payment_date: '2026-03-31T08:00:00.000Z',
  created_at: '2026-03-01T08:00:00.000Z',
  consented: null,
};

function changed(change: (values: ScheduleValues) => void): ReturnType<typeof changesOf> {
  const values = valuesOf(schedule);
  change(values);
  return changesOf(schedule, values);
}

test('a form that was not touched changes nothing', () => {
  assert.deepEqual(changesOf(schedule, valuesOf(schedule)), {});
});

test('only the fields that were changed are sent', () => {
  const changes = changed((values) => {
    values.amount.value = 5999;
    values.end_date = '2027-01-01T00:00:00.000Z';
  });
  assert.deepEqual(changes, {
    amount: { value: 5999, currency: 'GBP' },
    end_date: '2027-01-01T00:00:00.000Z',
  });
});

test('limits that were typed are sent, and one that was emptied is given up', () => {
  const changes = changed((values) => {
    values.limits.per_payment.value = 8000;
    values.limits.per_period.value = null;
    values.amount_mode = 'per_occurrence';
  });
  assert.deepEqual(changes, {
    amount_mode: 'per_occurrence',
    limits: { per_payment: { value: 8000, currency: 'GBP' }, per_period: null },
  });
  const values = emptyValues(null);
  assert.equal('limits' in previewTerms(values, 100), false);
  values.limits.per_period.value = 9000;
  assert.deepEqual(previewTerms(values, 100).limits, {
    per_period: { value: 9000, currency: 'GBP' },
  });
});

test('what happens to non-working days is sent where it changes, and a daily schedule has no such choice', () => {
  const stays = changed((values) => {
    values.non_working_day = 'same';
  });
  assert.deepEqual(stays, { non_working_day: 'same' });
  const daily = changed((values) => {
    values.frequency.type = 'daily';
  });
  assert.equal(daily.non_working_day, 'same');
});

test('a change of one part of the frequency sends the frequency whole', () => {
  const changes = changed((values) => {
    values.frequency.interval = '2';
  });
  assert.deepEqual(changes, { frequency: { type: 'monthly', day: 31, interval: 2 } });
});

test('metadata that was not touched keeps its type when another row changes', () => {
  const changes = changed((values) => {
    values.metadata = [
      ...values.metadata.filter(({ key }) => key !== 'plan'),
      { key: 'plan', value: 'silver' },
    ];
  });
  assert.deepEqual(changes, { metadata: { seats: 3, flags: { trial: false }, plan: 'silver' } });
});

test('metadata without rows is cleared', () => {
  const changes = changed((values) => {
    values.metadata = [{ key: ' ', value: 'left over' }];
  });
  assert.deepEqual(changes, { metadata: null });
});

test('a daily schedule is asked for without a day, whatever the form still holds', () => {
  const values = emptyValues(null);
  values.frequency.type = 'daily';
  assert.deepEqual(previewTerms(values, 100), {
    amount: { value: 100, currency: 'GBP' },
    frequency: { type: 'daily', interval: 1 },
  });
});

test('a new schedule names the customer in the form that was chosen', () => {
  const values = emptyValues(null);
  Object.assign(values, { description: 'Gym' });
  Object.assign(values.customer, {
    type: 'bank_account',
    value: 'left over',
    sort_code: ' 12-34-56 ',
    account_number: '12345678',
  });
  const body = newSchedule(values);
  assert.deepEqual(body.customer, {
    type: 'bank_account',
    sort_code: '12-34-56',
    account_number: '12345678',
  });
  assert.equal('metadata' in body, false);
});

test('what is no number is sent as one that the service refuses by the name of its field', () => {
  const values = emptyValues(null);
  values.frequency.interval = 'two';
  assert.equal(previewTerms(values, 1).frequency.interval, 0);
});

test('what is typed about a customer is sent, trimmed; what is left empty is not, nor anything for a known one', () => {
  const values = emptyValues(null);
  Object.assign(values.customer, { value: '+447911123456', name: ' Kim Fern ', reference: ' ' });
  assert.deepEqual(newSchedule(values).customer, {
    type: 'phone',
    value: '+447911123456',
    name: 'Kim Fern',
  });
  const known = emptyValues('cus_1');
  known.customer.name = 'Kim Fern';
  assert.deepEqual(newSchedule(known).customer, { type: 'user_id', value: 'cus_1' });
});
