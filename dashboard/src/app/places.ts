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
import type { Place, PlaceGroup } from './navigation.tsx';

const SANDBOX: Place = { to: '/sandbox', label: 'Sandbox', icon: FlaskConical };

const GROUPS: readonly PlaceGroup[] = [
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
const SETTINGS: Place = { to: '/settings', label: 'Settings', icon: Settings };

/** Returns the sidebar's links: in the sandbox also its panel. */
export function placesFor(mode: 'sandbox' | 'live'): readonly PlaceGroup[] {
  const manage = mode === 'sandbox' ? [SETTINGS, SANDBOX] : [SETTINGS];
  return [...GROUPS, { label: 'Manage', places: manage }];
}
