import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Skeleton } from '../../ui/data/skeleton.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import {
  type Bucket,
  bucketsOf,
  bucketWords,
  countWords,
  paymentsOf,
  type Span,
} from './figures.ts';

const TimeChart = lazy(async () => ({ default: (await import('./time-chart.tsx')).TimeChart }));

function summaryOf({ collected, failed, settled, currency }: OverviewView, span: Span): string {
  const sum = (value: number): string => formatMoney({ value, currency });
  const cameIn = `${sum(collected.value)} was collected in ${countWords(collected.count, 'payment')}`;
  const fell = `${countWords(failed.count, 'payment')} totalling ${sum(failed.value)} failed`;
  return `In the last ${span} days ${cameIn}, ${fell}, and ${sum(settled.value)} was settled.`;
}

/** Collected, failed and settled amounts over time: as a chart, or as a table with the same data. */
export function TimeCard({ overview, span }: { overview: OverviewView; span: Span }) {
  const [isTable, setTable] = useState(false);
  const buckets = useMemo(() => bucketsOf(overview.days), [overview.days]);
  const busy = buckets.filter(
    ({ collected, failed, settled }) => collected.count + failed.count + settled.count > 0,
  );
  const title = buckets.length === overview.days.length ? 'Day by day' : 'Week by week';
  const toggle = (
    <Button size="small" onPress={() => setTable(!isTable)}>
      {isTable ? 'Show as chart' : 'Show as table'}
    </Button>
  );
  return (
    <Card
      title={title}
      lead={summaryOf(overview, span)}
      actions={busy.length === 0 ? undefined : toggle}
    >
      {busy.length === 0 ? (
        <p className="quiet">No payments or settlements in this period.</p>
      ) : isTable ? (
        <BucketsTable buckets={busy} currency={overview.currency} />
      ) : (
        <Suspense fallback={<Skeleton lines={8} />}>
          <TimeChart
            buckets={buckets}
            currency={overview.currency}
            label={`Collected, failed and settled, ${title.toLowerCase()}, last ${span} days`}
          />
        </Suspense>
      )}
    </Card>
  );
}

function BucketsTable({ buckets, currency }: { buckets: Bucket[]; currency: string }) {
  const column = (header: string, of: (bucket: Bucket) => number) => ({
    header,
    align: 'end' as const,
    cell: (bucket: Bucket) => <Money amount={{ value: of(bucket), currency }} />,
  });
  return (
    <DataTable
      label="Collected, failed and settled; periods without any are left out"
      rows={buckets.toReversed()}
      rowKey={(bucket) => bucket.date}
      columns={[
        {
          header: 'When',
          cell: (bucket) => <Link to={paymentsOf(bucket)}>{bucketWords(bucket)}</Link>,
        },
        column('Collected', (bucket) => bucket.collected.value),
        column('Failed', (bucket) => bucket.failed.value),
        column('Settled', (bucket) => bucket.settled.value),
      ]}
    />
  );
}
