import { useNavigate } from 'react-router';
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import { formatMoney } from '../../ui/values/money.tsx';
import {
  axisWords,
  type Bucket,
  bucketWords,
  countWords,
  dayWords,
  paymentsOf,
} from './figures.ts';

const HEIGHT = 260;
const NOUNS = { collected: 'payment', failed: 'payment', settled: 'settlement' } as const;
const NAMES = { collected: 'Collected', failed: 'Failed', settled: 'Settled' } as const;
const KINDS = ['collected', 'failed', 'settled'] as const;

interface TimeChartProps {
  buckets: Bucket[];
  currency: string;
  label: string;
}

/** Bars of due payments (collected, with failed on top) beside bars of settlements. The table has the same data. */
export function TimeChart({ buckets, currency, label }: TimeChartProps) {
  const navigate = useNavigate();
  const rowsOf = (place: unknown) => {
    const bucket = buckets[Number(place)];
    if (bucket !== undefined) void navigate(paymentsOf(bucket));
  };
  return (
    <figure className="chart" aria-label={label}>
      <div role="img" aria-label={`${label}. The same figures are in the table.`}>
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <BarChart
            data={buckets}
            style={{ cursor: 'pointer' }}
            onClick={({ activeTooltipIndex }) => rowsOf(activeTooltipIndex)}
            barGap={1}
            barCategoryGap="18%"
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="date"
              tickFormatter={(date: string) => dayWords(date, 'short')}
              tickLine={false}
              axisLine={false}
              minTickGap={32}
            />
            <YAxis
              tickFormatter={(pence: number) => axisWords(pence, currency)}
              tickLine={false}
              axisLine={false}
              width={56}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--hover)' }}
              content={(shown) => <BucketTip {...shown} currency={currency} />}
            />
            <Bar
              dataKey={(bucket: Bucket) => bucket.collected.value}
              stackId="due"
              fill="var(--chart-collected)"
              maxBarSize={22}
              isAnimationActive={false}
            />
            <Bar
              dataKey={(bucket: Bucket) => bucket.failed.value}
              stackId="due"
              fill="var(--chart-failed)"
              maxBarSize={22}
              radius={[2, 2, 0, 0]}
              isAnimationActive={false}
            />
            <Bar
              dataKey={(bucket: Bucket) => bucket.settled.value}
              stackId="settled"
              fill="var(--chart-settled)"
              maxBarSize={22}
              radius={[2, 2, 0, 0]}
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="chart-key">
        {KINDS.map((kind) => (
          <span key={kind}>
            <span className={`mark mark-${kind}`} aria-hidden="true" /> {NAMES[kind]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

type TipProps = Pick<TooltipContentProps, 'active' | 'payload'> & { currency: string };

function BucketTip({ active, payload, currency }: TipProps) {
  const bucket = payload?.[0]?.payload as Bucket | undefined;
  if (!active || bucket === undefined) return null;
  return (
    <div className="chart-tip">
      <strong>{bucketWords(bucket)}</strong>
      {KINDS.map((kind) => (
        <span key={kind} className="chart-tip-line">
          <span>
            <span className={`mark mark-${kind}`} /> {NAMES[kind]}
          </span>
          <span className="figures">
            {formatMoney({ value: bucket[kind].value, currency })}
            <small> {countWords(bucket[kind].count, NOUNS[kind])}</small>
          </span>
        </span>
      ))}
    </div>
  );
}
