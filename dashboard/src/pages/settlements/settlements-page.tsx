import type { Settlement } from '@recollect/sdk';
import { useSettlements } from '../../api/settlements.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Id } from '../../ui/id.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ListTools } from '../lists/list-tools.tsx';
import { MoneyFilters, useMoneyFilter } from '../lists/money-filters.tsx';
import { NothingFound } from '../lists/nothing-found.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { accountText, dateText } from './settlement-words.ts';
import '../lists/lists.css';

const COLUMNS: readonly ListColumn<Settlement>[] = [
  { key: 'date', header: 'Date', cell: (settlement) => dateText(settlement.settlement_date) },
  {
    key: 'status',
    header: 'Status',
    cell: (settlement) => <StatusBadge status={settlement.status} of="settlement" />,
  },
  {
    key: 'account',
    header: 'Paid to',
    cell: (settlement) => accountText(settlement.destination_account),
  },
  {
    key: 'collected',
    header: 'Collected',
    align: 'end',
    isExtra: true,
    cell: ({ gross }) => <Money amount={gross} />,
  },
  {
    key: 'refunds',
    header: 'Refunds',
    align: 'end',
    isExtra: true,
    cell: ({ refunds }) => <Money amount={refunds} />,
  },
  {
    key: 'fees',
    header: 'Fees',
    align: 'end',
    isExtra: true,
    cell: ({ fees }) => <Money amount={fees} />,
  },
  { key: 'id', header: 'ID', isExtra: true, cell: ({ id }) => <Id value={id} /> },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

/** Every settlement, newest first. */
export function SettlementsPage() {
  const { filter, ...url } = useMoneyFilter();
  const settlements = useSettlements(filter);
  const columns = useColumns('settlements', COLUMNS, url);
  return (
    <Page
      title="Settlements"
      actions={<DownloadCsv of="/api/v1/settlements" filter={{ ...filter }} />}
    >
      <MoneyFilters url={url} done="Paid out" />
      <ListTools list="settlements" columns={columns} url={url} />
      <Card isFlush>
        <QueryView query={settlements}>
          {({ data }) =>
            data.length === 0 ? (
              <NothingFound of="settlements" isNarrowed={url.isNarrowed} onClear={url.clear}>
                What you collect on one business day is paid out in one sum on the next, at 06:00
                London time.
              </NothingFound>
            ) : (
              <>
                <DataTable<Settlement>
                  label="Settlements"
                  rows={data}
                  rowKey={(settlement) => settlement.id}
                  rowHref={(settlement) => `/settlements/${settlement.id}`}
                  columns={columns.shown}
                />
                <LoadMore query={settlements} />
              </>
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}
