import { useCan } from '../../app/session.tsx';
import { SubNav } from '../../ui/sub-nav.tsx';

/** The tabs of the developers' pages. */
export function DevelopersNav() {
  const mayManage = useCan('manage_keys');
  const mayRead = useCan('read_requests');
  const keys = { to: '/developers', label: 'API keys' };
  const log = { to: '/developers/requests', label: 'Request log' };
  return (
    <SubNav
      label="Developers"
      items={[
        ...(mayManage ? [keys] : []),
        ...(mayRead ? [log] : []),
        { to: '/developers/quickstart', label: 'Quickstart' },
      ]}
    />
  );
}
