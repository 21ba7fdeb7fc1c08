import type { ReactNode } from 'react';
import type { ScheduleItem } from '../../../../../server/src/dashboard/schedules/list-view.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { formatMoney, Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import type { ListColumn } from '../../lists/columns.ts';
import { capitalised } from '../form/frequency-words.ts';

/** The columns of schedules. */
export const SCHEDULE_COLUMNS: readonly ListColumn<ScheduleItem>[] = [
  {
    key: 'schedule',
    header: 'Schedule',
    cell: ({ description, shown }) => (
      <span className="two-lines">
        <span className="main-line">{description}</span>
        <span className="quiet">{shown.customer}</span>
      </span>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    cell: ({ amount, shown: { terms, asked } }) => (
      <span className="two-lines">
        <Money amount={amount} />
        <span className="quiet">{capitalised((asked ?? terms).frequency_text)}</span>
      </span>
    ),
  },
  { key: 'status', header: 'Status', cell: (schedule) => <Status schedule={schedule} /> },
  { key: 'next', header: 'Next collection', cell: nextCell },
  {
    key: 'last',
    header: 'Last payment',
    cell: ({ shown }) => <LastPayment payment={shown.last_payment} />,
  },
  {
    key: 'created',
    header: 'Created',
    isExtra: true,
    cell: ({ created_at: at }) => <When at={at} as="date" />,
  },
  { key: 'id', header: 'ID', isExtra: true, cell: ({ id }) => <Id value={id} /> },
];

function nextCell({ next_payment_date: next, status }: ScheduleItem): ReactNode {
  if (next !== null && status !== 'pending_consent') return <When at={next} as="date" />;
  return <span className="quiet">{status === 'pending_consent' ? 'After consent' : 'None'}</span>;
}

function Status({ schedule: { status, shown } }: { schedule: ScheduleItem }) {
  const isChanging = shown.consent_waiting && status !== 'pending_consent';
  return (
    <span className="two-lines">
      <StatusBadge status={shown.is_failing ? 'active_failing' : status} />
      {isChanging ? <span className="quiet">{changeWords(shown)}</span> : null}
    </span>
  );
}

function changeWords({ terms, asked }: ScheduleItem['shown']): string {
  return asked === null || asked.amount.value === terms.amount.value
    ? 'Change awaiting consent'
    : `${formatMoney(terms.amount)} until the customer agrees`;
}

function LastPayment({ payment }: { payment: ScheduleItem['shown']['last_payment'] }) {
  if (payment === null) return <span className="quiet">None yet</span>;
  return (
    <span className="two-lines">
      <StatusBadge status={payment.status} of="payment" />
      <span className="quiet">
        due <When at={payment.due_date} as="date" />
      </span>
    </span>
  );
}
