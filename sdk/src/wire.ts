/** An amount of money in the smallest unit of its currency: `{ value: 4999, currency: 'GBP' }` is £49.99. */
export interface Amount {
  value: number;
  currency: string;
}

/** Why something failed: a stable code and a readable message. */
export interface Failure {
  code: string;
  message: string;
}

/** Which part of a list to return. The API returns 10 items by default, at most 100. */
export interface ListQuery {
  limit?: number;
  offset?: number;
  /** Instead of `offset`: the `next_cursor` of the page before, or `start`. Nothing is counted. */
  after?: string;
}

/** The orders of a list by when its items were created; the first unless another is named. */
export type CreatedSort = '-created_at' | 'created_at';

/** The limits of a list's time: ISO 8601 with an offset or Z; `from` is included, `to` is not. */
export interface SpanQuery {
  from?: string;
  to?: string;
}

/** The limits of a list's amounts, in pence; both are included. */
export interface AmountQuery {
  amount_from?: number;
  amount_to?: number;
}

/** One page of a list, newest first unless sorted otherwise. */
export interface List<T> {
  data: T[];
  /** The number of all items; absent beside `after`. */
  total?: number;
  /** What `after` takes for the next page; absent: this is the last. */
  next_cursor?: string;
}

/** The paying account, masked: only the last digits of its number are ever shown. */
export interface PayingAccount {
  sort_code: string;
  account_number: string;
}
