import type { RecollectEvent } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useEvents } from '../../api/webhooks.ts';
import { ArchivedNote } from '../../app/notices/archived-note.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ShapedListPage } from '../lists/list-page.tsx';
import { shortAddress } from './delivery-words.ts';
import { EventFilters, useEventFilter } from './event-filters.tsx';
import { SubjectLink } from './subject-link.tsx';
import { WebhooksNav } from './webhooks-nav.tsx';
import './webhooks.css';

const COLUMNS: readonly ListColumn<RecollectEvent>[] = [
  { key: 'event', header: 'Event', cell: (event) => <code className="kind">{event.kind}</code> },
  { key: 'about', header: 'About', cell: (event) => <SubjectLink id={event.subject_id} /> },
  { key: 'deliveries', header: 'Deliveries', cell: deliveriesCell },
  { key: 'when', header: 'When', cell: (event) => <When at={event.created_at} /> },
  { key: 'id', header: 'ID', isExtra: true, cell: ({ id }) => <Id value={id} /> },
];

/** Every event, and its deliveries. */
export function EventsPage() {
  const { filter, ...url } = useEventFilter();
  const nothing =
    filter.delivery === 'undelivered'
      ? { title: 'All events delivered', text: 'Every endpoint has acknowledged its events.' }
      : { title: 'No events match' };
  return (
    <ShapedListPage
      title="Event log"
      label="Events"
      actions={<DownloadCsv of="/api/v1/events" filter={{ ...filter }} />}
      nav={<WebhooksNav />}
      filters={<EventFilters {...url} />}
      url={url}
      list="events"
      query={useEvents(filter)}
      columns={COLUMNS}
      rowPath="/webhooks/events"
      unmatched={{ ...nothing, showAll: 'Show all events' }}
      empty={{
        title: 'No events yet',
        text: (
          <>
            Events appear here as things happen: a customer gives consent, a payment is collected, a
            settlement is paid out.
          </>
        ),
        action: <LinkButton to="/webhooks">Choose where to send them</LinkButton>,
      }}
    >
      <ArchivedNote />
    </ShapedListPage>
  );
}

function deliveriesCell({ deliveries }: RecollectEvent): ReactNode {
  if (deliveries.length === 0) return <StatusBadge status="no_endpoint" />;
  return (
    <ul className="plain-list deliveries">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <StatusBadge status={delivery.status} of="delivery" />
          <span className="quiet short-address" title={delivery.endpoint_url}>
            {shortAddress(delivery.endpoint_url)}
          </span>
        </li>
      ))}
    </ul>
  );
}
