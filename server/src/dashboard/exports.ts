import type { Static } from 'typebox';
import type { Amount } from '../platform/values/money.ts';
import type { RefundView } from '../refunds/view.ts';
import type { SettlementView } from '../settlements/view.ts';
import type { EventView } from '../webhooks/views.ts';
import { JOURNAL_EXPORT } from './accounting/export.ts';
import type { ActivityItem } from './activity/view.ts';
import type { CustomerItem } from './customers/view.ts';
import type { DisputeItem } from './disputes/view.ts';
import type { Export } from './export.ts';
import type { PaymentItem } from './payments/view.ts';
import { REPORT_EXPORTS } from './reports/exports.ts';
import type { RequestItem } from './requests/view.ts';
import type { ChangedSchedule } from './schedules/changed-view.ts';
import type { ScheduleItem } from './schedules/list-view.ts';
import { poundsOf } from './settlements/csv.ts';

const money = ({ value, currency }: Amount) => ({
  amount: poundsOf(value),
  amount_pence: value,
  currency,
});

const payments: Export = {
  operationId: 'listPayments',
  name: 'payments',
  cells: (payment: PaymentItem, local) => ({
    payment_id: payment.id,
    status: payment.status,
    ...money(payment.amount),
    due_date: payment.due_date,
    due_date_local: local(payment.due_date),
    completed_at: payment.completed_at ?? '',
    completed_at_local: local(payment.completed_at),
    customer_id: payment.customer_id,
    customer: payment.shown.customer,
    customer_reference: payment.customer_reference ?? '',
    bank: payment.shown.bank,
    schedule_id: payment.schedule_id,
    description: payment.shown.description,
    attempts: payment.attempts.length,
    next_retry_at: payment.next_retry_at ?? '',
    error_code: payment.error?.code ?? '',
    error: payment.error?.message ?? '',
    settlement_id: payment.settlement_id ?? '',
    fee: payment.fee === null ? '' : poundsOf(payment.fee.value),
    metadata: payment.metadata === null ? '' : JSON.stringify(payment.metadata),
    kind: payment.kind,
  }),
};

const disputes: Export = {
  operationId: 'listDisputes',
  name: 'disputes',
  cells: (dispute: DisputeItem, local) => ({
    dispute_id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    ...money(dispute.amount),
    returned: poundsOf(dispute.returned.value),
    raised_by: dispute.raised_by,
    created_at: dispute.created_at,
    created_at_local: local(dispute.created_at),
    deadline: dispute.deadline,
    deadline_local: local(dispute.deadline),
    ended_at: dispute.ended_at ?? '',
    customer: dispute.shown.customer,
    schedule_id: dispute.schedule_id,
    description: dispute.shown.description,
    payment_id: dispute.payment_id,
    refund_id: dispute.refund_id ?? '',
  }),
};

const schedules: Export = {
  operationId: 'listSchedules',
  name: 'schedules',
  cells: (schedule: ScheduleItem, local) => ({
    schedule_id: schedule.id,
    status: schedule.status,
    description: schedule.description,
    ...money(schedule.amount),
    frequency: (schedule.shown.asked ?? schedule.shown.terms).frequency_text,
    customer_id: schedule.customer.id,
    customer: schedule.shown.customer,
    next_payment_date: schedule.next_payment_date ?? '',
    next_payment_local: local(schedule.next_payment_date),
    last_payment_id: schedule.shown.last_payment?.id ?? '',
    last_payment_status: schedule.shown.last_payment?.status ?? '',
    created_at: schedule.created_at,
    first_payment:
      schedule.first_payment === null ? '' : poundsOf(schedule.first_payment.amount.value),
    // Of a change that waits for the customer: what is collected until they agree.
    amount_until_agreed:
      schedule.shown.asked === null ? '' : poundsOf(schedule.shown.terms.amount.value),
    frequency_until_agreed:
      schedule.shown.asked === null ? '' : schedule.shown.terms.frequency_text,
  }),
};

