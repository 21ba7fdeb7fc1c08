import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { DayFilter } from '../lists/day-filter.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { type UrlFilter, useUrlFilter } from '../lists/url-filter.ts';
import '../lists/lists.css';
import { countWords } from '../overview/figures.ts';
import { AddingUp } from './adding-up.tsx';
import { AmountCell } from './amount-cell.tsx';
import { AsOf } from './as-of.tsx';
import { failedPayments, isAny, rangeWords, shareWords } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

type Name = 'from' | 'to' | 'by';
type Reason = FailureReport['reasons'][number];
type Line = FailureReport['lines'][number];

const BY = [
  { value: '', label: 'By week' },
  { value: 'month', label: 'By month' },
];

/** The payments that failed, by reason and over time, and how many of them a retry recovered. */
export function FailuresPage() {
  const url = useUrlFilter<Name>(['from', 'to', 'by']);
  const { from, to } = url.values;
  const filter = { from, to, by: url.values.by === 'month' ? 'month' : '' };
  const report = useReport('failures', filter);
  return (
    <Page
      title="Reports"
      lead="Payments that failed at least once, by the reason of their last failure and by due date."
      actions={<DownloadCsv of={REPORT_PATHS.failures} filter={filter} />}
    >
      <ReportsNav />
      <FailureFilters {...url} />
      <QueryView query={report} skeleton={<AddingUp />}>
        {(found) => <Failures report={found} />}
      </QueryView>
    </Page>
  );
}

function FailureFilters({ field, clear, isNarrowed }: UrlFilter<Name>) {
  return (
    <Filters isNarrowed={isNarrowed} onClear={clear}>
      <DayFilter label="Due from" {...field('from')} />
      <DayFilter label="Due to" {...field('to')} />
      <FilterSelect label="Periods" {...field('by')} options={BY} />
    </Filters>
  );
}

function Failures({ report }: { report: FailureReport }) {
  const { total, reasons, lines, currency } = report;
  if (!isAny(total.failed))
    return (
      <Card>
        <Empty title="No failures">
          No payment due {rangeWords(report.from, report.to)} has failed.
        </Empty>
      </Card>
    );
  return (
    <div className="stack">
      <Card title="By reason" lead={summaryOf(report)} isFlush>
        <DataTable<Reason>
          label="Failures by reason"
          rows={reasons}
          rowKey={(row) => row.reason}
          columns={[
            { header: 'Reason', cell: (row) => row.message },
            ...outcomes<Reason>(currency, () => report),
          ]}
        />
      </Card>
      <Card title={report.by === 'week' ? 'Week by week' : 'Month by month'} isFlush>
        <DataTable<Line>
          label="Failures over time"
          rows={lines.toReversed()}
          rowKey={(row) => `${row.from} ${row.reason}`}
          columns={[
            {
              header: 'Due',
              cell: (row) => <span className="nowrap">{rangeWords(row.from, row.to)}</span>,
            },
            { header: 'Reason', cell: (row) => <span className="sentence">{row.message}</span> },
            ...outcomes<Line>(currency, (row) => row),
          ]}
        />
      </Card>
      <AsOf at={report.as_of} />
    </div>
  );
}

/** Returns the columns of the outcomes of failures; `daysOf` a row: when they were due. */
function outcomes<T extends Reason>(
  currency: string,
  daysOf: (row: T) => { from: string; to: string },
) {
  const column = (header: string, of: (row: T) => Reason['lost'], toOf?: (row: T) => string) => ({
    header,
    align: 'end' as const,
    cell: (row: T) => (
      <AmountCell
        sum={of(row)}
        currency={currency}
        {...(toOf === undefined ? {} : { to: toOf(row) })}
      />
    ),
  });
  return [
    column('Failed', (row) => row.failed),
    column('Recovered', (row) => row.recovered),
    column('Still open', (row) => row.waiting),
    column(
      'Lost',
      (row) => row.lost,
      (row) => failedPayments({ ...daysOf(row), reason: row.reason }),
    ),
    {
      header: 'Recovered share',
      align: 'end' as const,
      cell: (row: T) => shareWords(row.recovered_share),
    },
  ];
}

function summaryOf({ total, from, to, currency }: FailureReport): string {
  const sum = (value: number) => formatMoney({ value, currency });
  const failed = `${countWords(total.failed.count, 'payment')} totalling ${sum(total.failed.value)}`;
  const share = total.recovered_share === null ? '' : ` (${shareWords(total.recovered_share)})`;
  return `Of what was due ${rangeWords(from, to)}, ${failed} failed; ${sum(total.recovered.value)}${share} was recovered.`;
}
