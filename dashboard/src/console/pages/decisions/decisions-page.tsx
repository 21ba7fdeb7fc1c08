import { ListPage } from '../../../pages/lists/list-page.tsx';
import { SortSelect } from '../../../pages/lists/sort-select.tsx';
import { useUrlFilter } from '../../../pages/lists/url-filter.ts';
import { FilterSelect } from '../../../ui/fields/filter-select.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { useDecisions, useDecisionTotals } from '../../api/decisions.ts';
import { DECISION_COLUMNS } from './decision-columns.tsx';
import './decisions.css';

const KINDS = [
  { value: '', label: 'Everything' },
  { value: 'unallocated_money', label: 'Unallocated money' },
  { value: 'payment', label: 'Payments' },
  { value: 'settlement', label: 'Pay-outs' },
  { value: 'refund', label: 'Refunds' },
  { value: 'request', label: 'Second operator' },
  { value: 'account_change', label: 'Settlement accounts' },
  { value: 'difference', label: 'Differences' },
  { value: 'hold', label: 'Holds' },
  { value: 'fee_transfer', label: 'Fees' },
  { value: 'cover', label: 'Recalls' },
  { value: 'consent', label: 'Set-ups' },
  { value: 'wallet', label: 'Wallets' },
  { value: 'bank_deletion', label: 'Deletions at banks' },
  { value: 'bank', label: 'Banks' },
  { value: 'delivery', label: 'Webhooks' },
  { value: 'notice', label: 'Notices' },
];

const SORTS = [
  { value: '', label: 'Oldest first' },
  { value: '-amount', label: 'Greatest first' },
];

/** /decisions */
export function DecisionsPage() {
  const url = useUrlFilter(['q', 'kind']);
  const { q, kind, sort } = url.values;
  const totals = useDecisionTotals({ q, kind });
  const { total = 0, total_amount: sum } = totals.data ?? {};
  const words = `${total} ${total === 1 ? 'decision' : 'decisions'}`;
  return (
    <ListPage
      title="Needs a decision"
      lead="Everything that waits for a person, each thing once."
      filters={
        <>
          <SearchField
            label="Search decisions"
            placeholder="Amount, ID or merchant"
            {...url.field('q')}
          />
          <FilterSelect label="About" {...url.field('kind')} options={KINDS} />
          <SortSelect sorts={SORTS} url={url} />
        </>
      }
      url={url}
      bar={
        total === 0 ? undefined : (
          <p className="quiet">
            {sum === undefined || sum.value === 0 ? words : `${words}, ${formatMoney(sum)}`}
          </p>
        )
      }
      query={useDecisions({ q, kind, sort })}
      columns={DECISION_COLUMNS}
      rowPath="/decisions"
      empty={{ title: 'No decisions pending' }}
      unmatched={{ title: 'No decisions match', showAll: 'Show everything' }}
    />
  );
}
