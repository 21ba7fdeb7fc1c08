import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ItemRow } from '../../payments/books/unallocated-store.ts';
import { type LikelyPayment, moneyCase } from './money-case.ts';

const AT = Temporal.Instant.from('2026-01-05T10:00:00Z');

const ITEM: ItemRow = {
  ...{ merchantId: 'mer_1', itemId: 'una_1', movementId: 'mv_1', walletId: 'wal_1' },
  ...{ partOf: null, originalMovementId: null, cameBackOf: null, endToEndId: null, payer: null },
  ...{ amountPence: 4999, currency: 'GBP', reason: 'later_attempt', status: 'open' },
  ...{ scheduleId: 'sch_1', paymentId: 'pay_1', attempt: 1, arrivedAt: AT, openedAt: AT },
  ...{ proposed: null, endedAt: null, endedBy: null, confirmedBy: null, endReason: null },
};

const PAYMENT: LikelyPayment = {
  ...{ merchantId: 'mer_1', paymentId: 'pay_1', scheduleId: 'sch_1', customerId: 'cus_1' },
  ...{ bankId: 'northbank', walletId: 'wal_1', amountPence: 4999, status: 'processing' },
  ...{ stage: 'wait', attempts: 2, dueDate: AT },
};

const caseOf = (item: Partial<ItemRow>, payment: Partial<LikelyPayment> = {}) =>
  moneyCase({ ...ITEM, ...item }, { payment: { ...PAYMENT, ...payment }, walletOf: 'cus_1' });

test('money that may yet pay automatically has no act but the one that somebody proposed', () => {
  const said = { by: 'Robin Fern', reason: 'sent back', at: AT.toString() };
  const proposed = { ...said, end: 'returned' as const, paymentId: null };
  for (const status of ['pending', 'processing']) {
    assert.deepEqual(caseOf({}, { status }).acts, [], status);
    assert.deepEqual(caseOf({ proposed }, { status }).acts, ['return'], status);
  }
  assert.deepEqual(caseOf({}, { status: 'failed', stage: null }).acts[0], 'allocate');
});

test('only money that came in another amount is compared with what was asked for', () => {
  const expected = (reason: ItemRow['reason']) =>
    caseOf({ reason, amountPence: 500 }).expectedPence;
  assert.equal(expected('another_amount'), 4999);
  for (const reason of ['left_over', 'later_attempt', 'paid_already', 'came_back'] as const)
    assert.equal(expected(reason), null, reason);
});
