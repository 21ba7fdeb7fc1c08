import type { RefundStatus } from '@recollect/sdk';
import { useRefunds } from '../../api/refunds.ts';
import { Card } from '../../ui/card.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Filters } from '../lists/filters.tsx';
import { NothingFound } from '../lists/nothing-found.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import { RefundsTable } from './refunds-table.tsx';
import '../lists/lists.css';

const STATUSES: readonly RefundStatus[] = ['pending', 'processing', 'success', 'failed'];

/** Every refund, newest first. */
export function RefundsPage() {
  const url = useUrlFilter(['status']);
  const status = STATUSES.find((one) => one === url.values.status);
  const refunds = useRefunds(status);
  return (
    <Page title="Refunds">
      <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
        <FilterSelect
          label="Status"
          value={status ?? ''}
          onChange={(value) => url.set('status', value)}
          options={[
            { value: '', label: 'All statuses' },
            { value: 'pending', label: 'Pending' },
            { value: 'processing', label: 'In progress' },
            { value: 'success', label: 'Refunded' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
      </Filters>
      <Card isFlush>
        <QueryView query={refunds}>
          {({ data }) =>
            data.length === 0 ? (
              <NothingFound of="refunds" isNarrowed={status !== undefined} onClear={url.clear}>
                Open a collected payment to refund it, whole or in part.
              </NothingFound>
            ) : (
              <>
                <RefundsTable rows={data} isOfOnePayment={false} />
                <LoadMore query={refunds} />
              </>
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}
