import type { ReactNode } from 'react';

/** Named values side by side, as many in a row as there is room for. */
export function FactGrid({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="fact-grid">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
