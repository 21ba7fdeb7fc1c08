import type { Schedule } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useScheduleConsent } from '../../api/schedules.ts';
import { Card } from '../../ui/card.tsx';
import { Id } from '../../ui/id.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { Money } from '../../ui/money.tsx';
import { When } from '../../ui/when.tsx';
import { CustomerName } from './customer-name.tsx';
import { capitalised } from './frequency-words.ts';

/** What is collected from whom, and how often. */
export function TermsCard({ schedule }: { schedule: Schedule }) {
  const consent = useScheduleConsent(schedule.id);
  const live = consent.data?.live;
  const { start_date: start, end_date: end, next_payment_date: next, status } = schedule;
  const items: [string, ReactNode][] = [
    ['Amount', <Amount key="amount" asked={schedule.amount} live={live?.amount} />],
    ['Frequency', capitalised(live?.frequency_text ?? consent.data?.frequency_text ?? '')],
    ['Customer', <CustomerName key="customer" customer={schedule.customer} />],
    [
      status === 'pending_consent' ? 'First collection, once agreed' : 'Next collection',
      next === null ? 'None' : <When key="next" at={next} as="datetime" />,
    ],
  ];
  if (start !== null) items.push(['Start', <When key="start" at={start} as="datetime" />]);
  items.push(
    ['End', end === null ? 'No end date' : <When key="end" at={end} as="datetime" />],
    [
      'Paid from',
      schedule.paying_account === null
        ? 'Not known yet'
        : `Account ${schedule.paying_account.account_number}`,
    ],
    ['On their statement', schedule.reference],
    ['Retries', schedule.max_retries === 0 ? 'None' : `Up to ${schedule.max_retries}`],
    ['Created', <When key="created" at={schedule.created_at} as="datetime" />],
    ['Schedule ID', <Id key="id" value={schedule.id} />],
  );
  return (
    <Card title="Terms">
      <KeyValue items={items} />
    </Card>
  );
}

type Price = Schedule['amount'];

/** The amount that is collected now, and another one that waits for the customer. */
function Amount({ asked, live = asked }: { asked: Price; live: Price | undefined }) {
  if (live.value === asked.value) return <Money amount={live} />;
  return (
    <>
      <Money amount={live} />, or <Money amount={asked} /> once the customer agrees
    </>
  );
}
