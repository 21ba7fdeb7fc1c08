import type { Attempt, Payment, Refund, Settlement } from '@recollect/sdk';
import type { LedgerEntry } from '../../server/src/dashboard/payments/view.ts';
import { type Life, lifeOf } from '../src/pages/payments/life.ts';

// What the tests of a payment's life share.

export const DUE = '2026-01-06T09:00:00Z';
export const LATER = '2026-01-08T09:00:00Z';
export const at = (minute: number): string =>
  `2026-01-06T09:${String(minute).padStart(2, '0')}:00Z`;
export const gbp = (value: number) => ({ value, currency: 'GBP' });
export const NO_MONEY = { code: 'insufficient_funds', message: 'Not enough money.' };

export function attempt(number: number, changes: Partial<Attempt> = {}): Attempt {
  return {
    number,
    status: 'processing',
    manual: false,
    error: null,
    bank_payment_id: null,
    bank_status: null,
    started_at: at(number * 10),
    sent_at: at(number * 10 + 1),
    finished_at: null,
    ...changes,
  };
}

export const failed = (number: number): Attempt =>
  attempt(number, { status: 'failed', error: NO_MONEY, finished_at: at(number * 10 + 5) });
export const paid = (number: number): Attempt =>
  attempt(number, { status: 'success', finished_at: at(number * 10 + 4) });

const PENDING: Payment = {
  id: 'pay_1',
  schedule_id: 'sch_1',
  customer_id: 'cus_1',
  customer_reference: null,
  bank_id: 'northbank',
  metadata: null,
  kind: 'scheduled',
  amount: gbp(4999),
  description: null,
  status: 'pending',
  due_date: DUE,
  attempts: [],
  next_retry_at: null,
  no_retry_reason: null,
  error: null,
  settlement_id: null,
  fee: null,
  refunded: gbp(0),
  returned: null,
  paying_account: null,
  created_at: DUE,
  completed_at: null,
  failed_at: null,
  not_sent: null,
  waits_for_operator: null,
  unexpected_money: [],
};
export const COLLECTED: Partial<Payment> = {
  status: 'success',
  attempts: [paid(1)],
  completed_at: at(16),
};
const ENTRY = { id: 'tra_1', debit: { id: '', kind: '' }, credit: { id: '', kind: '' } };
const entry = (kind: LedgerEntry['kind'], minute: number): LedgerEntry => ({
  ...ENTRY,
  kind,
  amount: gbp(4999),
  at: at(minute),
});
export const BOOKED = [entry('claim', 12), entry('pay_in', 14), entry('move', 15)];

export const settlement = (status: Settlement['status']): Settlement => ({
  id: 'set_1',
  status,
  amount: gbp(4999),
  gross: gbp(4999),
  refunds: gbp(0),
  fees: gbp(0),
  carried: gbp(0),
  settlement_date: '2026-01-07',
  statement_reference: 'RCL7K2',
  destination_account: { name: 'F', sort_code: '**-**-**', account_number: '****0011' },
  attempts: 1,
  error: status === 'failed' ? { code: 'invalid_account', message: 'No such account.' } : null,
  created_at: LATER,
  completed_at: status === 'success' ? LATER : null,
  failed_at: status === 'failed' ? LATER : null,
});

export const refund = (status: Refund['status'], when = LATER): Refund => ({
  id: 'ref_1',
  payment_id: 'pay_1',
  amount: gbp(1000),
  status,
  reason: null,
  error: status === 'failed' ? { code: 'payer_unknown', message: 'Nobody to pay.' } : null,
  created_at: when,
  completed_at: status === 'success' ? when : null,
  failed_at: status === 'failed' ? when : null,
});

interface Besides {
  ledger?: LedgerEntry[];
  settlement?: Settlement;
  refunds?: Refund[];
}

export function life(changes: Partial<Payment>, besides: Besides = {}): Life {
  return lifeOf(
    { ...PENDING, ...changes },
    { bankName: 'Northbank', ledger: [], settlement: undefined, refunds: [], ...besides },
  );
}

/** The points as words: what was done, in progress (>), in trouble (!), the end (x), and to come (…). */
const MARKS = { done: '', now: '> ', problem: '! ', stopped: 'x ', later: '… ' };
export const lineOf = ({ points }: Life): string =>
  points.map(({ progress, title }) => `${MARKS[progress]}${title}`).join(', ');
