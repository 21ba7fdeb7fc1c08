import type { Payment } from '@recollect/sdk';
import { useRefundsOf } from '../../api/refunds.ts';
import { ListCard } from '../../ui/data/list-card.tsx';
import { COLUMNS_OF_ONE_PAYMENT } from './refunds-table.tsx';

/** The refunds of a collected payment; nothing where there are none. */
export function RefundsCard({ payment }: { payment: Payment }) {
  const isCollected = payment.status === 'success';
  const refunds = useRefundsOf(payment.id, isCollected);
  if (!isCollected || refunds.data?.length === 0) return null;
  return <ListCard title="Refunds" query={refunds} columns={COLUMNS_OF_ONE_PAYMENT} />;
}
