import type {
  NoRetryReason,
  UnexpectedMoneyReason,
  UnexpectedMoneyStatus,
} from '../resources/payments.ts';
import type { Frequency, ScheduleStatus } from '../resources/schedules.ts';
import type { Amount, Failure } from '../wire.ts';

/** The account that a settlement is paid to. */
export interface DestinationAccount {
  account_number: string;
  sort_code: string;
}

/** An account with all but the last digits masked. */
export interface MaskedAccount {
  name: string;
  sort_code: string;
  account_number: string;
}

interface StatusChange {
  schedule_id: string;
  customer_id: string;
  status: ScheduleStatus;
  reason: string;
  created_at: string;
}

interface RefundEvent {
  refund_id: string;
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  reason: string | null;
}

/** The payload of each event kind: the six default ones, the opt-in ones, and the test event. */
export interface WebhookData {
  'schedule.setup_success': {
    schedule_id: string;
    customer_id: string;
    amount: Amount;
    frequency: Frequency;
    created_at: string;
  };
  'schedule.setup_failed': {
    schedule_id: string;
    customer_id: string;
    error: Failure;
    created_at: string;
  };
  'collection.success': {
    payment_id: string;
    schedule_id: string;
    amount: Amount;
    completed_at: string;
  };
  /** Sent for every failed attempt; `next_retry_at` is null on the last. */
  'collection.failed': {
    payment_id: string;
    schedule_id: string;
    amount: Amount;
    error: Failure;
    failed_at: string;
    attempt: number;
    next_retry_at: string | null;
    no_retry_reason: NoRetryReason | null;
    /** Present if a pause, a cancellation or a withdrawal of consent ended the payment. */
    reason?: 'stopped';
  };
  /** An occurrence fell due and nothing was collected: you skipped it, or its amount was not set. */
  'collection.skipped': {
    schedule_id: string;
    customer_id: string;
    due_date: string;
    reason: 'skipped' | 'amount_not_set';
    created_at: string;
  };
  /** The money was recalled after a successful collection; you owe it, and it is netted from settlements. */
  'collection.returned': {
    payment_id: string;
    schedule_id: string;
    amount: Amount;
    reason: string;
    returned_at: string;
  };
  /** Paid to the account that had paid. */
  'refund.success': RefundEvent & { completed_at: string };
  /** Not paid, or came back: its money is in your wallet. */
  'refund.failed': RefundEvent & { error: Failure; failed_at: string };
  'settlement.success': {
    settlement_id: string;
    amount: Amount;
    destination_account: DestinationAccount;
    completed_at: string;
  };
  'settlement.failed': {
    settlement_id: string;
    amount: Amount;
    destination_account: DestinationAccount;
    error: Failure;
    failed_at: string;
  };
  'schedule.cancelled': StatusChange;
  'schedule.paused': StatusChange;
  'schedule.resumed': StatusChange;
  /** The bank wants the customer to confirm the consent again: send them to the schedule's `portal_url`. */
  'consent.reauthentication_needed': {
    schedule_id: string;
    customer_id: string;
    created_at: string;
  };
  'consent.revoked': {
    schedule_id: string;
    customer_id: string;
    reason: string;
    created_at: string;
  };
  'merchant.settlement_account_changed': {
    merchant_id: string;
    old_account: MaskedAccount;
    new_account: MaskedAccount;
    requested_at: string;
    changed_at: string;
  };
  /** Unexpected money that may belong to this payment. Sent again with the same `id` once a decision is made. */
  'payment.unexpected_money': {
    id: string;
    payment_id: string;
    schedule_id: string;
    amount: Amount;
    status: UnexpectedMoneyStatus;
    reason: UnexpectedMoneyReason;
    arrived_at: string;
  };
  'endpoint.test': { endpoint_id: string; url: string; message: string };
}

export type EventKind = keyof WebhookData;

/** The kinds that an endpoint can subscribe to. */
export type SubscribedKind = Exclude<EventKind, 'endpoint.test'>;

/** The body of a webhook: `event` says which `data` it carries. */
export type WebhookEvent = {
  [K in EventKind]: { event: K; data: WebhookData[K] };
}[EventKind];
