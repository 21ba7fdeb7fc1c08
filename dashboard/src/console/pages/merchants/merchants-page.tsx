import { ListPage } from '../../../pages/lists/list-page.tsx';
import { useUrlFilter } from '../../../pages/lists/url-filter.ts';
import { FilterSelect } from '../../../ui/fields/filter-select.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { useMerchants } from '../../api/merchants.ts';
import { For } from '../../session.tsx';
import { MERCHANT_COLUMNS } from './merchant-table.tsx';

const NAMES = ['q', 'hold'] as const;
const HOLDS = [
  { value: '', label: 'All merchants' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'pay_outs', label: 'Pay-outs held' },
];

/** /merchants */
export function MerchantsPage() {
  const url = useUrlFilter(NAMES);
  const { values, field } = url;
  return (
    <ListPage
      title="Merchants"
      actions={
        <For may="payments">
          <LinkButton variant="primary" to="/merchants/new">
            New merchant
          </LinkButton>
        </For>
      }
      filters={
        <>
          <SearchField label="Search merchants" placeholder="Name, email or id" {...field('q')} />
          <FilterSelect label="On hold" {...field('hold')} options={HOLDS} />
        </>
      }
      url={url}
      query={useMerchants({ q: values.q, hold: values.hold })}
      columns={MERCHANT_COLUMNS}
      rowPath="/merchants"
      unmatched={{ title: 'No merchants match' }}
      empty={{ title: 'No merchants yet' }}
    />
  );
}
