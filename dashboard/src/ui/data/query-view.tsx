import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Skeleton } from './skeleton.tsx';

/** The part of a query that QueryView needs; both useQuery and useInfiniteQuery return it. */
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

/** Shows a skeleton while loading, then the data; or the error, with a retry. */
export function QueryView<T>({ query, skeleton, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return skeleton ?? <Skeleton lines={4} />;
}
