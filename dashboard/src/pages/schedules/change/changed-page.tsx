import type { Schedule } from '@recollect/sdk';
import { useSchedule, useScheduleConsent } from '../../../api/schedules.ts';
import { Card } from '../../../ui/card.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { ConsentLink } from '../show/consent-link.tsx';
import { PendingChange } from '../show/pending-change.tsx';

/** Shown after a change that waits for the customer: the link they need, and what applies until then. */
export function ChangedPage(props: { schedule: Schedule }) {
  const { data = props.schedule } = useSchedule(props.schedule.id);
  const consent = useScheduleConsent(data.id);
  return (
    <Page
      title="Changes saved"
      back={{ to: `/schedules/${data.id}`, label: data.description }}
      badge={<StatusBadge status={data.status} />}
      actions={
        <LinkButton variant="primary" to={`/schedules/${data.id}`}>
          Go to the schedule
        </LinkButton>
      }
    >
      <PendingChange schedule={data} />
      {data.consent_url === undefined ? (
        <Notice tone="success" title="The customer has decided">
          No consent is outstanding. The schedule page shows the current terms.
        </Notice>
      ) : (
        <Card
          title="Your customer needs to give consent again"
          lead="Send them this link, or let them scan the QR code."
        >
          <ConsentLink
            scheduleId={data.id}
            url={data.consent_url}
            expiresAt={consent.data?.link?.expires_at ?? null}
          />
        </Card>
      )}
    </Page>
  );
}
