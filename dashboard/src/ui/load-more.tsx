import { Button } from './button.tsx';

/** The part of a useInfiniteQuery result that LoadMore needs. */
interface Continued {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** The button that fetches the next page of a list; hidden on the last page. */
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
