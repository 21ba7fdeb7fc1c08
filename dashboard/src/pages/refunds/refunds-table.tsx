import type { Refund } from '@recollect/sdk';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import type { ListColumn } from '../lists/columns.ts';

/** The columns of the refunds of one payment. */
export const COLUMNS_OF_ONE_PAYMENT: readonly ListColumn<Refund>[] = [
  {
    key: 'requested',
    header: 'Requested',
    cell: (refund) => <When at={refund.created_at} as="datetime" />,
  },
  { key: 'status', header: 'Status', cell: (refund) => <RefundStatus refund={refund} /> },
  { key: 'reason', header: 'Reason', cell: (refund) => refund.reason ?? '–' },
  { key: 'refund', header: 'Refund', cell: (refund) => <Id value={refund.id} /> },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
];

/** The columns of the refunds of many payments. */
export const REFUND_COLUMNS: readonly ListColumn<Refund>[] = [
  {
    key: 'payment',
    header: 'Payment',
    cell: ({ payment_id: id }) => <Id value={id} to={`/payments/${id}`} />,
  },
  ...COLUMNS_OF_ONE_PAYMENT,
];

function RefundStatus({ refund: { status, error, completed_at: at } }: { refund: Refund }) {
  return (
    <span className="row">
      <StatusBadge status={status} of="refund" />
      {at === null ? null : (
        <span className="quiet small">
          <When at={at} as="datetime" />
        </span>
      )}
      {error === null ? null : <span className="quiet small">{error.message}</span>}
    </span>
  );
}
