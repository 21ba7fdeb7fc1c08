import { type Api, type CallOptions, segment } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';
import type { Dispute, NewDispute, NewRefund, Payment, PaymentQuery, Refund } from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

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

  /**
   * Disputes a payment for a customer who does not recognise it, or does not agree with it. Throws 409
   * `payment_not_disputable`, or `payment_disputed` while another dispute of it is open or has given money back.
   */
  dispute(id: string, dispute: NewDispute, options?: CallOptions): Reply<Dispute> {
    const path = `/api/v1/payments/${segment(id)}/disputes`;
    return this.#api.send({ method: 'POST', path, body: dispute }, options);
  }
}
