import type { Schedule } from '@recollect/sdk';
import { Notice } from '../../../ui/notice.tsx';
import { When } from '../../../ui/values/when.tsx';

type Kind = NonNullable<Schedule['consent_notice']>['kind'];

const WORDS: Readonly<Record<Kind, { title: string; text: string }>> = {
  in_doubt: {
    title: 'The bank says this consent has ended',
    text: 'We will check with the bank again in about an hour. Until then nothing is collected and due payments are on hold.',
  },
  reauthentication_needed: {
    title: 'The customer needs to confirm this consent again at their bank',
    text: 'Until then nothing is collected and due payments wait. Send the customer the link to their page.',
  },
  limits_changed: {
    title: 'The customer changed the limits at their bank',
    text: 'We do not send payments above the new limits. Ask the customer to raise the limits, or change the schedule.',
  },
};

/** What prevents, or may prevent, the use of a schedule's consent. */
export function ConsentNotice({ schedule }: { schedule: Schedule }) {
  const { consent_notice: notice } = schedule;
  if (notice === null) return null;
  const { title, text } = WORDS[notice.kind];
  return (
    <Notice tone="warning" title={title}>
      {text} Since <When at={notice.since} />.
    </Notice>
  );
}
