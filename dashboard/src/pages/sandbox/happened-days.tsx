import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { formatWhen } from '../../ui/values/when.tsx';
import type { DescribedHappening } from './happened.ts';

/** One happening, with a unique key. */
type Keyed = DescribedHappening & { key: number };

const STEPS_AT_ONCE = 100;
const DAYS_AT_ONCE = 31;
/** How many of one kind are shown per day; more are collapsed. */
const MAX_UNFOLDED = 3;
const MAX_FOLDED = 100;

function byDay(told: readonly Keyed[], timeZone: string): [day: string, Keyed[]][] {
  return [...Map.groupBy(told, (one) => formatWhen(one.at, timeZone, 'date'))];
}

/** The outcomes of each day, grouped by kind. */
export function Outcomes({ told }: { told: readonly Keyed[] }) {
  const timeZone = useTimeZone();
  const [most, setMost] = useState(DAYS_AT_ONCE);
  const outcomes = told.filter((one) => one.isOutcome);
  const days = byDay(outcomes, timeZone);
  return (
    <div className="happened">
      {days.slice(0, most).map(([day, ofDay]) => (
        <Day key={day} name={day}>
          {[...Map.groupBy(ofDay, (one) => one.title)].map(([title, alike]) => (
            <SimilarLines key={title} title={title} told={alike} />
          ))}
        </Day>
      ))}
      <More left={days.length - most} of="days" onMore={() => setMost(most + DAYS_AT_ONCE)} />
    </div>
  );
}

/** Every step, in the order in which it happened. */
export function EveryStep({ told }: { told: readonly Keyed[] }) {
  const timeZone = useTimeZone();
  const [most, setMost] = useState(STEPS_AT_ONCE);
  return (
    <div className="happened">
      {byDay(told.slice(0, most), timeZone).map(([day, ofDay]) => (
        <Day key={day} name={day}>
          <Lines told={ofDay} />
        </Day>
      ))}
      <More left={told.length - most} of="steps" onMore={() => setMost(most + STEPS_AT_ONCE)} />
    </div>
  );
}

function Day({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="happened-day">
      <h3>{name}</h3>
      {children}
    </section>
  );
}

function SimilarLines({ title, told }: { title: string; told: readonly Keyed[] }) {
  if (told.length <= MAX_UNFOLDED) return <Lines told={told} />;
  const hidden = told.length - MAX_FOLDED;
  return (
    <details className={`alike tone-${told[0]?.tone ?? 'neutral'}`}>
      <summary>
        <span className="happening-dot" aria-hidden="true" />
        {title} <strong>× {told.length.toLocaleString('en-GB')}</strong>
      </summary>
      <Lines told={told.slice(0, MAX_FOLDED)} />
      {hidden > 0 ? <p className="quiet">And {hidden.toLocaleString('en-GB')} more.</p> : null}
    </details>
  );
}

function Lines({ told }: { told: readonly Keyed[] }) {
  return (
    <ul className="plain-list">
      {told.map((one) => (
        <Line key={one.key} told={one} />
      ))}
    </ul>
  );
}

function Line({ told: { at, title, detail, tone, to } }: { told: DescribedHappening }) {
  const timeZone = useTimeZone();
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  return (
    <li className={`happening tone-${tone}`}>
      <time dateTime={at}>{new Date(at).toLocaleTimeString('en-GB', clock)}</time>
      <span className="happening-dot" aria-hidden="true" />
      <span>
        {to === null ? title : <Link to={to}>{title}</Link>}
        {detail === null ? null : <span className="quiet"> {detail}</span>}
      </span>
    </li>
  );
}

function More({ left, of, onMore }: { left: number; of: string; onMore: () => void }) {
  if (left <= 0) return null;
  return (
    <div className="load-more">
      <Button onPress={onMore}>
        Show more ({left.toLocaleString('en-GB')} {of} left)
      </Button>
    </div>
  );
}
