import { Filters } from '../../pages/lists/filters.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { capitalised } from '../../pages/schedules/form/frequency-words.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Item, useItems } from '../api/unallocated.ts';
import { ItemState } from './item-state.tsx';

const OPTIONS = [
  { value: '', label: 'Open' },
  { value: 'all', label: 'All' },
];

/** /unallocated */
export function UnallocatedPage() {
  const { values, set, clear, isNarrowed } = useUrlFilter(['status']);
  const items = useItems(values.status === 'all' ? 'all' : 'open');
  return (
    <Page
      title="Unallocated money"
      lead="Money that arrived and belongs to no payment, oldest first."
    >
      <Filters isNarrowed={isNarrowed} onClear={clear}>
        <FilterSelect
          label="Status"
          value={values.status}
          onChange={(status) => set('status', status)}
          options={OPTIONS}
        />
      </Filters>
      <QueryView query={items}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title="Nothing waits for a decision" />
            </Card>
          ) : (
            <Card isFlush>
              <DataTable<Item>
                label="Unallocated money"
                rows={data}
                rowKey={({ item_id }) => item_id}
                rowHref={({ item_id }) => `/unallocated/${item_id}`}
                columns={[
                  { header: 'Why', cell: ({ why }) => capitalised(why) },
                  { header: 'State', cell: (item) => <ItemState item={item} /> },
                  { header: 'Age', cell: ({ age }) => age },
                  {
                    header: 'Amount',
                    align: 'end',
                    cell: ({ amount }) => <Money amount={amount} />,
                  },
                ]}
              />
              <LoadMore query={items} />
            </Card>
          )
        }
      </QueryView>
    </Page>
  );
}
