import type { ReactNode } from 'react';
import type {
  EndpointHealth,
  RecentDelivery,
} from '../../../../server/src/dashboard/webhooks/view.ts';
import { useEndpointActivity } from '../../api/webhooks.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/values/when.tsx';
import { durationWords } from './delivery-words.ts';
import { healthTone, rateText } from './health-words.ts';

/** How an endpoint has answered in the last seven days. */
export function EndpointHealthCard({ endpointId }: { endpointId: string }) {
  return (
    <Card title="Last 7 days">
      <QueryView query={useEndpointActivity(endpointId)}>
        {({ health }) =>
          health.attempts === 0 ? (
            <p className="quiet">Nothing was sent to it.</p>
          ) : (
            <KeyValue items={healthItems(health)} />
          )
        }
      </QueryView>
    </Card>
  );
}

function healthItems(health: EndpointHealth): [string, ReactNode][] {
  const { attempts, acknowledged, last_acknowledged_at: last, median_ms: median } = health;
  return [
    [
      'Acknowledged',
      <span key="rate" className="row">
        <Badge tone={healthTone(health)}>{rateText(health)}</Badge>
        <span className="quiet small">
          {acknowledged.toLocaleString('en-GB')} of {attempts.toLocaleString('en-GB')} requests
        </span>
      </span>,
    ],
    ['Last success', last === null ? 'None' : <When key="last" at={last} as="datetime" />],
    ['Typical response', median === null ? '–' : durationWords(median)],
  ];
}

/** What was sent to an endpoint last, newest first. */
export function RecentDeliveries({ endpointId }: { endpointId: string }) {
  return (
    <Card title="Recent deliveries" isFlush>
      <QueryView query={useEndpointActivity(endpointId)}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <Empty title="No deliveries in the last 7 days">
              Events appear here as they are sent.
            </Empty>
          ) : (
            <DataTable<RecentDelivery>
              label="Recent deliveries"
              rows={deliveries}
              rowKey={(row) => row.event_id}
              rowHref={(row) => `/webhooks/events/${row.event_id}`}
              columns={[
                { header: 'Event', cell: ({ kind }) => kind },
                { header: 'When', cell: ({ at }) => <When at={at} as="datetime" /> },
                {
                  header: 'Delivery',
                  cell: ({ status }) => <StatusBadge status={status} of="delivery" />,
                },
                { header: 'Attempts', cell: ({ attempts }) => attempts },
                {
                  header: 'Why not acknowledged',
                  cell: ({ status, error }) => (status === 'delivered' ? '–' : (error ?? '–')),
                },
              ]}
            />
          )
        }
      </QueryView>
    </Card>
  );
}
