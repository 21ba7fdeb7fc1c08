import { useRefunds } from '../../api/refunds.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ShapedListPage } from '../lists/list-page.tsx';
import { ListTotals } from '../lists/list-totals.tsx';
import { MoneyFilters, useMoneyFilter } from '../lists/money-filters.tsx';
import { REFUND_COLUMNS } from './refunds-table.tsx';

/** Every refund, newest first. */
export function RefundsPage() {
  const { filter, ...url } = useMoneyFilter();
  return (
    <ShapedListPage
      title="Refunds"
      actions={<DownloadCsv of="/api/v1/refunds" filter={{ ...filter }} />}
      filters={<MoneyFilters url={url} done="Refunded" />}
      url={url}
      list="refunds"
      bar={<ListTotals of="/api/v1/refunds" filter={{ ...filter }} noun="refund" />}
      query={useRefunds(filter)}
      columns={REFUND_COLUMNS}
      unmatched={{ title: 'No refunds match', showAll: 'Show all' }}
      empty={{
        title: 'No refunds yet',
        text: 'Open a collected payment to refund it, whole or in part.',
        action: <LinkButton to="/payments">View collected payments</LinkButton>,
      }}
    />
  );
}
