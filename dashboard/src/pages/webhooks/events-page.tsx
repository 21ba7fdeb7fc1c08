import type { RecollectEvent } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { useEvents } from '../../api/webhooks.ts';
import { ArchivedNote } from '../../app/archived-note.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Id } from '../../ui/id.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { DownloadCsv } from '../lists/download-csv.tsx';
import { ListTools } from '../lists/list-tools.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { shortAddress } from './delivery-words.ts';
import { EventFilters, useEventFilter } from './event-filters.tsx';
import { SubjectLink } from './subject-link.tsx';
import { WebhooksNav } from './webhooks-nav.tsx';
import './webhooks.css';
import '../lists/lists.css';

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
  const events = useEvents(filter);
  const columns = useColumns('events', COLUMNS, url);
  return (
    <Page title="Event log" actions={<DownloadCsv of="/api/v1/events" filter={{ ...filter }} />}>
      <WebhooksNav />
      <EventFilters {...url} />
      <ListTools list="events" columns={columns} url={url} />
      <Card isFlush>
        <QueryView query={events}>
          {({ data, total }) =>
            data.length === 0 ? (
              <NothingFound
                isUndelivered={filter.delivery === 'undelivered'}
                isNarrowed={url.isNarrowed}
                onClear={url.clear}
              />
            ) : (
              <>
                <DataTable<RecollectEvent>
                  label="Events"
                  rows={data}
                  rowKey={(event) => event.id}
                  rowHref={(event) => `/webhooks/events/${event.id}`}
                  columns={columns.shown}
                />
                <p className="list-foot">
                  {data.length.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')} shown
                </p>
                <LoadMore query={events} />
              </>
            )
          }
        </QueryView>
      </Card>
      <ArchivedNote />
    </Page>
  );
}

interface NothingProps {
  isUndelivered: boolean;
  isNarrowed: boolean;
  onClear: () => void;
}

function NothingFound({ isUndelivered, isNarrowed, onClear }: NothingProps) {
  if (!isNarrowed)
    return (
      <Empty
        title="No events yet"
        action={<LinkButton to="/webhooks">Choose where to send them</LinkButton>}
      >
        Events appear here as things happen: a customer gives consent, a payment is collected, a
        settlement is paid out.
      </Empty>
    );
  return (
    <Empty
      title={isUndelivered ? 'All events delivered' : 'No events match'}
      action={<Button onPress={onClear}>Show all events</Button>}
    >
      {isUndelivered ? 'Every endpoint has acknowledged its events.' : null}
    </Empty>
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
