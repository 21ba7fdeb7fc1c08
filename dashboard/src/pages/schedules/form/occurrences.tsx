import type { Occurrence } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Info } from '../../../ui/icons.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { capitalised } from './frequency-words.ts';

/** An occurrence, or the next attempt at a payment. */
export interface Coming extends Occurrence {
  payment_id?: string;
}

interface OccurrencesProps {
  occurrences: readonly Coming[];
  label: string;
  /** The amount is not known yet. */
  hidesAmounts?: boolean;
  /** What can be done with one of them. */
  actions?: (one: Coming) => ReactNode;
}

/** What an occurrence collects. */
function Collects({ one: { amount, skipped } }: { one: Occurrence }) {
  if (skipped) return <span className="quiet">Skipped</span>;
  return amount === null ? <span className="quiet">Not set</span> : <Money amount={amount} />;
}

/** Upcoming collections: date, amount, and the reason if one differs from the requested day or time. */
export function Occurrences(props: OccurrencesProps) {
  const { occurrences, label, hidesAmounts = false, actions } = props;
  return (
    <ol className="occurrences" aria-label={label}>
      {occurrences.map((one) => (
        <li key={one.payment_id ?? one.due_date}>
          <span className="occurrence">
            <When at={one.due_date} as="datetime" />
            <span className="occurrence-end">
              {hidesAmounts ? null : <Collects one={one} />}
              {actions?.(one)}
            </span>
          </span>
          {one.reason === null ? null : (
            <span className="occurrence-reason">
              <Info aria-hidden="true" /> {capitalised(one.reason)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
