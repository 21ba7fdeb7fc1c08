import { Link } from 'react-router';
import { AppFrame } from '../app/app-frame.tsx';
import { Starting } from '../app/frame.tsx';
import { LeaveGuard } from '../app/leave-guard.tsx';
import { Navigation, type NavigationGroup } from '../app/navigation.tsx';
import { Wordmark } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import {
  Building2,
  CircleHelp,
  History,
  House,
  Inbox,
  KeyRound,
  Landmark,
  Scale,
  Search,
  ShieldCheck,
  Users,
} from '../ui/icons.tsx';
import { toast } from '../ui/overlays/toast.tsx';
import { signOut } from './api/client.ts';
import { useDecisionTotals } from './api/decisions.ts';
import { OperatorGate, useMe } from './session.tsx';
import './shell.css';

/** How many decisions wait; nothing where none does, or it is not known. */
function WaitingCount() {
  const total = useDecisionTotals().data?.total ?? 0;
  return total === 0 ? null : <span className="nav-count">{total}</span>;
}

const GROUPS: readonly NavigationGroup[] = [
  {
    label: 'Service',
    places: [
      { to: '/', label: 'Overview', icon: House },
      { to: '/search', label: 'Search', icon: Search },
      { to: '/merchants', label: 'Merchants', icon: Building2 },
      { to: '/banks', label: 'Banks', icon: Landmark },
    ],
  },
  {
    label: 'Money',
    places: [
      { to: '/decisions', label: 'Needs a decision', icon: Inbox, count: <WaitingCount /> },
      { to: '/disputes', label: 'Disputes', icon: CircleHelp },
      { to: '/reconciliation', label: 'Reconciliation', icon: Scale },
      { to: '/safeguarding', label: 'Safeguarding', icon: ShieldCheck },
    ],
  },
  {
    label: 'Access',
    places: [
      { to: '/users', label: 'Users', icon: Users },
      { to: '/operators', label: 'Operators', icon: KeyRound },
      { to: '/activity', label: 'Activity', icon: History },
    ],
  },
];

function leave(): void {
  signOut().catch(() =>
    toast('You are still signed in because the service did not respond. Try again.', 'danger'),
  );
}

function Sidebar({ onLeave }: { onLeave: (() => void) | undefined }) {
  const { name } = useMe();
  return (
    <div className="sidebar">
      <Link to="/" className="brand" onClick={onLeave}>
        <Wordmark />
      </Link>
      <p className="sidebar-merchant">Operators’ console</p>
      <Navigation groups={GROUPS} onLeave={onLeave} />
      <div className="stack">
        <p className="small">
          Signed in as <strong>{name}</strong>
        </p>
        <Button onPress={leave}>Sign out</Button>
      </div>
    </div>
  );
}

/** The frame of every page behind the sign-in. */
export function Shell() {
  return (
    <OperatorGate waiting={<Starting />}>
      <AppFrame sidebar={(onLeave) => <Sidebar onLeave={onLeave} />} />
      <LeaveGuard />
    </OperatorGate>
  );
}
