import type { ReactNode } from 'react';
import type { SavedView } from '../../api/saved-views.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { ListCard, type ListCardProps } from '../../ui/data/list-card.tsx';
import { Page } from '../../ui/page.tsx';
import type { ListColumn } from './columns.ts';
import { Filters } from './filters.tsx';
import { ListTools } from './list-tools.tsx';
import type { SortChoice } from './sort-select.tsx';
import type { UrlFilter } from './url-filter.ts';
import { useColumns } from './use-columns.ts';
import './lists.css';

/** What a list says instead of rows. */
interface Nothing {
  title: string;
  text?: ReactNode;
}

interface ListPageProps<T> extends Omit<ListCardProps<T>, 'title' | 'empty'> {
  title: string;
  /** The tabs of pages that belong together. */
  nav?: ReactNode;
  /** The fields that filter the list; they go with `url`. */
  filters?: ReactNode;
  url?: Pick<UrlFilter<never>, 'isNarrowed' | 'clear'>;
  /** What stands between the filters and the list. */
  tools?: ReactNode;
  /** What is known of all rows that match, and what can be done with those that are ticked. */
  bar?: ReactNode;
  /** How the first row comes about; absent: there is always one. */
  empty?: Nothing & { action?: ReactNode };
  /** No row passes the filter. `showAll` is the label of the button that clears it. */
  unmatched?: Nothing & { showAll?: string };
}

/** A page with a list: its title, tabs, filters and tools, then the rows, or why there are none. */
export function ListPage<T extends { id: string }>(props: ListPageProps<T>) {
  const { title, lead, actions, nav, filters, url, tools, bar, ...rest } = props;
  const { children, empty, unmatched, ...list } = rest;
  const nothing =
    empty === undefined ? undefined : <NothingFound empty={empty} {...{ url, unmatched }} />;
  return (
    <Page title={title} lead={lead} actions={actions}>
      {nav}
      {filters === undefined || url === undefined ? null : (
        <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
          {filters}
        </Filters>
      )}
      {tools}
      {bar}
      <ListCard label={title} lines={8} {...list} empty={nothing} />
      {children}
    </Page>
  );
}

type NothingFoundProps = Pick<ListPageProps<never>, 'url' | 'unmatched'> &
  Required<Pick<ListPageProps<never>, 'empty'>>;

function NothingFound({ url, empty, unmatched }: NothingFoundProps) {
  if (url?.isNarrowed && unmatched !== undefined) {
    const { title, text, showAll } = unmatched;
    const clear = showAll === undefined ? null : <Button onPress={url.clear}>{showAll}</Button>;
    return (
      <Empty title={title} action={clear}>
        {text}
      </Empty>
    );
  }
  return (
    <Empty title={empty.title} action={empty.action}>
      {empty.text}
    </Empty>
  );
}

interface ShapedListPageProps<T> extends ListPageProps<T> {
  /** What the saved views and the chosen columns belong to. */
  list: SavedView['list'];
  columns: readonly ListColumn<T>[];
  /** Absent: the list has one order only. */
  sorts?: readonly SortChoice[];
  url: UrlFilter<never>;
}

/** A page with a list whose filter a team saves, and whose sort and columns a person chooses. */
export function ShapedListPage<T extends { id: string }>(props: ShapedListPageProps<T>) {
  const { list, sorts, ...page } = props;
  const columns = useColumns(list, page.columns, page.url);
  return (
    <ListPage<T>
      {...page}
      columns={columns.shown}
      tools={<ListTools list={list} columns={columns} sorts={sorts} url={page.url} />}
    />
  );
}
