import type { BulkAct, FailingGroup } from '../../api/attention.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { countWords } from '../overview/figures.ts';
import type { Bulk } from './bulk-dialog.tsx';

type Row = FailingGroup['schedules'][number];

interface FailingProps {
  group: FailingGroup;
  currency: string;
  onAct: (bulk: Bulk) => void;
}

/** Active schedules that fail for one reason, and what can be done with all of them. */
export function FailingCard({ group, currency, onAct }: FailingProps) {
  const sum = formatMoney({ value: group.value, currency });
  const hidden = group.count - group.schedules.length;
  const value = group.schedules.reduce((total, row) => total + row.amount.value, 0);
  const ask = (act: BulkAct) => onAct({ act, targets: group.schedules, value, currency });
  return (
    <div id={group.reason}>
      <Card
        title={group.message}
        lead={`${countWords(group.count, 'schedule')} failing, ${sum} not collected.`}
        actions={
          <>
            <Can do="retry_payments">
              <Button size="small" onPress={() => ask('retry')}>
                Retry {group.schedules.length === 1 ? 'it' : 'all'}
              </Button>
            </Can>
            <Can do="manage_schedules">
              <Button size="small" variant="ghost" onPress={() => ask('cancel')}>
                Cancel {group.schedules.length === 1 ? 'it' : 'all'}
              </Button>
            </Can>
          </>
        }
        isFlush
      >
        <DataTable<Row>
          label={group.message}
          rows={group.schedules}
          rowKey={(row) => row.schedule.id}
          rowHref={(row) => `/schedules/${row.schedule.id}`}
          columns={[
            { header: 'Schedule', cell: (row) => row.schedule.description },
            { header: 'Customer', cell: (row) => row.customer.label },
            { header: 'Failed', cell: (row) => <When at={row.failed_at} as="datetime" /> },
            { header: 'Amount', align: 'end', cell: (row) => <Money amount={row.amount} /> },
          ]}
        />
        {hidden > 0 ? <p className="list-foot">And {hidden} more, after these.</p> : null}
      </Card>
    </div>
  );
}
