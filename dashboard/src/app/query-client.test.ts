import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { renew } from './query-client.ts';

test('a change that comes while the next page of a list is fetched takes that page from nobody', async () => {
  const client = new QueryClient();
  client.mount();
  const second = Promise.withResolvers<string>();
  const asked: number[] = [];
  const list = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => {
      asked.push(pageParam);
      return pageParam === 2 && !asked.slice(0, -1).includes(2)
        ? second.promise
        : `page ${pageParam}`;
    },
    getNextPageParam: (_last, all) => (all.length < 2 ? all.length + 1 : undefined),
  });
  const stop = list.subscribe(() => undefined);
  await list.fetchOptimistic(list.options);
  const more = list.fetchNextPage();
  const renewed = renew(client);
  second.resolve('page 2, before the change');
  await Promise.all([more, renewed]);
  assert.deepEqual(list.getCurrentResult().data?.pages, ['page 1', 'page 2']);
  assert.deepEqual(asked, [1, 2, 1, 2]);
  stop();
  client.unmount();
});
