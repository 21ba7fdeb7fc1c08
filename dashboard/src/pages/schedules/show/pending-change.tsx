import type { Schedule } from '@recollect/sdk';
import type { ReactNode } from 'react';
import type { ScheduleConsent } from '../../../../../server/src/dashboard/schedules/view.ts';
import { useComing, useScheduleConsent } from '../../../api/schedules.ts';
import { Notice } from '../../../ui/notice.tsx';
import { formatMoney, Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { openChanges } from './open-changes.ts';

/** Shows which changes still wait for the customer, and what is collected until then. */
export function PendingChange({ schedule }: { schedule: Schedule }) {
  const { consented, consent_url: link, status } = schedule;
  const coming = useComing(schedule.id);
  const consent = useScheduleConsent(schedule.id);
  if (consented === null || link === undefined || status === 'cancelled') return null;
  const changed = openChanges(schedule);
  if (changed.length === 0) return null;
  const next = coming.data?.find((one) => !one.skipped);
  return (
    <Notice tone="warning" title="A change is awaiting the customer’s consent">
      <p>
        Until then we collect on the old terms.
        {next === undefined ? null : (
          <>
            {' '}
            The next collection is {next.amount === null ? null : <Money amount={next.amount} />} on{' '}
            <When at={next.due_date} as="datetime" />.
          </>
        )}
      </p>
      <ul className="change-list">
        {changed.map((field) => (
          <li key={field}>{CHANGE_WORDS[field](schedule, consent.data)}</li>
        ))}
      </ul>
    </Notice>
  );
}

const CHANGE_WORDS: Readonly<
  Record<
    ReturnType<typeof openChanges>[number],
    (schedule: Schedule, consent: ScheduleConsent | undefined) => ReactNode
  >
> = {
  amount: ({ amount, consented }) => (
    <>
      Amount: {formatMoney(amount)}
      {agreed(consented === null ? null : formatMoney(consented.amount))}
    </>
  ),
  frequency: (_, consent) => (
    <>
      Frequency: {consent?.frequency_text}
      {agreed(consent?.consented_frequency_text ?? null)}
    </>
  ),
  end_date: ({ end_date }) => (
    <>End: {end_date === null ? 'no end date' : <When at={end_date} as="datetime" />}</>
  ),
};

/** Formats the agreed terms. The amount collected may be lower than agreed: lowering it needs no consent. */
function agreed(words: string | null): string {
  return words === null ? '' : ` (currently agreed: ${words})`;
}
