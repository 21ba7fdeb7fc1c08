import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Amount, AmountQuery, CreatedSort, Failure, ListQuery, SpanQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';
import type { Payment } from './payments.ts';

export type SettlementStatus = 'pending' | 'processing' | 'success' | 'failed';

/** The collections of one business day, paid out to you together on the next. */
export interface Settlement {
  id: string;
  status: SettlementStatus;
  /** What is paid out: `gross` less `refunds`, `fees` and `carried`. */
  amount: Amount;
  /** The sum of its payments. */
  gross: Amount;
  /** What refunds took; below zero where failed refunds gave back more. */
  refunds: Amount;
  /** The sum of the fees of its payments. */
  fees: Amount;
  /** What you owed for recalled collections, netted here. */
  carried: Amount;
  /** The business day on which it is paid out, such as `2026-03-30`. */
  settlement_date: string;
  destination_account: { account_number: string; sort_code: string; name: string };
  /** The number of payout attempts. */
  attempts: number;
  error: Failure | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

/** Which settlements to list; `from` and `to` are of `created_at`, amounts of `amount`. */
export interface SettlementQuery extends ListQuery, SpanQuery, AmountQuery {
  status?: SettlementStatus;
  sort?: CreatedSort;
}

const at = (id: string): string => `/api/v1/settlements/${segment(id)}`;

export class Settlements {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query?: SettlementQuery, options?: CallOptions): ListPromise<Settlement> {
    return listOf(this.#api, '/api/v1/settlements', query, options);
  }

  get(id: string, options?: CallOptions): Reply<Settlement> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** Lists the payments of a settlement; they add up to its `gross`. */
  payments(id: string, query?: ListQuery, options?: CallOptions): ListPromise<Payment> {
    return listOf(this.#api, `${at(id)}/payments`, query, options);
  }

  /** Retries the payout of a failed settlement immediately. Throws 409 `settlement_not_retryable`. */
  retry(id: string, options?: CallOptions): Reply<Settlement> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/retry` }, options);
  }
}
