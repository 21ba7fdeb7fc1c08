import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Amount, AmountQuery, CreatedSort, Failure, ListQuery, SpanQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';

/** `pending`: not ordered yet, or waiting for money. `processing`: with the issuer. A success may still come back as `failed`. */
export type RefundStatus = 'pending' | 'processing' | 'success' | 'failed';

/** Money of a payment that goes back to the account that paid it. */
export interface Refund {
  id: string;
  payment_id: string;
  amount: Amount;
  status: RefundStatus;
  /** Why, in your own words. */
  reason: string | null;
  error: Failure | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

export interface NewRefund {
  /** Default: what is not yet refunded. */
  amount?: Amount;
  /** Why, in your own words, at most 200 characters. */
  reason?: string;
}

/** Which refunds to list; `from` and `to` are of `created_at`. */
export interface RefundQuery extends ListQuery, SpanQuery, AmountQuery {
  status?: RefundStatus;
  sort?: CreatedSort;
}

export class Refunds {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(id: string, options?: CallOptions): Reply<Refund> {
    return this.#api.send({ method: 'GET', path: `/api/v1/refunds/${segment(id)}` }, options);
  }

  list(query?: RefundQuery, options?: CallOptions): ListPromise<Refund> {
    return listOf(this.#api, '/api/v1/refunds', query, options);
  }
}
