import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Card } from '../card.tsx';
import { type Column, DataTable, type RowSelection } from './data-table.tsx';
import { QueryView } from './query-view.tsx';
import { Skeleton } from './skeleton.tsx';

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

/** A list that is fetched page by page, with `useList`. */
interface Listed<T> extends Continued {
  data: readonly T[] | undefined;
  error: unknown;
  isError: boolean;
  refetch: () => unknown;
}

export interface ListCardProps<T> {
  /** The heading of the card; absent: the page's own. */
  title?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** What the table contains, for screen readers; absent: the title. */
  label?: string;
  query: Listed<T>;
  columns: readonly Column<T>[];
  /** The page of a row is this path, then the row's id. */
  rowPath?: string;
  /** Absent: rows cannot be ticked. */
  selection?: RowSelection<T> | undefined;
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
  /** How many lines stand in for the table while it loads. */
  lines?: number;
  /** Follows the list, such as the dialogs of its rows. */
  children?: ReactNode;
}

/** A table of rows that are fetched page by page, in a card: while it loads, if it fails, without rows, and with more. */
export function ListCard<T extends { id: string }>(props: ListCardProps<T>) {
  const { title, query, rowPath, empty } = props;
  return (
    <Card title={title} lead={props.lead} actions={props.actions} isFlush>
      <QueryView query={query} skeleton={<Skeleton lines={props.lines ?? 4} />}>
        {(rows) =>
          rows.length === 0 && empty !== undefined ? (
            empty
          ) : (
            <>
              <DataTable<T>
                label={props.label ?? title ?? ''}
                rows={rows}
                rowKey={({ id }) => id}
                rowHref={rowPath === undefined ? undefined : ({ id }) => `${rowPath}/${id}`}
                columns={props.columns}
                selection={props.selection}
              />
              <LoadMore query={query} />
            </>
          )
        }
      </QueryView>
      {props.children}
    </Card>
  );
}
