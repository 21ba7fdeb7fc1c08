import { useNavigate } from 'react-router';
import { BarFigure, type BarSeries } from '../../ui/charts/bar-figure.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { formatMoney } from '../../ui/values/money.tsx';
import { axisWords, type Bucket, bucketWords, countWords, paymentsOf } from './figures.ts';

type Kind = 'collected' | 'failed' | 'settled';

const seriesOf = (mark: Kind, name: string, stack: string): BarSeries<Bucket> => ({
  name,
  mark,
  stack,
  of: (bucket) => bucket[mark].value,
});
const SERIES = [
  seriesOf('collected', 'Collected', 'due'),
  seriesOf('failed', 'Failed', 'due'),
  seriesOf('settled', 'Settled', 'settled'),
];

interface TimeChartProps {
  buckets: Bucket[];
  currency: string;
  label: string;
}

/** Bars of due payments (collected, with failed on top) beside bars of settlements. The table has the same data. */
export function TimeChart({ buckets, currency, label }: TimeChartProps) {
  const navigate = useNavigate();
  return (
    <BarFigure
      rows={buckets}
      series={SERIES}
      label={label}
      tick={({ date }) => dayWords(date, 'short')}
      axis={(pence) => axisWords(pence, currency)}
      heading={bucketWords}
      value={(bucket, { mark }) => {
        const { value, count } = bucket[mark as Kind];
        const noun = mark === 'settled' ? 'settlement' : 'payment';
        return (
          <>
            {formatMoney({ value, currency })}
            <small> {countWords(count, noun)}</small>
          </>
        );
      }}
      onPick={(bucket) => void navigate(paymentsOf(bucket))}
    />
  );
}
