import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentedEnum, noModulrDocument } from '../../../test-support/modulr/document.ts';
import { MODULR_CODES } from './errors.ts';
import { DOCUMENTED_STATUSES, kindOf, movementStatus } from './statuses.ts';

test('takes a payment for ended only where the document calls its status final', () => {
  const ended = DOCUMENTED_STATUSES.filter((status) => movementStatus(status) !== 'pending');
  assert.deepEqual(ended.sort(), [
    'CANCELLED',
    'ER_BATCH',
    'ER_EXPIRED',
    'ER_EXTCONN',
    'ER_EXTSYS',
    'ER_GENERAL',
    'ER_INVALID',
    'PROCESSED',
    'RECONCILED',
    'RETURNED',
  ]);
  for (const unknown of ['PARKED', '', 'toString'])
    assert.equal(movementStatus(unknown), 'pending');
});

test('tells our own transfers, money from outside, and money that is taken back apart', () => {
  assert.equal(kindOf('INT_INTERC', true, true), 'transfer');
  assert.equal(kindOf('INT_INTERC', true, false), 'payin');
  assert.equal(kindOf('PI_FAST', true, false), 'payin');
  assert.equal(kindOf('PO_FAST', false, true), 'payout');
  assert.equal(kindOf('PO_REV', true, false), 'payout_return');
  assert.equal(kindOf('PI_FAST_REV', false, false), 'payin_recall');
  assert.equal(kindOf('FE_TXN', false, false), 'payout');
});

const skip = noModulrDocument;
test('knows every status and every error code of the document', { skip }, () => {
  const statuses = documentedEnum('payment.PaymentResponse', 'status');
  assert.deepEqual([...DOCUMENTED_STATUSES].sort(), statuses.sort());
  assert.deepEqual(
    [...MODULR_CODES].sort(),
    documentedEnum('payment.MessageResponse', 'code').sort(),
  );
});
