import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Card } from '../../ui/card.tsx';
import { dayWords } from '../../ui/values/days.ts';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { countWords } from './figures.ts';

/** What is planned to be collected in the next 30 days: the total, a bar per day, and the days in words. */
export function UpcomingCard({ overview }: { overview: OverviewView }) {
  const { upcoming, currency } = overview;
  return (
    <Card title="Next 30 days">
      <div>
        <p className="figure">
          <Money amount={{ value: upcoming.value, currency }} />
        </p>
        <p className="quiet">{countWords(upcoming.count, 'collection')} planned</p>
      </div>
      {upcoming.count === 0 ? null : <Bars days={upcoming.days} currency={currency} />}
    </Card>
  );
}

type Days = OverviewView['upcoming']['days'];

function Bars({ days, currency }: { days: Days; currency: string }) {
  const most = Math.max(...days.map((day) => day.value), 1);
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <div className="bars">
      <ol className="bars-row" aria-label="Collections by day">
        {days.map((day) => (
          <li key={day.date} title={wordsOf(day, currency)}>
            <span
              className="bar"
              style={{ blockSize: `${Math.round((day.value / most) * 100)}%` }}
              aria-hidden="true"
            />
            {day.count === 0 ? null : (
              <span className="visually-hidden">{wordsOf(day, currency)}</span>
            )}
          </li>
        ))}
      </ol>
      <div className="bars-ends" aria-hidden="true">
        <span>{dayWords(first.date, 'short')}</span>
        <span>{dayWords(last.date, 'short')}</span>
      </div>
    </div>
  );
}

function wordsOf(day: Days[number], currency: string): string {
  const sum = formatMoney({ value: day.value, currency });
  return `${dayWords(day.date, 'long')}: ${sum} in ${countWords(day.count, 'collection')}`;
}
