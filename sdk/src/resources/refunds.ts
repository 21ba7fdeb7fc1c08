import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Refund, RefundQuery } from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

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