const changeLines: Export = {
  operationId: 'listScheduleChangeLines',
  name: 'schedule-change',
  cells: (line: ChangedSchedule) => ({
    schedule_id: line.schedule_id,
    description: line.description,
    customer_id: line.shown.customer_id,
    customer: line.shown.customer,
    amount_before: poundsOf(line.amount_before.value),
    amount_after: poundsOf(line.amount_after.value),
    effect: line.effect,
    state: line.state,
    error_code: line.error_code ?? '',
    reason: line.reason ?? '',
    link: line.link ?? '',
  }),
};

const customers: Export = {
  operationId: 'listCustomers',
  name: 'customers',
  cells: (customer: CustomerItem) => ({
    customer_id: customer.id,
    customer: customer.shown.label,
    name: customer.name ?? '',
    email: customer.email ?? '',
    reference: customer.reference ?? '',
    phone: customer.type === 'phone' ? customer.value : '',
    sort_code: customer.type === 'bank_account' ? customer.sort_code : '',
    account_number: customer.type === 'bank_account' ? customer.account_number : '',
    bank: customer.bank?.name ?? '',
    paying_account: customer.paying_account?.account_number ?? '',
    schedules_active: customer.shown.schedules.active,
    schedules_total: customer.shown.schedules.total,
    created_at: customer.created_at,
  }),
};

const activity: Export = {
  operationId: 'searchActivity',
  name: 'activity',
  cells: (one: ActivityItem, local) => ({
    at: one.at,
    at_local: local(one.at),
    who: one.actor.name,
    who_type: one.actor.type,
    who_id: one.actor.id ?? '',
    what: one.title,
    why: one.reason,
    object_id: one.object_id,
    schedule_id: one.schedule_id ?? '',
  }),
};

const requests: Export = {
  operationId: 'searchRequests',
  name: 'requests',
  cells: (request: RequestItem) => ({
    at: request.at,
    request_id: request.request_id,
    method: request.method,
    path: request.path,
    status: request.status,
    error_code: request.error_code ?? '',
    duration_ms: request.duration_ms,
    caller: request.caller.name,
    caller_id: request.caller.id,
  }),
};

const settlements: Export = {
  operationId: 'listSettlements',
  name: 'settlements',
  cells: (settlement: SettlementView) => ({
    settlement_id: settlement.id,
    status: settlement.status,
    settlement_date: settlement.settlement_date,
    statement_reference: settlement.statement_reference,
    gross: poundsOf(settlement.gross.value),
    refunds: settlement.refunds.value,
    fees: poundsOf(settlement.fees.value),
    carried: poundsOf(settlement.carried.value),
    ...money(settlement.amount),
    completed_at: settlement.completed_at ?? '',
  }),
  // Below zero where failed refunds gave back more: a text with a minus sign would be guarded as a formula.
  form: () => ({
    number: (value, column) => (column === 'refunds' ? poundsOf(value) : `${value}`),
  }),
};

const refunds: Export = {
  operationId: 'listRefunds',
  name: 'refunds',
  cells: (refund: RefundView, local) => ({
    refund_id: refund.id,
    status: refund.status,
    ...money(refund.amount),
    payment_id: refund.payment_id,
    reason: refund.reason ?? '',
    error_code: refund.error?.code ?? '',
    created_at: refund.created_at,
    created_at_local: local(refund.created_at),
    completed_at: refund.completed_at ?? '',
  }),
};

const events: Export = {
  operationId: 'listEvents',
  name: 'events',
  cells: (event: Static<typeof EventView>) => ({
    event_id: event.id,
    kind: event.kind,
    subject_id: event.subject_id,
    schedule_id: event.schedule_id ?? '',
    created_at: event.created_at,
    deliveries: event.deliveries.map(({ status }) => status).join(' '),
  }),
};

/** Every list that can be taken away as a file. */
export const EXPORTS: readonly Export[] = [
  payments,
  schedules,
  changeLines,
  customers,
  settlements,
  refunds,
  disputes,
  events,
  activity,
  requests,
  ...REPORT_EXPORTS,
  JOURNAL_EXPORT,
];
