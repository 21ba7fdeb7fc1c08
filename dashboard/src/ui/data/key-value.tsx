import type { ReactNode } from 'react';

/** A list of named values. */
export function KeyValue({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="key-value">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
