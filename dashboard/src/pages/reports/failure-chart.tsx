import { useNavigate } from 'react-router';
import type { FailureReport } from '../../../../server/src/dashboard/reports/view.ts';
import { BarFigure, type BarSeries } from '../../ui/charts/bar-figure.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { formatMoney } from '../../ui/values/money.tsx';
import { countWords, percentWords } from '../overview/figures.ts';
import { failedPayments, rangeWords } from './report-words.ts';

type Period = FailureReport['periods'][number];
type Outcome = 'lost' | 'waiting' | 'recovered';

/** Of a hundred payments due in a period, how many ended so. */
const seriesOf = (mark: Outcome, name: string): BarSeries<Period> => ({
  name,
  mark,
  stack: 'failed',
  of: (period) => (period.due.count === 0 ? 0 : (period[mark].count / period.due.count) * 100),
});
const SERIES = [
  seriesOf('lost', 'Lost'),
  seriesOf('waiting', 'Still open'),
  seriesOf('recovered', 'Recovered'),
];

/** The failure rate over time, with what retries recovered as a band of its own. A bar leads to the payments that were lost. */
export function FailureChart({ report, label }: { report: FailureReport; label: string }) {
  const navigate = useNavigate();
  const { currency } = report;
  return (
    <BarFigure
      rows={report.periods}
      series={SERIES}
      label={label}
      tick={({ from }) => dayWords(from, 'short')}
      axis={(percent) => percentWords(percent / 100)}
      heading={({ from, to, due }) =>
        `${rangeWords(from, to)}: ${countWords(due.count, 'payment')} due`
      }
      value={(period, { mark }) => {
        const { value, count } = period[mark as Outcome];
        return (
          <>
            {formatMoney({ value, currency })}
            <small> {countWords(count, 'payment')}</small>
          </>
        );
      }}
      onPick={({ from, to }) => void navigate(failedPayments({ from, to }))}
    />
  );
}
