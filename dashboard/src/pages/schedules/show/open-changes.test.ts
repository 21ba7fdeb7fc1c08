import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '@recollect/sdk';
import { openChanges } from './open-changes.ts';

const terms = {
  amount: { value: 4999, currency: 'GBP' },
  frequency: { type: 'monthly' as const, day: 1, interval: 1 },
  end_date: null,
};
const schedule: Schedule = {
  ...terms,
  id: 'sch_1',
  status: 'active',
  customer: { id: 'cus_1', type: 'phone', value: '+447911123456' },
  description: 'Gym',
  metadata: null,
  start_date: null,
  max_retries: 3,
  next_payment_date: null,
  created_at: '2026-03-01T08:00:00.000Z',
  consented: terms,
};

test('terms that the customer agreed to are no open change', () => {
  assert.deepEqual(openChanges(schedule), []);
});

test('before the first consent nothing is open', () => {
  assert.deepEqual(openChanges({ ...schedule, consented: null }), []);
});

test('every term that differs is named', () => {
  const changed: Schedule = {
    ...schedule,
    amount: { value: 5999, currency: 'GBP' },
    frequency: { type: 'monthly', day: 2, interval: 1 },
    end_date: '2027-01-01T00:00:00.000Z',
  };
  assert.deepEqual(openChanges(changed), ['amount', 'frequency', 'end_date']);
});
