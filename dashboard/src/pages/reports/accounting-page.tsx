import type { Journal, LayoutName } from '../../../../server/src/dashboard/accounting/view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { DayFilter } from '../lists/day-filter.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import '../lists/lists.css';
import { countWords } from '../overview/figures.ts';
import { AccountFilter } from './account-filter.tsx';
import { AddingUp } from './adding-up.tsx';
import { AsOf } from './as-of.tsx';
import { rangeWords } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

/** What to know before the import. */
const ADVICE: Readonly<Record<LayoutName, string>> = {
  xero: 'Xero takes no journal on a bank account: name a clearing account, and code the line of your bank feed to it.',
  quickbooks:
    'Use the names of your chart of accounts, and turn account numbers off in QuickBooks while you import.',
  sage: 'Import the file into Sage 50 as audit trail transactions. The tax code is T9.',
};

const USES = [
  ['bank', 'Bank account'],
  ['payments', 'Payments account'],
  ['refunds', 'Refunds account'],
  ['fees', 'Fees account'],
  ['recalls', 'Recalls account'],
] as const;
const ACCOUNTS = USES.map(([use]) => `account_${use}` as const);
const NAMES = ['layout', 'from', 'to', ...ACCOUNTS] as const;

/** Settlements as journals: chooses days, program and accounts, shows what each account gets, and downloads the file. */
export function AccountingPage() {
  const url = useUrlFilter<(typeof NAMES)[number]>(NAMES);
  const { values, field, set } = url;
  const journal = useReport('journal', values);
  const choose = (layout: string) => {
    for (const account of ACCOUNTS) set(account, ''); // they are of another program
    set('layout', layout);
  };
  return (
    <Page
      title="Accounting"
      lead="Your settlements as journals for your accounting program, with fees and refunds."
      actions={<DownloadCsv of={REPORT_PATHS.journal} filter={values} />}
    >
      <ReportsNav />
      <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
        <FilterSelect
          label="Program"
          value={values.layout}
          onChange={choose}
          options={[
            { value: '', label: 'Xero' },
            { value: 'quickbooks', label: 'QuickBooks Online' },
            { value: 'sage', label: 'Sage 50' },
          ]}
        />
        <DayFilter label="Paid out from" {...field('from')} />
        <DayFilter label="Paid out to" {...field('to')} />
        {USES.map(([use, label]) => (
          <AccountFilter
            key={use}
            label={label}
            usual={journal.data?.accounts[use] ?? ''}
            {...field(`account_${use}`)}
          />
        ))}
      </Filters>
      <QueryView query={journal} skeleton={<AddingUp />}>
        {(found) => <ByAccount of={found} />}
      </QueryView>
    </Page>
  );
}

type Sum = Journal['sums'][number];

function ByAccount({ of: journal }: { of: Journal }) {
  const { sums, currency, from, to, layout } = journal;
  const days = rangeWords(from, to);
  if (sums.length === 0)
    return (
      <Card>
        <Empty title="Nothing was paid out">No settlement was paid out in {days}.</Empty>
      </Card>
    );
  const side = (header: string, of: (sum: Sum) => number) => ({
    header,
    align: 'end' as const,
    cell: (sum: Sum) => (of(sum) === 0 ? '–' : <Money amount={{ value: of(sum), currency }} />),
    total: <Money amount={{ value: sums.reduce((all, sum) => all + of(sum), 0), currency }} />,
  });
  return (
    <div className="stack">
      <Card title="By account" lead={leadOf(journal, days)} isFlush>
        <DataTable<Sum>
          label="Journals by account"
          rows={sums}
          rowKey={(sum) => sum.account}
          columns={[
            { header: 'Account', cell: (sum) => sum.account, total: 'Total' },
            side('Debit', (sum) => sum.debit),
            side('Credit', (sum) => sum.credit),
          ]}
        />
      </Card>
      <p>{ADVICE[layout]}</p>
      <AsOf at={journal.as_of} />
    </div>
  );
}

function leadOf({ pay_outs, came_back, paid_out, currency }: Journal, days: string): string {
  const back = came_back === 0 ? '' : `, ${countWords(came_back, 'pay-out')} came back`;
  const sum = formatMoney({ value: paid_out, currency });
  return `${days}: ${countWords(pay_outs, 'settlement')} paid out${back}, ${sum} together.`;
}
