import { ListPage } from '../../pages/lists/list-page.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { capitalised } from '../../pages/schedules/form/frequency-words.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { Money } from '../../ui/values/money.tsx';
import { type Item, useItems } from '../api/unallocated.ts';
import { ItemState } from './item-state.tsx';

const OPTIONS = [
  { value: '', label: 'Open' },
  { value: 'all', label: 'All' },
];

const COLUMNS: readonly Column<Item>[] = [
  { header: 'Why', cell: ({ why }) => capitalised(why) },
  { header: 'State', cell: (item) => <ItemState item={item} /> },
  { header: 'Age', cell: ({ age }) => age },
  {
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

/** /unallocated */
export function UnallocatedPage() {
  const url = useUrlFilter(['status']);
  const { status } = url.values;
  return (
    <ListPage
      title="Unallocated money"
      lead="Money that arrived and belongs to no payment, oldest first."
      filters={<FilterSelect label="Status" {...url.field('status')} options={OPTIONS} />}
      url={url}
      query={useItems(status === 'all' ? 'all' : 'open')}
      columns={COLUMNS}
      rowPath="/unallocated"
      empty={{ title: 'No decisions pending' }}
    />
  );
}
