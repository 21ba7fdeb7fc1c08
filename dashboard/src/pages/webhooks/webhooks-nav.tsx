import { SubNav } from '../../ui/sub-nav.tsx';

/** The tabs of the webhooks' pages. */
export function WebhooksNav() {
  return (
    <SubNav
      label="Webhooks"
      items={[
        { to: '/webhooks', label: 'Endpoints' },
        { to: '/webhooks/events', label: 'Event log' },
      ]}
    />
  );
}
