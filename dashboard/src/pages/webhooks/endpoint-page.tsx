import type { WebhookEndpoint } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useEndpoint } from '../../api/webhooks.ts';
import { useCan } from '../../app/session.tsx';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { shortAddress } from './delivery-words.ts';
import { EditEndpoint } from './edit-endpoint.tsx';
import { EnableSwitch } from './enable-switch.tsx';
import { EndpointHealthCard, RecentDeliveries } from './endpoint-activity.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import { ReplayEvents } from './replay-events.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SendTest } from './send-test.tsx';
import './webhooks.css';
import '../lists/lists.css';

/** One endpoint, and all its actions. */
export function EndpointPage() {
  const { id = '' } = useParams();
  const endpoint = useEndpoint(id);
  const mayManage = useCan('manage_webhooks');
  const { data } = endpoint;
  return (
    <Page
      title={data === undefined ? 'Endpoint' : data.description || shortAddress(data.url)}
      back={{ to: '/webhooks', label: 'Endpoints' }}
      badge={data === undefined ? undefined : <EndpointStatus endpoint={data} />}
      actions={data !== undefined && mayManage ? <Actions endpoint={data} /> : undefined}
    >
      <QueryView query={endpoint}>
        {(found) => (
          <>
            <Undelivered endpoint={found} />
            <Held endpoint={found} />
            <div className="detail">
              <div className="detail-side stack">
                <Facts endpoint={found} />
                <EndpointHealthCard endpointId={found.id} />
                {mayManage ? <RotateSecret endpoint={found} /> : null}
              </div>
              {mayManage ? (
                <div className="stack" key={found.id}>
                  <EditEndpoint endpoint={found} />
                  <ReplayEvents endpoint={found} />
                </div>
              ) : (
                <Kinds kinds={found.event_kinds} />
              )}
            </div>
            <RecentDeliveries endpointId={found.id} />
            {mayManage ? <DeleteEndpoint endpoint={found} /> : null}
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <EnableSwitch endpoint={endpoint} />
      <SendTest endpoint={endpoint} />
    </>
  );
}

function Undelivered({ endpoint: { undelivered } }: { endpoint: WebhookEndpoint }) {
  if (undelivered === 0) return null;
  return (
    <Notice
      tone="danger"
      title={undelivered === 1 ? '1 event did not arrive' : `${undelivered} events did not arrive`}
    >
      The last attempt to send each of them failed.{' '}
      <Link to="/webhooks/events?delivery=undelivered">See why in the event log</Link>, and replay
      them below once your server answers again.
    </Notice>
  );
}

function Held({ endpoint: { status, held } }: { endpoint: WebhookEndpoint }) {
  if (status === 'disabled')
    return (
      <Notice tone="warning" title="This endpoint is disabled">
        We send nothing to it, and no events are lost:{' '}
        {held === 0 ? 'events' : `${held} events so far`} are on hold until you enable it and replay
        them.
      </Notice>
    );
  if (held === 0) return null;
  return (
    <Notice tone="info" title={held === 1 ? '1 event is on hold' : `${held} events are on hold`}>
      These date from when the endpoint was disabled. Replay them below.
    </Notice>
  );
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const items: [string, ReactNode][] = [
    [
      'URL',
      <span key="url" className="endpoint-url">
        {endpoint.url}
      </span>,
    ],
  ];
  items.push(
    ['Added', <When key="added" at={endpoint.created_at} />],
    ['Endpoint ID', <Id key="id" value={endpoint.id} />],
    [
      'Not delivered',
      <Link key="undelivered" to="/webhooks/events?delivery=undelivered">
        Undelivered events
      </Link>,
    ],
  );
  return (
    <Card>
      <KeyValue items={items} />
    </Card>
  );
}

function Kinds({ kinds }: { kinds: string[] }) {
  return (
    <Card title="Events to send">
      <ul className="plain-list">
        {kinds.map((kind) => (
          <li key={kind}>
            <code>{kind}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}
