import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Money } from '../../ui/values/money.tsx';
import { changeWords, countWords, percentWords, type Span } from './figures.ts';

interface TileProps {
  name: string;
  mark: string;
  /** The rows behind the figure. */
  to: string;
  children: ReactNode;
  note: string;
  /** How it compares with the days before. */
  change: string;
}

function Tile(props: TileProps) {
  return (
    <div className="tile">
      <dt>
        <span className={`mark mark-${props.mark}`} aria-hidden="true" />{' '}
        <Link to={props.to}>{props.name}</Link>
      </dt>
      <dd className="tile-figure">{props.children}</dd>
      <dd className="tile-note">{props.note}</dd>
      {props.change === '' ? null : <dd className="tile-note">{props.change}</dd>}
    </div>
  );
}

/** The four totals of the days shown, each with its rows behind it and compared with as many days before. */
export function Tiles({ overview, span }: { overview: OverviewView; span: Span }) {
  const { collected, failed, settled, currency, success_rate: rate, before } = overview;
  const from = overview.days[0]?.date ?? '';
  const payments = (status: string): string => `/payments?status=${status}&from=${from}`;
  const change = (kind: 'collected' | 'failed' | 'settled'): string =>
    changeWords(overview[kind].value, before[kind].value, span);
  return (
    <dl className="tiles" aria-label={`The last ${span} days`}>
      <Tile
        name="Collected"
        mark="collected"
        to={payments('success')}
        note={countWords(collected.count, 'payment')}
        change={change('collected')}
      >
        <Money amount={{ value: collected.value, currency }} />
      </Tile>
      <Tile
        name="Failed"
        mark="failed"
        to={payments('failed')}
        note={countWords(failed.count, 'payment')}
        change={change('failed')}
      >
        <Money amount={{ value: failed.value, currency }} />
      </Tile>
      <Tile
        name="Settled"
        mark="settled"
        to="/settlements?status=success"
        note={countWords(settled.count, 'settlement')}
        change={change('settled')}
      >
        <Money amount={{ value: settled.value, currency }} />
      </Tile>
      <Tile
        name="Success rate"
        mark="rate"
        to={`/payments?from=${from}`}
        note={rate === null ? 'No finished payments yet' : 'of finished payments'}
        change={
          before.success_rate === null
            ? ''
            : `Was ${percentWords(before.success_rate)} in the previous ${span} days`
        }
      >
        {rate === null ? '–' : percentWords(rate)}
      </Tile>
    </dl>
  );
}
