import type { ScheduleItem } from '../../../../server/src/dashboard/schedules/view.ts';
import { useSchedules } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Money } from '../../ui/money.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import { capitalised } from '../schedules/form/frequency-words.ts';

/** The schedules of a customer. */
export function CustomerSchedules({ customerId }: { customerId: string }) {
  const schedules = useSchedules({ q: customerId });
  return (
    <Card title="Schedules" isFlush>
      <QueryView query={schedules}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="quiet flush-words">This customer has no schedules.</p>
          ) : (
            <>
              <DataTable<ScheduleItem>
                label="Customer’s schedules"
                rows={rows}
                rowKey={(schedule) => schedule.id}
                rowHref={(schedule) => `/schedules/${schedule.id}`}
                columns={[
                  { header: 'Schedule', cell: (schedule) => schedule.description },
                  {
                    header: 'Frequency',
                    cell: (schedule) => capitalised(schedule.frequency_text),
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
                ]}
              />
              <LoadMore query={schedules} />
            </>
          )
        }
      </QueryView>
    </Card>
  );
}
