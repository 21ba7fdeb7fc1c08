import { type Api, type CallOptions, segment } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';
import type { Payment, Settlement, SettlementQuery } from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

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
