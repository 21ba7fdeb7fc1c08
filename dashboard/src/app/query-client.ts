import { RecollectError } from '@recollect/sdk';
import { MutationCache, QueryClient } from '@tanstack/react-query';

const FRESH_MS = 10_000;
const MOST_RETRIES = 2;

/** An answer that says no says it again; what failed on the way, or inside the service, may succeed. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  if (failures >= MOST_RETRIES) return false;
  return !(error instanceof RecollectError) || error.status >= 500;
}

/** The cache of all answers. Every mutation that succeeds has all of them fetched anew. */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH_MS, retry: isWorthAnotherTry, retryDelay: (n) => 500 * 2 ** n },
    mutations: { retry: false },
  },
  mutationCache: new MutationCache({
    onSuccess: () => {
      void queryClient.invalidateQueries();
    },
  }),
});
