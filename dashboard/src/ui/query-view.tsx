import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Skeleton } from './skeleton.tsx';

/** What QueryView needs of a query; both useQuery and useInfiniteQuery answer it. */
interface Viewable<T> {
  data: T | undefined;
  error: unknown;
  isError: boolean;
  refetch: () => unknown;
}

interface QueryViewProps<T> {
  query: Viewable<T>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/** A skeleton while the answer is on its way, then what it says; or why there is none, with another try. */
export function QueryView<T>({ query, skeleton, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return skeleton ?? <Skeleton lines={4} />;
}
