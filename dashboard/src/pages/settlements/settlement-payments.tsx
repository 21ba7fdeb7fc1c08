import type { Payment } from '@recollect/sdk';
import { useSettlementPayments } from '../../api/settlements.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Id } from '../../ui/id.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { When } from '../../ui/when.tsx';

/** The payments of a settlement. */
export function SettlementPayments({ settlementId }: { settlementId: string }) {
  const payments = useSettlementPayments(settlementId);
  return (
    <Card title="Payments" isFlush>
      <QueryView query={payments}>
        {({ data, total }) => (
          <>
            <DataTable<Payment>
              label="Payments in this settlement"
              rows={data}
              rowKey={(payment) => payment.id}
              columns={[
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
              ]}
            />
            <p className="list-foot">
              {data.length} of {total} shown
            </p>
            <LoadMore query={payments} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
