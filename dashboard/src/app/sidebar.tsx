import { Search } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { placesFor } from './navigation.ts';
import { SHORTCUT, useOpenSearch } from './search-context.ts';
import './search.css';
import { useMe } from './session.tsx';
import { UserMenu } from './user-menu.tsx';

/** The navigation; on a phone, `onLeave` closes the drawer around it. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const { mode, merchant } = useMe();
  return (
    <div className="sidebar">
      <Link to="/" className="brand" onClick={onLeave}>
        <Logo /> Recollect
      </Link>
      <p className="sidebar-merchant" title={merchant.name}>
        {merchant.name}
      </p>
      <SearchButton onLeave={onLeave} />
      <nav aria-label="Main">
        {placesFor(mode).map((group) => (
          <div key={group.label} className="nav-group">
            <p className="nav-heading" aria-hidden="true">
              {group.label}
            </p>
            <ul aria-label={group.label}>
              {group.places.map(({ to, label, icon: Icon }) => (
                <li key={to}>
                  <NavLink to={to} end={to === '/'} className="nav-link" onClick={onLeave}>
                    <Icon aria-hidden="true" />
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <UserMenu onLeave={onLeave} />
    </div>
  );
}

function SearchButton({ onLeave }: { onLeave: (() => void) | undefined }) {
  const openSearch = useOpenSearch();
  return (
    <Button
      onPress={() => {
        onLeave?.();
        openSearch();
      }}
    >
      <Search aria-hidden="true" />
      Search
      <span className="search-shortcut" aria-hidden="true">
        {SHORTCUT}
      </span>
    </Button>
  );
}
