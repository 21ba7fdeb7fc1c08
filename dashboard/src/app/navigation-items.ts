import {
  ArrowLeftRight,
  Bot,
  CalendarClock,
  ChartColumn,
  CircleHelp,
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
import type { Permission } from './session.tsx';

/** A page for members who have one of these permissions; without any, for all. */
type Place = NavigationItem & { needs?: readonly Permission[] };

const GROUPS: readonly { label: string; places: readonly Place[] }[] = [
  {
    label: 'Collections',
    places: [
      { to: '/', label: 'Overview', icon: House },
      { to: '/schedules', label: 'Schedules', icon: CalendarClock },
      { to: '/customers', label: 'Customers', icon: Users },
      { to: '/payments', label: 'Payments', icon: ArrowLeftRight },
      { to: '/refunds', label: 'Refunds', icon: Undo2 },
      { to: '/disputes', label: 'Disputes', icon: CircleHelp },
      { to: '/settlements', label: 'Settlements', icon: Landmark },
      { to: '/reports', label: 'Reports', icon: ChartColumn },
    ],
  },
  {
    label: 'Connections',
    places: [
      { to: '/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/agents', label: 'Agents', icon: Bot },
      {
        to: '/developers',
        label: 'Developers',
        icon: CodeXml,
        needs: ['manage_keys', 'read_requests'],
      },
    ],
  },
  {
    label: 'Manage',
    places: [
      { to: '/settings', label: 'Settings', icon: Settings },
      { to: '/sandbox', label: 'Sandbox', icon: FlaskConical, needs: ['use_sandbox'] },
    ],
  },
];

/** Returns the links of the sidebar that a member can open; the sandbox's panel only in the sandbox. */
export function navigationFor(
  mode: 'sandbox' | 'live',
  permissions: readonly Permission[],
): readonly NavigationGroup[] {
  const isOpen = ({ to, needs }: Place): boolean =>
    (mode === 'sandbox' || to !== '/sandbox') &&
    (needs === undefined || needs.some((one) => permissions.includes(one)));
  return GROUPS.map(({ label, places }) => ({ label, places: places.filter(isOpen) }));
}
