import type { ReactNode } from 'react';

interface KeyValueProps {
  items: readonly (readonly [string, ReactNode])[];
  /** Side by side, as many in a row as there is room for. */
  isGrid?: boolean;
}

/** A list of named values. */
export function KeyValue({ items, isGrid }: KeyValueProps) {
  return (
    <dl className={isGrid ? 'key-value-grid' : 'key-value'}>
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
