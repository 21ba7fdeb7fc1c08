import { Link } from 'react-router';
import type { CohortReport } from '../../../../server/src/dashboard/reports/view.ts';
import { REPORT_PATHS, useReport } from '../../api/reports.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { Filters } from '../lists/filters.tsx';
import { useUrlFilter } from '../lists/url-filter.ts';
import '../lists/lists.css';
import { AddingUp } from './adding-up.tsx';
import { AsOf } from './as-of.tsx';
import { MonthFilter } from './month-filter.tsx';
import { monthWords } from './report-words.ts';
import { ReportsNav } from './reports-nav.tsx';

const startedIn = (month: string): string => `/schedules?started=${month}`;

type Cohort = CohortReport['cohorts'][number];

/** What schedules have collected, by the month in which they became active. */
export function CohortsPage() {
  const url = useUrlFilter<'from' | 'to'>(['from', 'to']);
  const { values, field } = url;
  const report = useReport('cohorts', values);
  return (
    <Page
      title="Cohorts"
      lead="Schedules by the month in which they first became active: how many still are, and what they collected since."
      actions={<DownloadCsv of={REPORT_PATHS.cohorts} filter={values} />}
    >
      <ReportsNav />
      <Filters isNarrowed={url.isNarrowed} onClear={url.clear}>
        <MonthFilter label="From" none="The last six months" {...field('from')} />
        <MonthFilter label="To" none="To date" {...field('to')} />
      </Filters>
      <QueryView query={report} skeleton={<AddingUp />}>
        {(found) => <Cohorts report={found} />}
      </QueryView>
    </Page>
  );
}

function Cohorts({ report }: { report: CohortReport }) {
  const { cohorts, currency, total } = report;
  const started = cohorts.reduce((sum, cohort) => sum + cohort.schedules, 0);
  const most = Math.max(...cohorts.map(({ collected }) => collected.length));
  const lead = `${started} became active, and have collected ${formatMoney({ value: total.value, currency })}.`;
  return (
    <div className="stack">
      <Card title="Month by month" lead={lead} isFlush>
        <DataTable<Cohort>
          label="Collected by cohort"
          rows={cohorts}
          isWide
          rowKey={(cohort) => cohort.month}
          columns={[
            {
              header: 'Start month',
              cell: ({ month }) => <span className="nowrap">{monthWords(month)}</span>,
            },
            {
              header: 'Schedules',
              align: 'end',
              cell: ({ month, schedules }) => <Count of={schedules} to={startedIn(month)} />,
            },
            {
              header: 'Active now',
              align: 'end',
              cell: ({ month, active }) => (
                <Count of={active} to={`${startedIn(month)}&status=active`} />
              ),
            },
            {
              header: 'Total',
              align: 'end',
              cell: (cohort) => <Money amount={{ value: cohort.total.value, currency }} />,
            },
            ...Array.from({ length: most }, (_, i) => ({
              header: `Month ${i}`,
              align: 'end' as const,
              cell: ({ collected, schedules }: Cohort) => {
                const sum = schedules === 0 ? undefined : collected[i];
                if (sum === undefined) return <span className="quiet">–</span>;
                return <Money amount={{ value: sum.value, currency }} />;
              },
            })),
          ]}
        />
      </Card>
      <p className="quiet">Month 0 is the month in which they became active.</p>
      <AsOf at={report.as_of} />
    </div>
  );
}

/** A number of schedules, as a link where there are any. */
function Count({ of: count, to }: { of: number; to: string }) {
  return count === 0 ? <span className="quiet">–</span> : <Link to={to}>{count}</Link>;
}
