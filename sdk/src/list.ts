import type { Api, CallOptions } from './api.ts';
import type { List, ListQuery } from './wire.ts';

/**
 * A requested list. Awaited, it is the first page; iterated (`for await`), it is every item from that page on, fetching further
 * pages as needed. No item is repeated, even if items are added meanwhile. If items are removed or stop matching a filter
 * meanwhile, the rest move up and one may be missed: if you change what you iterate over, collect first, then change.
 */
export type ListPromise<T> = Promise<List<T>> & AsyncIterable<T>;

const PAGE = 100;

/** Requests a list: the first page immediately, the others during iteration. */
export function listOf<T extends { id: string }>(
  api: Api,
  path: string,
  query: ListQuery = {},
  options?: CallOptions,
): ListPromise<T> {
  const fetchPage = (part: ListQuery): Promise<List<T>> =>
    api.send<List<T>>({ method: 'GET', path, query: { ...query, ...part } }, options);
  const first = fetchPage({});
  return Object.assign(first, {
    [Symbol.asyncIterator]: () => itemsOf(first, query, fetchPage),
  });
}

async function* itemsOf<T extends { id: string }>(
  first: Promise<List<T>>,
  { limit = PAGE, offset = 0 }: ListQuery,
  fetchPage: (part: ListQuery) => Promise<List<T>>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let page = await first;
  let next = offset;
  while (page.data.length > 0) {
    for (const item of page.data) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    next += page.data.length;
    if (next >= page.total) return;
    page = await fetchPage({ limit, offset: next });
  }
}
