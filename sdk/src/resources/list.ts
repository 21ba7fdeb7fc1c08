import type { Api, CallOptions } from '../api.ts';
import type { List, ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';

/**
 * A requested list. Awaited, it is the first page; iterated (`for await`), it is every item from that page on, fetching further
 * pages by cursor as needed. No item is repeated and none is missed, even if items are added or removed meanwhile. An item whose
 * place in the order changes may come again or not at all.
 */
export type ListPromise<T> = Reply<List<T>> &
  AsyncIterable<T> & {
    /** Returns up to `most` items as an array. */
    toArray(most: number): Promise<T[]>;
  };

const PAGE = 100;

/** Requests a list: the first page immediately, the others during iteration. */
export function listOf<T>(
  api: Api,
  path: string,
  query: ListQuery = {},
  options?: CallOptions,
): ListPromise<T> {
  const first = api.send<List<T>>({ method: 'GET', path, query }, options);
  const fetchNext = (after: string): Promise<List<T>> => {
    // A cursor takes the place of an offset, and by cursor nothing is added up.
    const { offset: _, sum: __, ...filter } = query as ListQuery & { sum?: boolean };
    return api.send({ method: 'GET', path, query: { limit: PAGE, ...filter, after } }, options);
  };
  const iterate = (): AsyncGenerator<T, void, undefined> => itemsOf(first, fetchNext);
  return Object.assign(first, {
    [Symbol.asyncIterator]: iterate,
    toArray: (most: number) => gathered(iterate(), most),
  });
}

async function gathered<T>(items: AsyncIterable<T>, most: number): Promise<T[]> {
  const found: T[] = [];
  if (most < 1) return found;
  for await (const item of items) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}

async function* itemsOf<T>(
  first: Promise<List<T>>,
  fetchNext: (after: string) => Promise<List<T>>,
): AsyncGenerator<T, void, undefined> {
  let page = await first;
  yield* page.data;
  while (page.next_cursor !== undefined) {
    page = await fetchNext(page.next_cursor);
    yield* page.data;
  }
}
