import { lazy, Suspense, useState } from 'react';
import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Skeleton } from '../../ui/data/skeleton.tsx';
import { Rises } from './failure-parts.tsx';
import { rateWords, risesOf } from './failure-words.ts';
import { outcomeColumns } from './outcome-columns.tsx';
import { failedPayments, rangeWords, shareWords } from './report-words.ts';

const FailureChart = lazy(async () => ({
  default: (await import('./failure-chart.tsx')).FailureChart,
}));

type Period = FailureReport['periods'][number];

/** The failure rate over time, as a chart or as a table with the same figures, and where a rise came from. */
export function FailureTime({ report }: { report: FailureReport }) {
  const [isTable, setTable] = useState(false);
  const title = report.by === 'week' ? 'Week by week' : 'Month by month';
  const toggle = (
    <Button size="small" onPress={() => setTable(!isTable)}>
      {isTable ? 'Show as chart' : 'Show as table'}
    </Button>
  );
  return (
    <Card title={title} lead={rateWords(report)} actions={toggle}>
      {isTable ? (
        <DataTable<Period>
          label="Failures over time"
          rows={report.periods.toReversed()}
          rowKey={({ from }) => from}
          columns={[
            {
              header: 'Due',
              cell: ({ from, to }) => <span className="nowrap">{rangeWords(from, to)}</span>,
            },
            {
              header: 'Failure rate',
              align: 'end',
              cell: ({ failure_rate }) => shareWords(failure_rate),
            },
            ...outcomeColumns<Period>(report.currency, ({ from, to }) =>
              failedPayments({ from, to }),
            ),
          ]}
        />
      ) : (
        <Suspense fallback={<Skeleton lines={8} />}>
          <FailureChart report={report} label={`Failure rate, ${title.toLowerCase()}`} />
        </Suspense>
      )}
      <Rises rises={risesOf(report)} report={report} />
    </Card>
  );
}
