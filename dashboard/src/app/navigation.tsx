import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import type { Icon } from '../ui/icons.tsx';

/** A page that the sidebar leads to. */
export interface NavigationItem {
  to: string;
  label: string;
  icon: Icon;
  /** How much waits there. */
  count?: ReactNode;
}

/** Pages that belong together. */
export interface NavigationGroup {
  label: string;
  places: readonly NavigationItem[];
}

interface NavigationProps {
  groups: readonly NavigationGroup[];
  onLeave: (() => void) | undefined;
}

/** The links of the sidebar. */
export function Navigation({ groups, onLeave }: NavigationProps) {
  return (
    <nav aria-label="Main">
      {groups.map((group) => (
        <div key={group.label} className="nav-group">
          <p className="nav-heading" aria-hidden="true">
            {group.label}
          </p>
          <ul aria-label={group.label}>
            {group.places.map(({ to, label, icon: Icon, count }) => (
              <li key={to}>
                <NavLink to={to} end={to === '/'} className="nav-link" onClick={onLeave}>
                  <Icon aria-hidden="true" />
                  {label}
                  {count}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
