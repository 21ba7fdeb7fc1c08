import { SubNav } from '../../../ui/sub-nav.tsx';

const ITEMS = [
  { to: '/settings', label: 'Business' },
  { to: '/settings/team', label: 'Team' },
  { to: '/settings/emails', label: 'Emails' },
  { to: '/settings/security', label: 'Your security' },
  { to: '/settings/activity', label: 'Activity' },
];

/** The tabs of the settings pages. */
export function SettingsNav() {
  return <SubNav label="Settings" items={ITEMS} />;
}
