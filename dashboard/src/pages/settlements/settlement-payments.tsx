import type { Payment } from '@recollect/sdk';
import { useSettlementPayments } from '../../api/settlements.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';

const COLUMNS: readonly Column<Payment>[] = [
  {
    header: 'Payment',
    cell: (payment) => <Id value={payment.id} to={`/payments/${payment.id}`} />,
  },
  {
    header: 'Schedule',
    cell: ({ schedule_id: id }) => <Id value={id} to={`/schedules/${id}`} />,
  },
  { header: 'Due', cell: (payment) => <When at={payment.due_date} as="date" /> },
  {
    header: 'Collected',
    cell: (payment) => <When at={payment.completed_at} as="datetime" />,
  },
  { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
];

/** The payments of a settlement. */
export function SettlementPayments({ settlementId }: { settlementId: string }) {
  return (
    <ListCard
      title="Payments"
      label="Payments in this settlement"
      query={useSettlementPayments(settlementId)}
      columns={COLUMNS}
    />
  );
}
