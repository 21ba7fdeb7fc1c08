import type { PaymentItem } from '../../../../server/src/dashboard/payments/view.ts';
import { usePayments } from '../../api/payments.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';

const COLUMNS: readonly Column<PaymentItem>[] = [
  { header: 'Due', cell: (payment) => <When at={payment.due_date} as="date" /> },
  { header: 'Schedule', cell: (payment) => payment.shown.description },
  {
    header: 'Status',
    cell: (payment) => <StatusBadge status={payment.status} of="payment" />,
  },
  {
    header: 'Why',
    cell: ({ status, error }) =>
      status === 'success' || error === null ? <span className="quiet">–</span> : error.message,
  },
  {
    header: 'Amount',
    align: 'end',
    cell: (payment) => <Money amount={payment.amount} />,
  },
];

/** The payments of a customer, attempted or collected. */
export function CustomerPayments({ customerId }: { customerId: string }) {
  return (
    <ListCard
      title="Payments"
      label="Customer’s payments"
      query={usePayments({ customer_id: customerId, sort: '-due_date' })}
      columns={COLUMNS}
      rowPath="/payments"
      empty={<p className="quiet flush-words">No payments from this customer yet.</p>}
    />
  );
}
