import type { Settlement, SettlementStatus } from '@recollect/sdk';
import { useSettlements } from '../../api/settlements.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { NothingFound } from '../lists/nothing-found.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import { accountText, dateText } from './settlement-words.ts';
import '../lists/lists.css';

const STATUSES: readonly SettlementStatus[] = ['pending', 'processing', 'success', 'failed'];

/** Every settlement, newest first. */
export function SettlementsPage() {
  const url = useUrlFilter(['status']);
  const status = STATUSES.find((one) => one === url.values.status);
  const settlements = useSettlements(status);
  return (
    <Page
      title="Settlements"
      actions={<DownloadCsv of="/api/v1/settlements" filter={{ status }} />}
    >
      <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
        <FilterSelect
          label="Status"
          value={status ?? ''}
          onChange={(value) => url.set('status', value)}
          options={[
            { value: '', label: 'All statuses' },
            { value: 'pending', label: 'Pending' },
            { value: 'processing', label: 'In progress' },
            { value: 'success', label: 'Paid out' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
      </Filters>
      <Card isFlush>
        <QueryView query={settlements}>
          {({ data }) =>
            data.length === 0 ? (
              <NothingFound of="settlements" isNarrowed={status !== undefined} onClear={url.clear}>
                What you collect on one business day is paid out in one sum on the next, at 06:00
                London time.
              </NothingFound>
            ) : (
              <>
                <SettlementsTable rows={data} />
                <LoadMore query={settlements} />
              </>
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}

function SettlementsTable({ rows }: { rows: Settlement[] }) {
  return (
    <DataTable<Settlement>
      label="Settlements"
      rows={rows}
      rowKey={(settlement) => settlement.id}
      rowHref={(settlement) => `/settlements/${settlement.id}`}
      columns={[
        { header: 'Date', cell: (settlement) => dateText(settlement.settlement_date) },
        {
          header: 'Status',
          cell: (settlement) => <StatusBadge status={settlement.status} of="settlement" />,
        },
        { header: 'Paid to', cell: (settlement) => accountText(settlement.destination_account) },
        { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
      ]}
    />
  );
}
