import type { DisputeItem } from '../../api/disputes.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { REASONS } from './dispute-words.ts';

/** The columns of the list of disputes. */
export const DISPUTE_COLUMNS: readonly ListColumn<DisputeItem>[] = [
  { key: 'customer', header: 'Customer', cell: ({ shown }) => shown.customer },
  { key: 'description', header: 'For', cell: ({ shown }) => shown.description },
  { key: 'reason', header: 'Reason', cell: ({ reason }) => REASONS[reason] },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <StatusBadge status={status} of="dispute" />,
  },
  {
    key: 'raised',
    header: 'Raised',
    cell: ({ created_at: at }) => <When at={at} as="datetime" />,
  },
  {
    key: 'deadline',
    header: 'Answer by',
    cell: ({ deadline, status }) => (status === 'open' ? <When at={deadline} as="date" /> : '–'),
  },
  {
    key: 'payment',
    header: 'Payment',
    cell: ({ payment_id: id }) => <Id value={id} to={`/payments/${id}`} />,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];
