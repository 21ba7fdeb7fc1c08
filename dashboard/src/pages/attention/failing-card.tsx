import type { BulkAct, FailingGroup } from '../../api/attention.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable } from '../../ui/data/data-table.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { isAccountReason, reasonLabel } from '../lists/reasons.ts';
import { countWords } from '../overview/figures.ts';
import type { Bulk } from './bulk-dialog.tsx';

type Row = FailingGroup['schedules'][number];

const OTHER_ACCOUNT: Column<Row> = {
  header: 'Another account',
  cell: ({ other_account: other }) =>
    other === null ? 'Not asked' : { asked: 'Waiting for the customer', agreed: 'Agreed' }[other],
};

const sumOf = (rows: readonly Row[]): number =>
  rows.reduce((total, row) => total + row.amount.value, 0);

const actOn = (verb: string, count: number, noun: string): string =>
  count === 1 ? `${verb} ${noun}` : `${verb} ${countWords(count, noun)}`;

interface FailingProps {
  group: FailingGroup;
  currency: string;
  onAct: (bulk: Bulk) => void;
}

/** Active schedules that fail for one reason, and what can be done with all of them. */
export function FailingCard({ group, currency, onAct }: FailingProps) {
  const title = reasonLabel(group.reason) ?? group.message;
  const sum = formatMoney({ value: group.value, currency });
  const hidden = group.count - group.schedules.length;
  const ask = (act: BulkAct, targets: readonly Row[]) =>
    onAct({ act, targets, value: sumOf(targets), currency });
  const isOfAccount = isAccountReason(group.reason);
  const toAsk = isOfAccount ? group.schedules.filter((row) => row.other_account === null) : [];
  const toRetry = isOfAccount
    ? group.schedules.filter((row) => row.other_account === 'agreed')
    : group.schedules;
  return (
    <div id={group.reason}>
      <Card
        title={title}
        lead={`${countWords(group.count, 'schedule')} failing, ${sum} not collected.`}
        actions={
          <>
            {toAsk.length === 0 ? null : (
              <Can do="manage_schedules">
                <Button size="small" onPress={() => ask('another_account', toAsk)}>
                  Ask for another account
                </Button>
              </Can>
            )}
            {toRetry.length === 0 ? null : (
              <Can do="retry_payments">
                <Button size="small" onPress={() => ask('retry', toRetry)}>
                  {actOn('Retry', toRetry.length, 'payment')}
                </Button>
              </Can>
            )}
            <Can do="manage_schedules">
              <Button size="small" variant="ghost" onPress={() => ask('cancel', group.schedules)}>
                {actOn('Cancel', group.schedules.length, 'schedule')}
              </Button>
            </Can>
          </>
        }
        isFlush
      >
        <DataTable<Row>
          label={title}
          rows={group.schedules}
          rowKey={(row) => row.schedule.id}
          rowHref={(row) => `/schedules/${row.schedule.id}`}
          columns={[
            { header: 'Schedule', cell: (row) => row.schedule.description },
            { header: 'Customer', cell: (row) => row.customer.label },
            { header: 'Failed', cell: (row) => <When at={row.failed_at} as="datetime" /> },
            ...(isOfAccount ? [OTHER_ACCOUNT] : []),
            { header: 'Amount', align: 'end', cell: (row) => <Money amount={row.amount} /> },
          ]}
        />
        {hidden > 0 ? <p className="list-foot">And {hidden} more, after these.</p> : null}
      </Card>
    </div>
  );
}
