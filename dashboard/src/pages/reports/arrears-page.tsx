import type { AgeingReport } from '../../../../server/src/dashboard/reports/view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { DayFilter } from '../lists/day-filter.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import '../lists/lists.css';
import { countWords } from '../overview/figures.ts';
import { AddingUp } from './adding-up.tsx';
import { AmountCell } from './amount-cell.tsx';
import { AsOf } from './as-of.tsx';
import { failedPayments, isAny } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

type Age = AgeingReport['ages'][number];
type Debtor = AgeingReport['customers'][number];

/** What failed and was not collected since, by how long ago it was due, and by customer. */
export function ArrearsPage() {
  const url = useUrlFilter<'from' | 'to'>(['from', 'to']);
  const { values, field } = url;
  const report = useReport('ageing', values);
  return (
    <Page
      title="Arrears"
      lead="Payments that failed for good and were not collected since, by days overdue."
      actions={<DownloadCsv of={REPORT_PATHS.ageing} filter={values} />}
    >
      <ReportsNav />
      <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
        <DayFilter label="Due from" {...field('from')} />
        <DayFilter label="Due to" {...field('to')} />
      </Filters>
      <QueryView query={report} skeleton={<AddingUp />}>
        {(found) => <Arrears report={found} days={values} />}
      </QueryView>
    </Page>
  );
}

interface ArrearsProps {
  report: AgeingReport;
  days: { from: string; to: string };
}

function Arrears({ report, days }: ArrearsProps) {
  const { ages, total, customers, currency } = report;
  if (!isAny(total))
    return (
      <Card>
        <Empty title="No arrears">Everything that fell due was collected, or still may be.</Empty>
      </Card>
    );
  const sum = formatMoney({ value: total.value, currency });
  const hidden = report.customers_total - customers.length;
  return (
    <div className="stack">
      <Card
        title="By age"
        lead={`${sum} in ${countWords(total.count, 'payment')} is not collected.`}
        isFlush
      >
        <DataTable<Age>
          label="Arrears by age"
          rows={ages}
          rowKey={(age) => age.label}
          columns={[
            { header: 'Age', cell: (age) => age.label },
            {
              header: 'Amount',
              align: 'end',
              cell: (age) => <AmountCell sum={age} currency={currency} to={failedPayments(age)} />,
            },
          ]}
        />
      </Card>
      <Card title="By customer" lead="Largest debt first." isFlush>
        <DataTable<Debtor>
          label="Arrears by customer"
          rows={customers}
          rowKey={(debtor) => debtor.customer.id}
          rowHref={({ customer }) =>
            failedPayments({
              from: days.from || null,
              to: days.to || null,
              customerId: customer.id,
            })
          }
          columns={[
            { header: 'Customer', cell: ({ customer }) => customer.label },
            ...ages.map((age, i) => ({
              header: age.label,
              align: 'end' as const,
              cell: (debtor: Debtor) => <Owed value={debtor.ages[i]?.value ?? 0} of={currency} />,
            })),
            {
              header: 'Total',
              align: 'end',
              cell: ({ total: { value } }) => <Money amount={{ value, currency }} />,
            },
            { header: 'Oldest due', cell: ({ oldest }) => <When at={oldest} as="date" /> },
          ]}
        />
        {hidden > 0 ? <p className="list-foot">And {hidden} more, who owe less.</p> : null}
      </Card>
      <AsOf at={report.as_of} />
    </div>
  );
}

function Owed({ value, of: currency }: { value: number; of: string }) {
  return value === 0 ? <span className="quiet">–</span> : <Money amount={{ value, currency }} />;
}
