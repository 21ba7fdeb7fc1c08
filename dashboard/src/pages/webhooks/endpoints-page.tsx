import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@recollect/sdk';
import { type ReactNode, useState } from 'react';
import { type EndpointItem, useEndpoints } from '../../api/webhooks.ts';
import { useCan } from '../../app/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { When } from '../../ui/values/when.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointSecret } from './endpoint-secret.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import { SUBSCRIBED_KINDS } from './event-kinds.ts';
import { healthTone, rateText } from './health-words.ts';
import { WebhooksNav } from './webhooks-nav.tsx';
import './webhooks.css';

const COLUMNS: readonly Column<EndpointItem>[] = [
  {
    header: 'Endpoint',
    cell: ({ url, description }) => (
      <span className="endpoint-name">
        <span className="endpoint-url">{url}</span>
        {description === '' ? null : <span className="quiet">{description}</span>}
      </span>
    ),
  },
  { header: 'Status', cell: statusCell },
  { header: 'Acknowledged', cell: ({ shown }) => <Rate health={shown} /> },
  {
    header: 'Last success',
    cell: ({ shown: { last_acknowledged_at: at } }) => <When at={at} as="relative" />,
  },
  {
    header: 'Events',
    cell: ({ event_kinds: kinds }) => <span className="nowrap">{kindsText(kinds)}</span>,
  },
];

/** All endpoints. */
export function EndpointsPage() {
  const mayManage = useCan('manage_webhooks');
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<WebhookEndpointWithSecret | null>(null);
  const add = mayManage ? (
    <Button variant="primary" onPress={() => setAdding(true)}>
      Add an endpoint
    </Button>
  ) : undefined;
  return (
    <ListPage
      title="Webhook endpoints"
      actions={add}
      nav={<WebhooksNav />}
      query={useEndpoints()}
      columns={COLUMNS}
      rowPath="/webhooks/endpoints"
      empty={{
        title: 'No endpoints yet',
        text: (
          <>
            Add your server’s address to be notified when a customer gives consent, when money is
            collected and when it is paid out. Earlier events are kept in the event log.
          </>
        ),
        action: add,
      }}
    >
      {isAdding ? <AddEndpoint onClose={() => setAdding(false)} onMade={setMade} /> : null}
      <EndpointSecret
        title="Your endpoint’s secret"
        secret={made?.secret ?? null}
        onClose={() => setMade(null)}
      />
    </ListPage>
  );
}

function Rate({ health }: { health: EndpointItem['shown'] }) {
  if (health.attempts === 0) return <span className="quiet">Nothing sent</span>;
  return (
    <span className="nowrap">
      <Badge tone={healthTone(health)}>{rateText(health)}</Badge>
    </span>
  );
}

function kindsText(kinds: readonly string[]): string {
  if (SUBSCRIBED_KINDS.every((kind) => kinds.includes(kind))) return 'All types';
  return kinds.length === 1 ? (kinds[0] ?? '') : `${kinds.length} types`;
}

function statusCell(endpoint: WebhookEndpoint): ReactNode {
  const { held, undelivered, next_secret_activates_at: nextSecret } = endpoint;
  return (
    <span className="row">
      <EndpointStatus endpoint={endpoint} />
      {undelivered === 0 ? null : <Badge tone="danger">{undelivered} undelivered</Badge>}
      {held === 0 ? null : <Badge tone="warning">{held} held</Badge>}
      {nextSecret === null ? null : <Badge tone="info">New secret pending</Badge>}
    </span>
  );
}
