import type { ReactNode } from 'react';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Money } from '../../ui/money.tsx';
import { countWords, percentWords, type Span } from './figures.ts';

function Tile(props: { name: string; mark: string; children: ReactNode; note: string }) {
  return (
    <div className="tile">
      <dt>
        <span className={`mark mark-${props.mark}`} aria-hidden="true" /> {props.name}
      </dt>
      <dd className="tile-figure">{props.children}</dd>
      <dd className="tile-note">{props.note}</dd>
    </div>
  );
}

/** The four totals of the days shown. */
export function Tiles({ overview, span }: { overview: OverviewView; span: Span }) {
  const { collected, failed, settled, currency, success_rate: rate } = overview;
  return (
    <dl className="tiles" aria-label={`The last ${span} days`}>
      <Tile name="Collected" mark="collected" note={countWords(collected.count, 'payment')}>
        <Money amount={{ value: collected.value, currency }} />
      </Tile>
      <Tile name="Failed" mark="failed" note={countWords(failed.count, 'payment')}>
        <Money amount={{ value: failed.value, currency }} />
      </Tile>
      <Tile name="Settled" mark="settled" note={countWords(settled.count, 'settlement')}>
        <Money amount={{ value: settled.value, currency }} />
      </Tile>
      <Tile
        name="Success rate"
        mark="rate"
        note={rate === null ? 'No finished payments yet' : 'of finished payments'}
      >
        {rate === null ? '–' : percentWords(rate)}
      </Tile>
    </dl>
  );
}
