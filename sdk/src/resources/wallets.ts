import type { Api, CallOptions } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Wallet } from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

export class Wallets {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists your own wallet first, then those of your customers, newest first. */
  list(query?: ListQuery, options?: CallOptions): ListPromise<Wallet> {
    return listOf(this.#api, '/api/v1/wallets', query, options);
  }
}
