import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Amount, AmountQuery, Failure, ListQuery, PayingAccount, SpanQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';
import type { NewRefund, Refund } from './refunds.ts';

/** `pending`: due, or waiting for a retry. `processing`: with the bank. `success` and `failed` are final. */
export type PaymentStatus = 'pending' | 'processing' | 'success' | 'failed';

/** Why no retry follows a failed payment. */
export type NoRetryReason =
  | 'final'
  | 'max_retries'
  | 'next_occurrence'
  | 'end_date'
  | 'limits'
  | 'by_hand'
  | 'stopped';

/** `open`: awaiting a decision. The others give its outcome. */
export type UnexpectedMoneyStatus =
  | 'open'
  | 'allocated'
  | 'accepted_in_part'
  | 'returned'
  | 'paid_on'
  | 'credited';

/** Why received money did not match an expected payment. */
export type UnexpectedMoneyReason =
  | 'nothing_awaited'
  | 'another_amount'
  | 'another_wallet'
  | 'paid_already'
  | 'later_attempt'
  | 'left_over'
  | 'came_back'
  | 'not_transferred';

export type NotSentReason =
  | 'merchant_suspended'
  | 'bank_stopped'
  | 'consent_in_doubt'
  | 'reauthentication_needed'
  | 'bank_down'
  | 'bank_degraded'
  | 'retrying'
  | 'being_sent';

/** One attempt to collect a payment. */
export interface Attempt {
  /** Starts at 1. */
  number: number;
  status: 'processing' | 'success' | 'failed';
  /** Requested manually. */
  manual: boolean;
  error: Failure | null;
  bank_payment_id: string | null;
  bank_status: string | null;
  started_at: string;
  /** When its order was sent to the bank; null: nothing was sent. */
  sent_at: string | null;
  finished_at: string | null;
}

/** `scheduled`: an occurrence of the schedule. `ad_hoc`: a payment besides them, made with `schedules.collect`. */
export type PaymentKind = 'scheduled' | 'ad_hoc';

/** The collection of one occurrence of a schedule, of which there is never a second one, or an ad-hoc payment. */
export interface Payment {
  id: string;
  schedule_id: string;
  customer_id: string;
  kind: PaymentKind;
  amount: Amount;
  /** Of an ad-hoc payment that was given one. */
  description: string | null;
  status: PaymentStatus;
  due_date: string;
  attempts: Attempt[];
  next_retry_at: string | null;
  /** Null unless the payment has failed. */
  no_retry_reason: NoRetryReason | null;
  error: Failure | null;
  settlement_id: string | null;
  /** What the operator takes of it, netted from its settlement; null until it succeeds. */
  fee: Amount | null;
  /** Refunded, or being refunded; failed refunds do not count. */
  refunded: Amount;
  /** Its money was recalled after success; you owe it, and it is netted from settlements. */
  returned: { amount: Amount; at: string; reason: string } | null;
  /** The paying account, masked; null until it is known. */
  paying_account: PayingAccount | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
  /** Why the order of the attempt under way has not been sent yet; null: it was, or none is under way. */
  not_sent: {
    reason: NotSentReason;
    bank_id: string;
    /** Null: now, or when somebody has acted. */
    next_try_at: string | null;
  } | null;
  /** Why the payment needs an operator, and since when; null: it has completed or can complete automatically. */
  waits_for_operator: {
    reason:
      | 'no_outcome'
      | 'credited_without_money'
      | 'wrong_amount'
      | 'not_transferred'
      | 'not_sent';
    since: string;
  } | null;
  /** Unexpected money that may belong to this payment. */
  unexpected_money: UnexpectedMoney[];
}

/** Unexpected money that may belong to a payment. */
export interface UnexpectedMoney {
  id: string;
  amount: Amount;
  status: UnexpectedMoneyStatus;
  reason: UnexpectedMoneyReason;
  arrived_at: string;
  ended_at: string | null;
}

/** Which payments to list; `from` and `to` are of `due_date`. */
export interface PaymentQuery extends ListQuery, SpanQuery, AmountQuery {
  /**
   * An id or its beginning, an amount in pounds, an attempt's or the bank's id; with the scopes for them also words of the
   * description, or what finds a customer.
   */
  q?: string;
  status?: PaymentStatus;
  /** The code of `error`. */
  error_code?: string;
  schedule_id?: string;
  customer_id?: string;
  /** `-created_at` unless another is named. */
  sort?: '-created_at' | 'created_at' | '-due_date' | 'due_date';
}

export class Payments {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(id: string, options?: CallOptions): Reply<Payment> {
    return this.#api.send({ method: 'GET', path: `/api/v1/payments/${segment(id)}` }, options);
  }

  list(query?: PaymentQuery, options?: CallOptions): ListPromise<Payment> {
    return listOf(this.#api, '/api/v1/payments', query, options);
  }

  /**
   * Retries a failed payment; this does not count against `max_retries`. Throws 409 `payment_not_retryable`, or `limit_exceeded`
   * if the payment would exceed the customer's limits now.
   */
  retry(id: string, options?: CallOptions): Reply<Payment> {
    return this.#api.send(
      { method: 'POST', path: `/api/v1/payments/${segment(id)}/retry` },
      options,
    );
  }

  /**
   * Refunds a payment, whole or in part, to the account that paid. Throws 409 `payment_not_refundable`, `refund_exceeds_payment`,
   * or `insufficient_balance` if your wallet holds less and your refunds do not wait.
   */
  refund(id: string, refund: NewRefund = {}, options?: CallOptions): Reply<Refund> {
    const path = `/api/v1/payments/${segment(id)}/refunds`;
    return this.#api.send({ method: 'POST', path, body: refund }, options);
  }

  /** Lists the refunds of a payment. */
  refunds(id: string, query?: ListQuery, options?: CallOptions): ListPromise<Refund> {
    return listOf(this.#api, `/api/v1/payments/${segment(id)}/refunds`, query, options);
  }
}
