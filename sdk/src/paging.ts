/** Which part of a list to return. The API returns 10 items by default, at most 100. */
export interface ListQuery {
  limit?: number;
  offset?: number;
  /** Instead of `offset`: the `next_cursor` of the page before, or `start`. Nothing is counted. */
  after?: string;
}

/** One page of a list, newest first unless sorted otherwise. */
export interface List<T> {
  data: T[];
  /** The number of all items; absent beside `after`. */
  total?: number;
  /** What the amounts of all items add up to, in pence; only where `sum` was asked for. */
  total_amount?: { value: number; currency: string };
  /** What `after` takes for the next page; absent: this is the last. */
  next_cursor?: string;
}
