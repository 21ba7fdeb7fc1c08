import { useTimeZone } from '../../../ui/values/time-zone.tsx';
import { formatTime } from '../../../ui/values/when.tsx';
import type { BankDay, ConditionPeriod } from '../../api/banks.ts';
import { dayWords } from './bank-day-words.ts';
import './bank-day.css';

const HOUR_MS = 3_600_000;
/** The drawing has a unit a minute, and is as wide as its place. */
const WIDTH = 24 * 60;
const HEIGHT = 30;
/** Below it: when the bank was stopped. */
const LANE = 8;
/** A short outage is seen too. */
const MIN_WIDTH = 14;
/** Trouble is higher, so that it is told apart without its colour. */
const HEIGHTS: Readonly<Record<NonNullable<ConditionPeriod['condition']>, number>> = {
  operational: 10,
  degraded: 20,
  down: 30,
};

interface Mark {
  from: string;
  to: string;
}

/** Returns where a time stands on the strip; marks of trouble are wide enough to be seen. */
function spanOf({ from, to }: Mark, start: number, least: number): { x: number; width: number } {
  const [begun, ended] = [from, to].map((at) => (Date.parse(at) - start) / 60_000) as [
    number,
    number,
  ];
  const width = Math.max(ended - begun, least);
  return { x: Math.min(begun, WIDTH - width), width };
}

function Strip({ last_day: day, last_day_stops: stops }: BankDay) {
  const start = Date.parse(day[0]?.from ?? '');
  const rank = (one: ConditionPeriod): number =>
    one.condition === null ? 0 : HEIGHTS[one.condition];
  return (
    <svg
      className="bank-day-strip"
      viewBox={`0 0 ${WIDTH} ${HEIGHT + LANE}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className="bank-day-ground" width={WIDTH} height={HEIGHT} />
      {day
        .toSorted((a, b) => rank(a) - rank(b))
        .map((one) => {
          if (one.condition === null) return null;
          const height = HEIGHTS[one.condition];
          const least = one.condition === 'operational' ? 0 : MIN_WIDTH;
          return (
            <rect
              key={one.from}
              className={`bank-day-${one.condition}`}
              {...spanOf(one, start, least)}
              y={HEIGHT - height}
              height={height}
            />
          );
        })}
      {[6, 12, 18].map((hour) => (
        <rect key={hour} className="bank-day-line" x={hour * 60} width={4} height={HEIGHT} />
      ))}
      {stops.map((one) => (
        <rect
          key={one.from}
          className="bank-day-stop"
          {...spanOf(one, start, MIN_WIDTH)}
          y={HEIGHT + LANE / 2}
          height={LANE / 2}
        />
      ))}
    </svg>
  );
}

const isQuiet = ({ last_day: day, last_day_stops: stops }: BankDay): boolean =>
  stops.length === 0 &&
  day.every(({ condition }) => condition === null || condition === 'operational');

/** A bank over the last 24 hours: a strip, its hours, and the same in words. */
export function BankDayStrip({ day }: { day: BankDay }) {
  const zone = useTimeZone();
  const timeOf = (at: string): string => formatTime(at, zone);
  const start = day.last_day[0]?.from;
  if (start === undefined) return null;
  const middle = new Date(Date.parse(start) + 12 * HOUR_MS).toISOString();
  return (
    <span className="bank-day">
      <Strip {...day} />
      <span className="bank-day-hours quiet" aria-hidden="true">
        <span>{timeOf(start)}</span>
        <span>{timeOf(middle)}</span>
        <span>Now</span>
      </span>
      <span className={isQuiet(day) ? 'bank-day-words quiet' : 'bank-day-words'}>
        {dayWords(day, timeOf)}
      </span>
    </span>
  );
}
