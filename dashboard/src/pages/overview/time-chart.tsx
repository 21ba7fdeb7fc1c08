import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { formatMoney } from '../../ui/money.tsx';
import { axisWords, countWords, dayWords } from './figures.ts';

type Day = OverviewView['days'][number];

const HEIGHT = 260;
const NOUNS = { collected: 'payment', failed: 'payment', settled: 'settlement' } as const;
const NAMES = { collected: 'Collected', failed: 'Failed', settled: 'Settled' } as const;
const KINDS = ['collected', 'failed', 'settled'] as const;

/** Bars of what was collected and what failed, a line of what was settled. The table beside it says the same. */
export function TimeChart({ overview, label }: { overview: OverviewView; label: string }) {
  const { days, currency } = overview;
  return (
    <figure className="chart" aria-label={label}>
      <div role="img" aria-label={`${label}. The same figures are in the table.`}>
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <ComposedChart
            data={days}
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
              content={(shown) => <DayTip {...shown} currency={currency} />}
            />
            <Bar
              dataKey={(day: Day) => day.collected.value}
              stackId="due"
              fill="var(--chart-collected)"
              maxBarSize={28}
              isAnimationActive={false}
            />
            <Bar
              dataKey={(day: Day) => day.failed.value}
              stackId="due"
              fill="var(--chart-failed)"
              maxBarSize={28}
              radius={[3, 3, 0, 0]}
              isAnimationActive={false}
            />
            <Line
              dataKey={(day: Day) => day.settled.value}
              type="stepAfter"
              stroke="var(--chart-settled)"
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          </ComposedChart>
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

function DayTip({ active, payload, currency }: TipProps) {
  const day = payload?.[0]?.payload as Day | undefined;
  if (!active || day === undefined) return null;
  return (
    <div className="chart-tip">
      <strong>{dayWords(day.date, 'long')}</strong>
      {KINDS.map((kind) => (
        <span key={kind} className="chart-tip-line">
          <span>
            <span className={`mark mark-${kind}`} /> {NAMES[kind]}
          </span>
          <span className="figures">
            {formatMoney({ value: day[kind].value, currency })}
            <small> {countWords(day[kind].count, NOUNS[kind])}</small>
          </span>
        </span>
      ))}
    </div>
  );
}
