import { Badge } from '../../ui/badge.tsx';
import type { Item } from '../api/unallocated.ts';

const ENDED: Readonly<Record<Exclude<Item['status'], 'open'>, string>> = {
  allocated: 'Applied to a payment',
  accepted_in_part: 'Accepted as part payment',
  returned: 'Returned',
  paid_on: 'Paid on by hand',
  credited: 'Added to the balance',
};

/** Where a decision about unallocated money stands. */
export function ItemState({ item: { status, proposed } }: { item: Item }) {
  if (status !== 'open') return <Badge tone="neutral">{ENDED[status] ?? status}</Badge>;
  return proposed === null ? (
    <Badge tone="warning">Open</Badge>
  ) : (
    <Badge tone="info">Waits for a second operator</Badge>
  );
}
