import type { SandboxMoved } from '@recollect/sdk';
import { useState } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { When } from '../../ui/values/when.tsx';
import { describeHappening, type Tally, tallyOf } from './happened.ts';
import { EveryStep, Outcomes } from './happened-days.tsx';

/** What happened while the clock was moved: counts, then day by day with links to each. */
export function Happened({ moved }: { moved: SandboxMoved }) {
  const [isWhole, setWhole] = useState(false);
  const told = moved.happened.map((one, place) => ({ ...describeHappening(one), key: place }));
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
          <Button variant="ghost" onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Outcomes only' : `Every step (${told.length.toLocaleString('en-GB')})`}
          </Button>
        )
      }
    >
      <div className="stack" role="status">
        <Counts tally={tallyOf(moved.happened)} />
        {moved.truncated ? (
          <p className="quiet">Only the latest are shown: {told.length.toLocaleString('en-GB')}.</p>
        ) : null}
      </div>
      {isWhole ? <EveryStep told={told} /> : <Outcomes told={told} />}
    </Card>
  );
}

const COUNTED: readonly [keyof Tally, tone: Tone, one: string, many: string][] = [
  ['collected', 'success', 'payment collected', 'payments collected'],
  ['toBeRetried', 'warning', 'attempt failed, will retry', 'attempts failed, will retry'],
  ['failed', 'danger', 'payment failed', 'payments failed'],
  ['settled', 'success', 'settlement paid out', 'settlements paid out'],
  ['notSettled', 'danger', 'settlement failed', 'settlements failed'],
  ['schedules', 'info', 'schedule change', 'schedule changes'],
  ['delivered', 'neutral', 'webhook delivered', 'webhooks delivered'],
  ['notDelivered', 'warning', 'webhook attempt failed', 'webhook attempts failed'],
];

function Counts({ tally }: { tally: Tally }) {
  const counted = COUNTED.filter(([name]) => tally[name] > 0);
  if (counted.length === 0) return <p>Nothing fell due in this period.</p>;
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
