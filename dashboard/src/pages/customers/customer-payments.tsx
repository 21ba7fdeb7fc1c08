import type { PaymentItem } from '../../../../server/src/dashboard/payments/view.ts';
import { usePayments } from '../../api/payments.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';

/** The payments of a customer, attempted or collected. */
export function CustomerPayments({ customerId }: { customerId: string }) {
  const payments = usePayments({ customer_id: customerId });
  return (
    <Card title="Payments" isFlush>
      <QueryView query={payments}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="quiet flush-words">No payments from this customer yet.</p>
          ) : (
            <>
              <DataTable<PaymentItem>
                label="Customer’s payments"
                rows={rows}
                rowKey={(payment) => payment.id}
                rowHref={(payment) => `/payments/${payment.id}`}
                columns={[
                  { header: 'Due', cell: (payment) => <When at={payment.due_date} as="date" /> },
                  { header: 'Schedule', cell: (payment) => payment.schedule.description },
                  {
                    header: 'Status',
                    cell: (payment) => <StatusBadge status={payment.status} of="payment" />,
                  },
                  {
                    header: 'Why',
                    cell: ({ status, error }) =>
                      status === 'success' || error === null ? (
                        <span className="quiet">–</span>
                      ) : (
                        error.message
                      ),
                  },
                  {
                    header: 'Amount',
                    align: 'end',
                    cell: (payment) => <Money amount={payment.amount} />,
                  },
                ]}
              />
              <LoadMore query={payments} />
            </>
          )
        }
      </QueryView>
    </Card>
  );
}
