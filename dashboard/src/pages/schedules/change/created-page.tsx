import type { Schedule } from '@recollect/sdk';
import { useSchedule, useScheduleConsent } from '../../../api/schedules.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { capitalised } from '../form/frequency-words.ts';
import { ConsentLink } from '../show/consent-link.tsx';
import { CustomerName } from '../show/customer-name.tsx';

/** Shown after a schedule was created: its terms, and the link that the customer needs. Follows the customer's decision. */
export function CreatedPage(props: { schedule: Schedule; onAnother: () => void }) {
  const { data = props.schedule } = useSchedule(props.schedule.id);
  const consent = useScheduleConsent(data.id);
  const toSchedule = (
    <LinkButton variant="primary" to={`/schedules/${data.id}`}>
      Go to the schedule
    </LinkButton>
  );
  return (
    <Page
      title="Schedule created"
      back={{ to: '/schedules', label: 'Schedules' }}
      badge={<StatusBadge status={data.status} />}
      actions={
        <>
          <Button onPress={props.onAnother}>Create another</Button>
          {toSchedule}
        </>
      }
    >
      <Outcome schedule={data} />
      <Card title={data.description}>
        <KeyValue
          items={[
            ['Amount', <Money key="amount" amount={data.amount} />],
            ['Frequency', capitalised(consent.data?.frequency_text ?? '')],
            ['First collection', <When key="first" at={data.next_payment_date} as="datetime" />],
            ['Customer', <CustomerName key="customer" customer={data.customer} />],
          ]}
        />
      </Card>
    </Page>
  );
}

function Outcome({ schedule }: { schedule: Schedule }) {
  const consent = useScheduleConsent(schedule.id);
  if (schedule.consent_url !== undefined)
    return (
      <Card
        title="Now ask your customer for consent"
        lead="Send them this link or QR code. Once they approve it in their bank’s app, the schedule starts automatically."
      >
        <ConsentLink
          scheduleId={schedule.id}
          url={schedule.consent_url}
          expiresAt={consent.data?.link?.expires_at ?? null}
        />
      </Card>
    );
  if (schedule.status === 'active')
    return (
      <Notice tone="success" title="The customer has agreed">
        The schedule is active. The next collection is due{' '}
        <When at={schedule.next_payment_date} as="datetime" />.
      </Notice>
    );
  if (schedule.status === 'cancelled')
    return (
      <Notice tone="warning" title="The customer has not agreed">
        The schedule is cancelled and nothing will be collected.
      </Notice>
    );
  return null;
}
