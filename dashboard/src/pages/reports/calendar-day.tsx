import { Link } from 'react-router';
import type { CalendarReport } from '../../../../server/src/dashboard/reports/view.ts';
import { dayWords } from '../../ui/values/days.ts';
import { formatMoney } from '../../ui/values/money.tsx';
import { countWords } from '../overview/figures.ts';

type Day = CalendarReport['days'][number];

interface CalendarDayProps {
  day: Day;
  /** The most that is planned for a day of the month, in pence. */
  most: number;
  currency: string;
  isToday: boolean;
  /** The column in which the month begins; only of its first day. */
  column: number | undefined;
}

/** How what is planned for a day stands; the marks are those of the charts. */
const PARTS = [
  { kind: 'collected', words: 'collected' },
  { kind: 'waiting', words: 'being collected' },
  { kind: 'failed', words: 'failed' },
  { kind: 'coming', words: 'to come' },
] as const;

/** A day of the calendar: a bar of what is planned, each part in words, and what was paid out. */
export function CalendarDay({ day, most, currency, isToday, column }: CalendarDayProps) {
  const { date, settled } = day;
  const parts = PARTS.filter(({ kind }) => day[kind].count > 0);
  const isEmpty = parts.length === 0 && settled.count === 0;
  const onDay = `from=${date}&to=${date}`;
  return (
    <li
      className={isEmpty ? 'calendar-day calendar-empty' : 'calendar-day'}
      style={{ gridColumnStart: column }}
      aria-current={isToday ? 'date' : undefined}
    >
      <p className="calendar-date">
        <time dateTime={date}>
          {Number(date.slice(8))}{' '}
          <span className="calendar-weekday">{dayWords(date, 'long').split(' ')[0]}</span>
        </time>
        {day.is_business_day ? null : <span className="quiet">No pay-outs</span>}
      </p>
      {parts.length === 0 ? null : (
        <span
          className="calendar-bar"
          style={{ inlineSize: `${(day.planned.value / most) * 100}%` }}
          aria-hidden="true"
        >
          {parts.map(({ kind }) => (
            <span key={kind} className={`mark-${kind}`} style={{ flexGrow: day[kind].value }} />
          ))}
        </span>
      )}
      {parts.map(({ kind, words }) => (
        <Part
          key={kind}
          kind={kind}
          amount={formatMoney({ value: day[kind].value, currency })}
          words={words}
          count={countWords(day[kind].count, 'payment')}
          to={kind === 'coming' ? undefined : `/payments?${LISTED[kind]}${onDay}`}
        />
      ))}
      {settled.count === 0 ? null : (
        <Part
          kind="settled"
          amount={formatMoney({ value: settled.value, currency })}
          words="paid out"
          count={countWords(settled.count, 'settlement')}
          to={`/settlements?${onDay}`}
        />
      )}
    </li>
  );
}

/** Which of the payments due on a day are listed. Those being collected have two statuses. */
const LISTED = { collected: 'status=success&', waiting: '', failed: 'status=failed&' } as const;

interface PartProps {
  kind: string;
  amount: string;
  words: string;
  count: string;
  /** What the amount is the sum of, where there is a list of it. */
  to: string | undefined;
}

function Part({ kind, amount, words, count, to }: PartProps) {
  return (
    <p className="calendar-part" title={count}>
      <span className={`mark mark-${kind}`} aria-hidden="true" />
      {to === undefined ? (
        <span className="money">{amount}</span>
      ) : (
        <Link to={to} className="money">
          {amount}
        </Link>
      )}{' '}
      <span className="quiet">{words}</span>
    </p>
  );
}
