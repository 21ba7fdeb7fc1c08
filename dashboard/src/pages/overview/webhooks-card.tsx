import { Link } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { countWords } from './figures.ts';

type Webhooks = OverviewView['webhooks'];

/** Endpoints with failing or waiting deliveries. */
export function WebhooksCard({ overview }: { overview: OverviewView }) {
  const { webhooks } = overview;
  return (
    <Card title="Webhooks" actions={<Link to="/webhooks">Endpoints</Link>}>
      <WebhooksStatus webhooks={webhooks} />
      {webhooks.failing.length === 0 ? null : (
        <ul className="rows">
          {webhooks.failing.map((endpoint) => (
            <li key={endpoint.endpoint_id}>
              <Link to={`/webhooks/endpoints/${endpoint.endpoint_id}`}>
                <span className="row-words">
                  <strong className="address">{endpoint.url}</strong>
                  <span className="quiet">
                    {endpoint.last_error ?? `The endpoint is ${endpoint.status}.`}
                  </span>
                </span>
                <Badge tone="danger">{`${endpoint.undelivered} undelivered`}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {webhooks.undelivered === 0 ? null : (
        <p>
          <Link to="/webhooks/events?delivery=undelivered">
            See undelivered events and resend them
          </Link>
        </p>
      )}
    </Card>
  );
}

function WebhooksStatus({ webhooks }: { webhooks: Webhooks }) {
  if (webhooks.endpoints === 0)
    return (
      <p className="quiet">
        No endpoints yet. <Link to="/webhooks">Add one</Link> to be notified of every collection as
        it happens.
      </p>
    );
  if (webhooks.undelivered === 0)
    return (
      <p>
        <Badge tone="success">All delivered</Badge>{' '}
        <span className="quiet">to {countWords(webhooks.endpoints, 'endpoint')}</span>
      </p>
    );
  return (
    <p>
      <Badge tone="warning">{`${countWords(webhooks.undelivered, 'event')} undelivered`}</Badge>{' '}
      <span className="quiet">of {countWords(webhooks.endpoints, 'endpoint')}</span>
    </p>
  );
}
