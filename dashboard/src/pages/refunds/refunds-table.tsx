import type { Refund } from '@recollect/sdk';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Id } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';

const PAYMENT: Column<Refund> = {
  header: 'Payment',
  cell: ({ payment_id: id }) => <Id value={id} to={`/payments/${id}`} />,
};

const COLUMNS: readonly Column<Refund>[] = [
  { header: 'Requested', cell: (refund) => <When at={refund.created_at} as="datetime" /> },
  { header: 'Status', cell: (refund) => <RefundStatus refund={refund} /> },
  { header: 'Reason', cell: (refund) => refund.reason ?? '–' },
  { header: 'Refund', cell: (refund) => <Id value={refund.id} /> },
  { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
];

/** Refunds, newest first. */
export function RefundsTable({
  rows,
  isOfOnePayment,
}: {
  rows: Refund[];
  isOfOnePayment: boolean;
}) {
  return (
    <DataTable<Refund>
      label="Refunds"
      rows={rows}
      rowKey={(refund) => refund.id}
      columns={isOfOnePayment ? COLUMNS : [PAYMENT, ...COLUMNS]}
    />
  );
}

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
