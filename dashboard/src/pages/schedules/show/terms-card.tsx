import type { Schedule } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useScheduleConsent } from '../../../api/schedules.ts';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { maskedAccount } from '../../../ui/values/masked-account.ts';
import { formatMoney, Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { capitalised } from '../form/frequency-words.ts';
import { CustomerName } from './customer-name.tsx';

/** What is collected from whom, and how often. */
export function TermsCard({ schedule }: { schedule: Schedule }) {
  const consent = useScheduleConsent(schedule.id);
  const live = consent.data?.live;
  const { start_date: start, end_date: end, next_payment_date: next, status } = schedule;
  const items: [string, ReactNode][] = [
    ['Amount', <Amount key="amount" asked={schedule.amount} live={live?.amount} />],
    ...firstPaymentOf(schedule),
    ...limitsOf(schedule),
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
        : maskedAccount(schedule.paying_account, consent.data?.agreement?.bank.name ?? ''),
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

/** The first payment, and what it is for; nothing where there is none. */
function firstPaymentOf({ first_payment: first }: Schedule): [string, ReactNode][] {
  if (first === null) return [];
  const what = first.description === null ? '' : ` (${first.description})`;
  return [['First payment', `${formatMoney(first.amount)} on their consent${what}`]];
}

/** How amounts vary, and within which limits; nothing where every collection takes the amount and the limits are no more. */
function limitsOf({ amount, amount_mode: mode, limits }: Schedule): [string, ReactNode][] {
  const items: [string, ReactNode][] = [];
  if (mode === 'per_occurrence') items.push(['What is collected', 'Set for each collection']);
  const { per_payment: each, per_period: all } = limits;
  if (each.value !== amount.value || all.value !== amount.value)
    items.push(['Limits', limitWords(limits)]);
  return items;
}

/** "£90.00 per payment, £120.00 per month". */
function limitWords({ per_payment: each, per_period: all, period }: Schedule['limits']): string {
  const per = period.replace('_', '-');
  return `${formatMoney(each)} per payment, ${formatMoney(all)} per ${per}`;
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
