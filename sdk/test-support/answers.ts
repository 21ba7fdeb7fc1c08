import type { ListQuery, Payment, Refund, Schedule, Settlement } from '@recollect/sdk';
import { type Arrived, type Reply, refusal } from './service.ts';

const AT = '2026-01-31T09:00:00.000Z';
const AMOUNT = { value: 4999, currency: 'GBP' };
const CUSTOMER = {
  id: 'cus_1',
  type: 'phone',
  value: '+447700900123',
  name: 'Kim Fern',
  reference: 'C-1042',
} as const;

const SCHEDULE: Schedule = {
  id: 'sch_1',
  status: 'pending_consent',
  amount: AMOUNT,
  frequency: { type: 'monthly', day: 31, interval: 1 },
  customer: CUSTOMER,
  description: 'Fernhill Broadband',
  metadata: null,
  start_date: null,
  end_date: null,
  max_retries: 3,
  reference: 'FERNHILL 0042',
  first_payment: null,
  limits: { per_payment: AMOUNT, per_period: AMOUNT, period: 'month' },
  amount_mode: 'fixed',
  non_working_day: 'same',
  next_payment_date: AT,
  resume_at: null,
  created_at: AT,
  consented: null,
  paying_account: null,
  consent_notice: null,
  warnings: [],
  consent_url: 'https://pay.example/consent/abc',
};

const PAYMENT: Payment = {
  id: 'pay_1',
  schedule_id: 'sch_1',
  customer_id: 'cus_1',
  kind: 'scheduled',
  amount: AMOUNT,
  description: null,
  status: 'failed',
  due_date: AT,
  attempts: [],
  next_retry_at: null,
  no_retry_reason: 'final',
  error: { code: 'insufficient_funds', message: 'There was not enough money.' },
  settlement_id: null,
  fee: null,
  refunded: { value: 0, currency: 'GBP' },
  returned: null,
  paying_account: null,
  created_at: AT,
  completed_at: null,
  failed_at: AT,
  not_sent: null,
  waits_for_operator: null,
  unexpected_money: [],
  bank_id: 'northbank',
  customer_reference: null,
  metadata: null,
};

const REFUND: Refund = {
  id: 'ref_1',
  payment_id: 'pay_1',
  amount: { value: 1000, currency: 'GBP' },
  status: 'pending',
  reason: 'late delivery',
  error: null,
  created_at: AT,
  completed_at: null,
  failed_at: null,
};

const SETTLEMENT: Settlement = {
  id: 'set_1',
  status: 'success',
  amount: AMOUNT,
  gross: { value: 4999, currency: 'GBP' },
  refunds: { value: 0, currency: 'GBP' },
  fees: { value: 0, currency: 'GBP' },
  carried: { value: 0, currency: 'GBP' },
  settlement_date: '2026-02-02',
  statement_reference: 'S260202K7M2Q9XB',
  destination_account: { account_number: '66374958', sort_code: '089999', name: 'Fernhill' },
  attempts: 1,
  error: null,
  created_at: AT,
  completed_at: AT,
  failed_at: null,
};

const EVENT = { id: 'evt_1', kind: 'collection.failed', deliveries: [] };
const followed = (kind: string) => ({
  id: 'evt_1',
  kind,
  body: JSON.stringify({ event: kind, data: { payment_id: 'pay_1' } }),
  cursor: 'cursor_1',
});
const HAPPENED = {
  at: AT,
  kind: 'event',
  event_id: 'evt_1',
  event: 'collection.success',
  subject_id: 'pay_1',
};

const MOVED = {
  from: AT,
  to: AT,
  happened: [HAPPENED],
  truncated: false,
  stopped: false,
  error: null,
};

const listOf = (item: object): { body: { data: object[]; total: number } & ListQuery } => ({
  body: { data: [item], total: 1 },
});

const OCCURRENCE = { due_date: AT, amount: AMOUNT, skipped: false, changed: false, reason: null };

/** What the service would say to the calls of the documentation, by method and path. */
const ANSWERS: Readonly<Record<string, Reply>> = {
  'POST /api/v1/schedules': { body: SCHEDULE },
  'GET /api/v1/schedules/sch_1': { body: SCHEDULE },
  'POST /api/v1/schedules/sch_1/consent': { body: SCHEDULE },
  'GET /api/v1/schedules/sch_1/upcoming': {
    body: { data: [OCCURRENCE] },
  },
  [`PUT /api/v1/schedules/sch_1/upcoming/${encodeURIComponent(AT)}`]: {
    body: { ...OCCURRENCE, changed: true },
  },
  'GET /api/v1/schedules/sch_1/payments': listOf(PAYMENT),
  'GET /api/v1/payments': listOf(PAYMENT),
  'POST /api/v1/schedules/sch_1/payments': {
    body: { ...PAYMENT, kind: 'ad_hoc', status: 'pending' },
  },
  'POST /api/v1/payments/pay_1/retry': { body: { ...PAYMENT, status: 'pending' } },
  'GET /api/v1/payments/pay_1': { body: PAYMENT },
  'POST /api/v1/payments/pay_1/refunds': { body: REFUND },
  'GET /api/v1/settlements': listOf(SETTLEMENT),
  'GET /api/v1/settlements/set_1/payments': listOf(PAYMENT),
  'POST /api/v1/webhook_endpoints': { body: { id: 'end_1', secret: 'whsec_AAAA' } },
  'POST /api/v1/webhook_endpoints/end_1/rotate': { body: { id: 'end_1', secret: 'whsec_BBBB' } },
  'POST /api/v1/webhook_endpoints/end_1/activate': { body: { id: 'end_1' } },
  'GET /api/v1/events': listOf(EVENT),
  'GET /api/v1/events/feed': {
    body: { data: ['collection.success', 'settlement.success'].map(followed), has_more: false },
  },
  'POST /api/v1/events/replay': {
    body: { endpoint_id: 'end_1', replayed: 1, next_from: null, archived_before: null },
  },
  'PUT /api/v1/merchant': { body: { id: 'mer_1' } },
  'POST /sandbox/schedules/sch_1/consent': { body: { consent_status: 'granted' } },
  'POST /sandbox/clock/advance': { body: MOVED },
  'GET /sandbox/clock/advance': { body: MOVED },
  'GET /sandbox/clock': { body: { now: AT, advancing: false, waiting_for: [] } },
  'POST /sandbox/clock/stop': { body: { now: AT, advancing: false } },
  'POST /sandbox/reset': { body: { now: AT, advancing: false } },
  'PUT /sandbox/accounts/northbank/nina': { body: { account: 'nina' } },
  'PUT /sandbox/accounts/northbank/alex': { body: { account: 'alex' } },
  'PUT /sandbox/banks/northbank': { body: { bank_id: 'northbank' } },
};

/** Answers a call of the documentation; what it does not know is 404, so that a wrong path fails. */
export function answer({ method, path, body }: Arrived): Reply {
  const call = `${method} ${path.split('?')[0]}`;
  if (call === 'PUT /api/v1/schedules/sch_1') {
    const changes = JSON.parse(body) as Partial<Schedule>;
    if (changes.amount?.value === 0)
      return refusal(400, 'invalid_request', { 'amount.value': 'must be greater than 0' });
    return { body: { ...SCHEDULE, ...changes } };
  }
  return ANSWERS[call] ?? refusal(404, 'not_found');
}
