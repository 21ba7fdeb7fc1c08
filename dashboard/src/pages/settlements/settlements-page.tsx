import type { Settlement } from '@recollect/sdk';
import { useSettlements } from '../../api/settlements.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ShapedListPage } from '../lists/list-page.tsx';
import { ListTotals } from '../lists/list-totals.tsx';
import { MoneyFilters, useMoneyFilter } from '../lists/money-filters.tsx';
import { accountText } from './settlement-words.ts';
import { StatementReference } from './statement-reference.tsx';

const COLUMNS: readonly ListColumn<Settlement>[] = [
  {
    key: 'date',
    header: 'Date',
    cell: (settlement) => dayWords(settlement.settlement_date, 'medium'),
  },
  {
    key: 'status',
    header: 'Status',
    cell: (settlement) => <StatusBadge status={settlement.status} of="settlement" />,
  },
  {
    key: 'reference',
    header: 'On your statement',
    cell: ({ statement_reference: reference }) => <StatementReference value={reference} />,
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
  const { filter: narrowed, ...url } = useMoneyFilter();
  const filter = { ...narrowed, ...(url.values.q === '' ? {} : { q: url.values.q }) };
  return (
    <ShapedListPage
      title="Settlements"
      actions={
        <>
          <LinkButton to="/settlements/match">Match a statement</LinkButton>
          <DownloadCsv of="/api/v1/settlements" filter={{ ...filter }} />
        </>
      }
      filters={
        <>
          <SearchField label="Search settlements" placeholder="Reference" {...url.field('q')} />
          <MoneyFilters url={url} done="Paid out" />
        </>
      }
      url={url}
      list="settlements"
      bar={<ListTotals of="/api/v1/settlements" filter={{ ...filter }} noun="settlement" />}
      query={useSettlements(filter)}
      columns={COLUMNS}
      rowPath="/settlements"
      unmatched={{ title: 'No settlements match', showAll: 'Show all' }}
      empty={{
        title: 'No settlements yet',
        text: (
          <>
            What you collect on one business day is paid out in one sum on the next, at 06:00 London
            time.
          </>
        ),
        action: <LinkButton to="/payments">View collected payments</LinkButton>,
      }}
    />
  );
}
