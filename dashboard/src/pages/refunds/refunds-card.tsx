import type { Payment } from '@recollect/sdk';
import { useRefundsOf } from '../../api/refunds.ts';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefundsTable } from './refunds-table.tsx';

/** The refunds of a collected payment; nothing where there are none. */
export function RefundsCard({ payment }: { payment: Payment }) {
  const isCollected = payment.status === 'success';
  const refunds = useRefundsOf(payment.id, isCollected);
  if (!isCollected || refunds.data?.total === 0) return null;
  return (
    <Card title="Refunds" isFlush>
      <QueryView query={refunds}>
        {({ data }) => (
          <>
            <RefundsTable rows={data} />
            <LoadMore query={refunds} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
