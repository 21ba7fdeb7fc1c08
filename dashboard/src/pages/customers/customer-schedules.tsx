import type { ScheduleItem } from '../../../../server/src/dashboard/schedules/list-view.ts';
import { useSchedules } from '../../api/schedules.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { capitalised } from '../schedules/form/frequency-words.ts';

const COLUMNS: readonly Column<ScheduleItem>[] = [
  { header: 'Schedule', cell: (schedule) => schedule.description },
  {
    header: 'Frequency',
    cell: (schedule) => capitalised((schedule.shown.asked ?? schedule.shown.terms).frequency_text),
  },
  {
    header: 'Status',
    cell: (schedule) => <StatusBadge status={schedule.status} />,
  },
  {
    header: 'Next collection',
    cell: ({ status, next_payment_date: next }) =>
      status === 'pending_consent' ? (
        <span className="quiet">After consent</span>
      ) : (
        <When at={next} as="date" />
      ),
  },
  {
    header: 'Amount',
    align: 'end',
    cell: (schedule) => <Money amount={schedule.amount} />,
  },
];

/** The schedules of a customer. */
export function CustomerSchedules({ customerId }: { customerId: string }) {
  return (
    <ListCard
      title="Schedules"
      label="Customer’s schedules"
      query={useSchedules({ q: customerId })}
      columns={COLUMNS}
      rowPath="/schedules"
      empty={<p className="quiet flush-words">This customer has no schedules.</p>}
    />
  );
}
