import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactEvent } from './redact.ts';

const EVENT = {
  event: 'collection.success',
  data: {
    id: 'pay_1',
    amount: { value: 4999, currency: 'GBP' },
    customer: { id: 'cus_1', type: 'phone', value: '+447700900123', name: 'Kim Fern' },
    paying_account: { sort_code: '**-**-**', account_number: '****4958' },
    metadata: { member: 'Kim' },
    list: [{ email: 'kim@fern.example' }, 'plain'],
    reference: null,
  },
};

test('names, numbers and addresses go; ids, amounts and what was never known stay', () => {
  const { data } = JSON.parse(redactEvent(JSON.stringify(EVENT), { metadata: false }));
  assert.deepEqual(data, {
    id: 'pay_1',
    amount: { value: 4999, currency: 'GBP' },
    customer: { id: 'cus_1', type: 'phone', value: '[erased]', name: '[erased]' },
    paying_account: { sort_code: '[erased]', account_number: '[erased]' },
    metadata: { member: 'Kim' },
    list: [{ email: '[erased]' }, 'plain'],
    reference: null,
  });
});

test('what was said of a dispute, and the answer, are what somebody wrote', () => {
  const dispute = { id: 'dsp_1', reason: 'other', note: 'Kim was away', answer: 'Kim came' };
  assert.deepEqual(JSON.parse(redactEvent(JSON.stringify(dispute), { metadata: false })), {
    ...dispute,
    note: '[erased]',
    answer: '[erased]',
  });
});

test('metadata go only if they were asked to', () => {
  const { data } = JSON.parse(redactEvent(JSON.stringify(EVENT), { metadata: true }));
  assert.equal(data.metadata, null);
});

test('why a refund was made is what somebody wrote; why a collection failed is a code', () => {
  const refund = { refund_id: 'ref_1', reason: 'Kim moved', error: { code: 'x', reason: 'y' } };
  const data = { reason: 'stopped', refunds: [{ id: 'ref_1', reason: 'Kim moved' }], refund };
  assert.deepEqual(JSON.parse(redactEvent(JSON.stringify(data), { metadata: false })), {
    reason: 'stopped',
    refunds: [{ id: 'ref_1', reason: '[erased]' }],
    refund: { refund_id: 'ref_1', reason: '[erased]', error: { code: 'x', reason: 'y' } },
  });
});
