import { useCan } from '../../app/session.tsx';
import { SubNav } from '../../ui/sub-nav.tsx';

/** The tabs of the developers' pages. */
export function DevelopersNav() {
  const mayRead = useCan('read_requests');
  const log = { to: '/developers/requests', label: 'Request log' };
  return (
    <SubNav
      label="Developers"
      items={[
        { to: '/developers', label: 'API keys' },
        ...(mayRead ? [log] : []),
        { to: '/developers/quickstart', label: 'Quickstart' },
      ]}
    />
  );
}
