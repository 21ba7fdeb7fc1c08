import {
  ArrowLeftRight,
  CalendarClock,
  ChartColumn,
  CodeXml,
  FlaskConical,
  House,
  Landmark,
  Settings,
  Undo2,
  Users,
  Webhook,
} from '../ui/icons.tsx';
import type { NavigationGroup, NavigationItem } from './navigation.tsx';

const SANDBOX: NavigationItem = { to: '/sandbox', label: 'Sandbox', icon: FlaskConical };

const GROUPS: readonly NavigationGroup[] = [
  {
    label: 'Collections',
    places: [
      { to: '/', label: 'Overview', icon: House },
      { to: '/schedules', label: 'Schedules', icon: CalendarClock },
      { to: '/customers', label: 'Customers', icon: Users },
      { to: '/payments', label: 'Payments', icon: ArrowLeftRight },
      { to: '/refunds', label: 'Refunds', icon: Undo2 },
      { to: '/settlements', label: 'Settlements', icon: Landmark },
      { to: '/reports', label: 'Reports', icon: ChartColumn },
    ],
  },
  {
    label: 'Connections',
    places: [
      { to: '/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/developers', label: 'Developers', icon: CodeXml },
    ],
  },
];
const SETTINGS: NavigationItem = { to: '/settings', label: 'Settings', icon: Settings };

/** Returns the sidebar's links: in the sandbox also its panel. */
export function navigationFor(mode: 'sandbox' | 'live'): readonly NavigationGroup[] {
  const manage = mode === 'sandbox' ? [SETTINGS, SANDBOX] : [SETTINGS];
  return [...GROUPS, { label: 'Manage', places: manage }];
}
