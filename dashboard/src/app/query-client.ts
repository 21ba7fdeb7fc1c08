import { RecollectError } from '@recollect/sdk';
import { MutationCache, type Query, QueryClient, type QueryFilters } from '@tanstack/react-query';

const FRESH_MS = 10_000;
const MAX_RETRIES = 2;

/** Whether a retry makes sense: not after a refusal, but after a network failure or an error of the service. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  if (failures >= MAX_RETRIES) return false;
  return !(error instanceof RecollectError) || error.status >= 500;
}

/** The cache of all responses. Every successful mutation refetches all of them. */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: isWorthAnotherTry, retryDelay: (n) => 500 * 2 ** n },
    mutations: { retry: false },
  },
  mutationCache: new MutationCache({
    onSuccess: () => {
      void renew(queryClient);
    },
  }),
});

/**
 * Refetches the matching queries because something has changed; resolves when the data has arrived. A query in its first fetch
 * may have been read before the change, and the library neither refetches nor remembers it. So its fetch completes, and then
 * runs once more. If it were cancelled, changes that come faster than responses would keep its page waiting forever. The same
 * holds for a list that fetches its next page: cancelled, it would leave whoever asked for more without it.
 */
export async function renew(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const all = client.getQueryCache().findAll(filters);
  const coming = new Set(all.filter(isAwaited));
  await Promise.all([
    client.invalidateQueries({ predicate: (query) => all.includes(query) && !coming.has(query) }),
    ...[...coming].map((query) => renewWhenHere(client, query)),
  ]);
}

const isAwaited = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' &&
  (state.data === undefined || state.fetchMeta?.fetchMore !== undefined);

async function renewWhenHere(client: QueryClient, query: Query): Promise<void> {
  try {
    await query.fetch(); // joins the fetch in progress
  } catch {
    return; // no outdated data has arrived; the page shows the error, and a retry reads again
  }
  // A fetch that started since then was also sent after the change.
  await client.invalidateQueries({ predicate: (one) => one === query }, { cancelRefetch: false });
}
