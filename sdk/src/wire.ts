/** An amount of money in the smallest unit of its currency: `{ value: 4999, currency: 'GBP' }` is £49.99. */
export interface Amount {
  value: number;
  currency: string;
}

/** Why something failed: a stable code, and a sentence for people. */
export interface Failure {
  code: string;
  message: string;
}

/** Which part of a list is asked for. The API answers 10 items unless told otherwise, and 100 at most. */
export interface ListQuery {
  limit?: number;
  offset?: number;
}

/** One page of a list, newest first; `total` counts all there are. */
export interface List<T> {
  data: T[];
  total: number;
}

/** The account that pays, masked: nothing but the end of its number is ever told. */
export interface PayingAccount {
  sort_code: string;
  account_number: string;
}
