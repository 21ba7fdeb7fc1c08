import { useRefunds } from '../../api/refunds.ts';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ListTools } from '../lists/list-tools.tsx';
import { MoneyFilters, useMoneyFilter } from '../lists/money-filters.tsx';
import { NothingFound } from '../lists/nothing-found.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { REFUND_COLUMNS, RefundsTable } from './refunds-table.tsx';
import '../lists/lists.css';

/** Every refund, newest first. */
export function RefundsPage() {
  const { filter, ...url } = useMoneyFilter();
  const refunds = useRefunds(filter);
  const columns = useColumns('refunds', REFUND_COLUMNS, url);
  return (
    <Page title="Refunds" actions={<DownloadCsv of="/api/v1/refunds" filter={{ ...filter }} />}>
      <MoneyFilters url={url} done="Refunded" />
      <ListTools list="refunds" columns={columns} url={url} />
      <Card isFlush>
        <QueryView query={refunds}>
          {({ data }) =>
            data.length === 0 ? (
              <NothingFound of="refunds" isNarrowed={url.isNarrowed} onClear={url.clear}>
                Open a collected payment to refund it, whole or in part.
              </NothingFound>
            ) : (
              <>
                <RefundsTable rows={data} columns={columns.shown} />
                <LoadMore query={refunds} />
              </>
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}
