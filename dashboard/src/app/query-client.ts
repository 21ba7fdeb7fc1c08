import { RecollectError } from '@recollect/sdk';
import { MutationCache, type Query, QueryClient, type QueryFilters } from '@tanstack/react-query';

const FRESH_MS = 10_000;
const MOST_RETRIES = 2;

/** An answer that says no says it again; what failed on the way, or inside the service, may succeed. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  if (failures >= MOST_RETRIES) return false;
  return !(error instanceof RecollectError) || error.status >= 500;
}

/** The cache of all answers. Every mutation that succeeds has all of them refetched. */
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
 * Has what fits refetched, because something has changed; answers when it has come. What is on its way for the first time
 * may have been read before the change, and the library neither asks again nor remembers: so that is let arrive, and fetched
 * once more. Were it cancelled, news that come faster than an answer would keep its page waiting for ever.
 */
export async function renew(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const coming = client.getQueryCache().findAll(filters).filter(isFirstOnItsWay);
  await Promise.all([
    client.invalidateQueries(filters),
    ...coming.map((query) => renewWhenHere(client, query)),
  ]);
}

const isFirstOnItsWay = ({ state }: Query): boolean =>
  state.data === undefined && state.fetchStatus === 'fetching';

async function renewWhenHere(client: QueryClient, query: Query): Promise<void> {
  try {
    await query.fetch(); // joins the fetch that is under way
  } catch {
    return; // nothing old has come; the page says so, and another try reads again
  }
  // What somebody else has begun since then was asked for after the change as well.
  await client.invalidateQueries({ predicate: (one) => one === query }, { cancelRefetch: false });
}
