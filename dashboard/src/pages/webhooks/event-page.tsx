import type { RecollectEventDetail } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useEvent } from '../../api/webhooks.ts';
import { useCan } from '../../app/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import { DeliveryCard } from './delivery-card.tsx';
import { EventBody } from './event-body.tsx';
import { Resend } from './resend.tsx';
import { SubjectLink } from './subject-link.tsx';
import './webhooks.css';
import '../lists/lists.css';

/** One event: its payload, its receivers, and the result of every attempt. */
export function EventPage() {
  const { id = '' } = useParams();
  const event = useEvent(id);
  const mayResend = useCan('manage_webhooks');
  const { data } = event;
  const hasSeveral = data !== undefined && data.deliveries.length > 1;
  return (
    <Page
      title={data?.kind ?? 'Event'}
      back={{ to: '/webhooks/events', label: 'Event log' }}
      actions={
        hasSeveral && mayResend ? <Resend eventId={data.id} label="Resend to all" /> : undefined
      }
    >
      <QueryView query={event}>
        {(found) => (
          <>
            <div className="detail">
              <div className="detail-side">
                <Facts event={found} />
              </div>
              <div className="stack">
                <Deliveries event={found} mayResend={mayResend} />
              </div>
            </div>
            <EventBody body={found.body} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Facts({ event }: { event: RecollectEventDetail }) {
  const items: [string, ReactNode][] = [
    ['Happened', <When key="at" at={event.created_at} />],
    ['About', <SubjectLink key="about" id={event.subject_id} />],
  ];
  if (event.schedule_id !== null && event.schedule_id !== event.subject_id)
    items.push(['Schedule', <SubjectLink key="schedule" id={event.schedule_id} />]);
  if (event.sequence !== null) items.push(['Sequence number in its schedule', event.sequence]);
  items.push(['Event ID', <Id key="id" value={event.id} />]);
  return (
    <Card>
      <KeyValue items={items} />
    </Card>
  );
}

function Deliveries({ event, mayResend }: { event: RecollectEventDetail; mayResend: boolean }) {
  if (event.deliveries.length === 0)
    return (
      <Card title="Deliveries">
        <Empty
          title="No endpoint receives this event"
          action={<LinkButton to="/webhooks">View endpoints</LinkButton>}
        >
          Send this event type to an endpoint, then replay the events from that time.
        </Empty>
      </Card>
    );
  return event.deliveries.map((delivery) => (
    <DeliveryCard
      key={delivery.id}
      delivery={delivery}
      action={
        mayResend && delivery.status !== 'held' ? (
          <Resend eventId={event.id} endpointId={delivery.endpoint_id} label="Resend" />
        ) : undefined
      }
    />
  ));
}
