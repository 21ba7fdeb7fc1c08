import { Button } from './button.tsx';

/** What LoadMore needs of a result of useInfiniteQuery. */
interface Continued {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** The button that fetches the next page of a list; nothing where there is none. */
export function LoadMore({ query }: { query: Continued }) {
  if (!query.hasNextPage) return null;
  return (
    <div className="load-more">
      {query.isFetchNextPageError ? <p role="alert">Could not load more. Try again.</p> : null}
      <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
