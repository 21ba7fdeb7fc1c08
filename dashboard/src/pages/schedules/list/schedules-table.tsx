import type { ReactNode } from 'react';
import type { ScheduleItem } from '../../../../../server/src/dashboard/schedules/view.ts';
import { Id } from '../../../ui/id.tsx';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { When } from '../../../ui/when.tsx';
import type { ListColumn } from '../../lists/columns.ts';
import { capitalised } from '../form/frequency-words.ts';

/** The columns of schedules. */
export const SCHEDULE_COLUMNS: readonly ListColumn<ScheduleItem>[] = [
  {
    key: 'schedule',
    header: 'Schedule',
    cell: ({ description, customer }) => (
      <span className="two-lines">
        <span className="main-line">{description}</span>
        <span className="quiet">{customer.label}</span>
      </span>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    cell: ({ amount, frequency_text }) => (
      <span className="two-lines">
        <Money amount={amount} />
        <span className="quiet">{capitalised(frequency_text)}</span>
      </span>
    ),
  },
  { key: 'status', header: 'Status', cell: (schedule) => <Status schedule={schedule} /> },
  { key: 'next', header: 'Next collection', cell: nextCell },
  {
    key: 'last',
    header: 'Last payment',
    cell: ({ last_payment }) => <LastPayment payment={last_payment} />,
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

function Status({ schedule }: { schedule: ScheduleItem }) {
  const isChanging = schedule.consent_waiting && schedule.status !== 'pending_consent';
  return (
    <span className="two-lines">
      <StatusBadge status={schedule.is_failing ? 'active_failing' : schedule.status} />
      {isChanging ? <span className="quiet">{changeWords(schedule)}</span> : null}
    </span>
  );
}

function changeWords({ amount, asked }: ScheduleItem): string {
  return asked === null || asked.amount.value === amount.value
    ? 'Change awaiting consent'
    : `Change to ${formatMoney(asked.amount)} awaiting consent`;
}

function LastPayment({ payment }: { payment: ScheduleItem['last_payment'] }) {
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
