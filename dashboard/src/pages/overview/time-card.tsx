import { lazy, Suspense, useState } from 'react';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countWords, dayWords, type Span } from './figures.ts';

const TimeChart = lazy(async () => ({ default: (await import('./time-chart.tsx')).TimeChart }));

type Day = OverviewView['days'][number];

function summaryOf({ collected, failed, settled, currency }: OverviewView, span: Span): string {
  const sum = (value: number): string => formatMoney({ value, currency });
  return `In the last ${span} days ${sum(collected.value)} came in with ${countWords(collected.count, 'payment')}, ${countWords(failed.count, 'payment')} over ${sum(failed.value)} failed, and ${sum(settled.value)} was settled.`;
}

/** Collected, failed and settled by day: as a chart, or as the table that says the same. */
export function TimeCard({ overview, span }: { overview: OverviewView; span: Span }) {
  const [isTable, setTable] = useState(false);
  const toggle = (
    <Button variant="ghost" onPress={() => setTable(!isTable)}>
      {isTable ? 'Show as chart' : 'Show as table'}
    </Button>
  );
  return (
    <Card title="Day by day" actions={toggle}>
      <p className="quiet">{summaryOf(overview, span)}</p>
      {isTable ? (
        <DaysTable days={overview.days} currency={overview.currency} />
      ) : (
        <Suspense fallback={<Skeleton lines={8} />}>
          <TimeChart
            overview={overview}
            label={`Collected, failed and settled by day, last ${span} days`}
          />
        </Suspense>
      )}
    </Card>
  );
}

function DaysTable({ days, currency }: { days: Day[]; currency: string }) {
  const busy = days.filter((day) => day.collected.count + day.failed.count + day.settled.count > 0);
  const column = (header: string, of: (day: Day) => number) => ({
    header,
    align: 'end' as const,
    cell: (day: Day) => <Money amount={{ value: of(day), currency }} />,
  });
  if (busy.length === 0) return <p className="quiet">Nothing happened on these days.</p>;
  return (
    <DataTable
      label="Collected, failed and settled by day; days without any are left out"
      rows={busy.toReversed()}
      rowKey={(day) => day.date}
      columns={[
        { header: 'Day', cell: (day) => dayWords(day.date, 'long') },
        column('Collected', (day) => day.collected.value),
        column('Failed', (day) => day.failed.value),
        column('Settled', (day) => day.settled.value),
      ]}
    />
  );
}
