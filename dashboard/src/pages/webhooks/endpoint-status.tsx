import type { WebhookEndpoint } from '@recollect/sdk';
import { Badge } from '../../ui/badge.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** An endpoint's status. Green only while everything arrives. */
export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, undelivered } = endpoint;
  if (status === 'enabled' && undelivered > 0)
    return <Badge tone="warning">Enabled, failing</Badge>;
  return <StatusBadge status={status} />;
}
