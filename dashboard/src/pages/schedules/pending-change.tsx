import type { Schedule } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { formatMoney } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/when.tsx';
import { frequencyWords } from './frequency-words.ts';
import { openChanges } from './open-changes.ts';

/** Says what of a change still waits for the customer, and what is collected until then. */
export function PendingChange({ schedule }: { schedule: Schedule }) {
  const { consented, consent_url: link, status } = schedule;
  if (consented === null || link === undefined || status === 'cancelled') return null;
  const changed = openChanges(schedule);
  if (changed.length === 0) return null;
  const now = formatMoney(consented.amount);
  return (
    <Notice tone="warning" title="A change waits for the customer’s new consent">
      <p>
        Until then collecting goes on as agreed: {now} {frequencyWords(consented.frequency)}
        {consented.end_date === null ? null : (
          <>
            , until <When at={consented.end_date} as="date" />
          </>
        )}
        .
      </p>
      <ul className="change-list">
        {changed.map((field) => (
          <li key={field}>{CHANGE_WORDS[field](schedule)}</li>
        ))}
      </ul>
    </Notice>
  );
}

const CHANGE_WORDS: Readonly<
  Record<ReturnType<typeof openChanges>[number], (schedule: Schedule) => ReactNode>
> = {
  amount: ({ amount, consented }) => (
    <>
      Amount: {consented === null ? null : `${formatMoney(consented.amount)} → `}
      {formatMoney(amount)}
    </>
  ),
  frequency: ({ frequency, consented }) => (
    <>
      Frequency: {consented === null ? null : `${frequencyWords(consented.frequency)} → `}
      {frequencyWords(frequency)}
    </>
  ),
  end_date: ({ end_date }) => (
    <>End: {end_date === null ? 'until somebody ends it' : <When at={end_date} as="datetime" />}</>
  ),
};
