import type { Metadata } from '@recollect/sdk';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { textOf } from '../form/schedule-form.ts';

/** The merchant's own data; hidden if there is none. */
export function MetadataCard({ metadata }: { metadata: Metadata | null }) {
  const entries = Object.entries(metadata ?? {});
  if (entries.length === 0) return null;
  return (
    <Card title="Metadata">
      <KeyValue items={entries.map(([key, value]) => [key, textOf(value)] as const)} />
    </Card>
  );
}
