import type { Api, CallOptions } from '../api.ts';
import type { ListQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';

export type WalletStatus = 'planned' | 'reserved' | 'open' | 'closing' | 'closed';

/** An e-money wallet, a customer's or your own, and its current balance. */
export interface Wallet {
  id: string;
  /** Null: your own wallet. */
  customer_id: string | null;
  status: WalletStatus;
  /** In pence; may be zero. */
  balance: { value: number; currency: string };
}

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
