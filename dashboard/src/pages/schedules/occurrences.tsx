import type { Occurrence } from '@recollect/sdk';
import { Info } from 'lucide-react';
import { Money } from '../../ui/money.tsx';
import { When } from '../../ui/when.tsx';
import { capitalised } from './frequency-words.ts';

interface OccurrencesProps {
  occurrences: readonly Occurrence[];
  label: string;
  /** The amount is not known yet. */
  hidesAmounts?: boolean;
}

/** What an occurrence collects. */
function Collects({ one: { amount, skipped } }: { one: Occurrence }) {
  if (skipped) return <span className="quiet">Skipped</span>;
  return amount === null ? <span className="quiet">Not set</span> : <Money amount={amount} />;
}

/** Upcoming collections: date, amount, and the reason if one differs from the requested day or time. */
export function Occurrences({ occurrences, label, hidesAmounts = false }: OccurrencesProps) {
  return (
    <ol className="occurrences" aria-label={label}>
      {occurrences.map((one) => (
        <li key={`${one.due_date} ${one.reason}`}>
          <span className="occurrence">
            <When at={one.due_date} as="datetime" />
            {hidesAmounts ? null : <Collects one={one} />}
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
