import type { RefundStatus } from '@recollect/sdk';
import { useRefunds } from '../../api/refunds.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Filters } from '../lists/filters.tsx';
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
              <NothingFound isNarrowed={status !== undefined} onClear={url.clear} />
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

function NothingFound({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  return isNarrowed ? (
    <Empty
      title="No refunds match"
      action={
        <Button variant="secondary" onPress={onClear}>
          Show all
        </Button>
      }
    />
  ) : (
    <Empty
      title="No refunds yet"
      action={<LinkButton to="/payments">View collected payments</LinkButton>}
    >
      Open a collected payment to refund it, whole or in part.
    </Empty>
  );
}
