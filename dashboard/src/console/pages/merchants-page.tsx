import { Filters } from '../../pages/lists/filters.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useMerchants } from '../api/merchants.ts';
import { For } from '../session.tsx';
import { MerchantTable } from './merchant-table.tsx';

const NAMES = ['q', 'hold'] as const;
const HOLDS = [
  { value: '', label: 'All merchants' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'pay_outs', label: 'Pay-outs held' },
];

/** /merchants */
export function MerchantsPage() {
  const { values, set, clear, isNarrowed } = useUrlFilter(NAMES);
  const merchants = useMerchants({ q: values.q, hold: values.hold });
  return (
    <Page
      title="Merchants"
      actions={
        <For may="payments">
          <LinkButton variant="primary" to="/merchants/new">
            New merchant
          </LinkButton>
        </For>
      }
    >
      <Filters isNarrowed={isNarrowed} onClear={clear}>
        <SearchField
          label="Search merchants"
          placeholder="Name, email or id"
          value={values.q}
          onChange={(text) => set('q', text)}
        />
        <FilterSelect
          label="On hold"
          value={values.hold}
          onChange={(hold) => set('hold', hold)}
          options={HOLDS}
        />
      </Filters>
      <QueryView query={merchants}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title={isNarrowed ? 'No merchants match' : 'No merchants yet'} />
            </Card>
          ) : (
            <Card isFlush>
              <MerchantTable rows={data} />
              <LoadMore query={merchants} />
            </Card>
          )
        }
      </QueryView>
    </Page>
  );
}
