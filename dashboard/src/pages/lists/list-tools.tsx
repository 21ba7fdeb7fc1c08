import type { SavedView } from '../../api/saved-views.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { SavedViews } from './saved-views.tsx';
import { type SortChoice, SortSelect } from './sort-select.tsx';
import type { UrlFilter } from './url-filter.ts';
import type { ShownColumns } from './use-columns.ts';
import './lists.css';

interface ListToolsProps<T> {
  list: SavedView['list'];
  columns: ShownColumns<T>;
  /** Absent: the list has one order only. */
  sorts?: readonly SortChoice[];
  url: Pick<UrlFilter<never>, 'values' | 'set'>;
}

/** What stands above a list: the saved views, the sort and the columns. */
export function ListTools<T>({ list, columns, sorts, url }: ListToolsProps<T>) {
  return (
    <div className="list-tools">
      <SavedViews list={list} />
      <div className="list-shape">
        {sorts === undefined ? null : <SortSelect sorts={sorts} url={url} />}
        <ColumnChooser {...columns} />
      </div>
    </div>
  );
}
