import type { SandboxMoved } from '@recollect/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useTimeZone } from '../../ui/time-zone.tsx';
import { formatWhen, When } from '../../ui/when.tsx';
import { type Tally, type Told, tallyOf, tell } from './happened.ts';

const STEP = 100;

/** What happened while the clock was moved: counted, then day by day with links to each. */
export function Happened({ moved }: { moved: SandboxMoved }) {
  const [isWhole, setWhole] = useState(false);
  const [shown, setShown] = useState(STEP);
  const told = moved.happened.map((one, place) => ({ ...tell(one), key: place }));
  const wanted = isWhole ? told : told.filter((one) => one.isOutcome);
  return (
    <Card
      title="What happened"
      lead={
        <>
          From <When at={moved.from} /> to <When at={moved.to} />
        </>
      }
      actions={
        told.length === 0 ? undefined : (
          <Button variant="ghost" aria-pressed={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Outcomes only' : `Every step (${told.length.toLocaleString('en-GB')})`}
          </Button>
        )
      }
    >
      <div className="stack" role="status">
        <Counts tally={tallyOf(moved.happened)} />
        {moved.truncated ? (
          <p className="quiet">
            More happened than fits: these are the last {told.length.toLocaleString('en-GB')}.
          </p>
        ) : null}
      </div>
      <Days told={wanted.slice(0, shown)} />
      {wanted.length > shown ? (
        <div className="load-more">
          <Button onPress={() => setShown(shown + STEP)}>
            Show more ({(wanted.length - shown).toLocaleString('en-GB')} left)
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

const COUNTED: readonly [keyof Tally, tone: Tone, one: string, many: string][] = [
  ['collected', 'success', 'payment collected', 'payments collected'],
  ['toBeRetried', 'warning', 'attempt failed, tried again', 'attempts failed, tried again'],
  ['failed', 'danger', 'payment failed', 'payments failed'],
  ['settled', 'success', 'settlement paid out', 'settlements paid out'],
  ['notSettled', 'danger', 'settlement failed', 'settlements failed'],
  ['schedules', 'info', 'change of a schedule', 'changes of schedules'],
  ['delivered', 'neutral', 'webhook delivered', 'webhooks delivered'],
  ['notDelivered', 'warning', 'webhook attempt failed', 'webhook attempts failed'],
];

function Counts({ tally }: { tally: Tally }) {
  const counted = COUNTED.filter(([name]) => tally[name] > 0);
  if (counted.length === 0) return <p>Nothing fell due in that time.</p>;
  return (
    <ul className="counts">
      {counted.map(([name, tone, one, many]) => (
        <li key={name}>
          <Badge tone={tone}>
            {tally[name].toLocaleString('en-GB')} {tally[name] === 1 ? one : many}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

function Days({ told }: { told: (Told & { key: number })[] }) {
  const zone = useTimeZone();
  const days = [...Map.groupBy(told, (one) => formatWhen(one.at, zone, 'date'))];
  return (
    <div className="happened">
      {days.map(([day, ofDay]) => (
        <section key={day}>
          <h3>{day}</h3>
          <ul className="plain-list">
            {ofDay.map((one) => (
              <Line key={one.key} told={one} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Line({ told: { at, title, detail, tone, to } }: { told: Told }) {
  const timeZone = useTimeZone();
  const time = new Date(at).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  return (
    <li className={`happening tone-${tone}`}>
      <time dateTime={at}>{time}</time>
      <span className="happening-dot" aria-hidden="true" />
      <span>
        {to === null ? title : <Link to={to}>{title}</Link>}
        {detail === null ? null : <span className="quiet"> {detail}</span>}
      </span>
    </li>
  );
}
