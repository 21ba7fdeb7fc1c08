import type { Api, CallOptions } from './api.ts';
import type { List, ListQuery } from './wire.ts';

/**
 * A list that was asked for. Awaited, it is the page; iterated (`for await`), it is every item from that page on, with
 * further pages fetched as they are needed. No item comes twice, whatever is added meanwhile. What is removed
 * meanwhile, or no longer fits a filter, moves the rest up, so that an item may be missed: where you change what you
 * iterate over, collect first and change then.
 */
export type ListPromise<T> = Promise<List<T>> & AsyncIterable<T>;

const PAGE = 100;

/** Asks for a list: the first page at once, the others when iterated. */
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
