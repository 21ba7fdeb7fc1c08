import { Link } from 'react-router';
import { Wordmark } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Search } from '../ui/icons.tsx';
import { Navigation } from './navigation.tsx';
import { navigationFor } from './navigation-items.ts';
import { SHORTCUT, useOpenSearch } from './search/search-context.ts';
import './search/search.css';
import { useMe } from './session.tsx';
import { UserMenu } from './user-menu.tsx';

/** The navigation; on a phone, `onLeave` closes the drawer around it. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const { mode, merchant } = useMe();
  return (
    <div className="sidebar">
      <Link to="/" className="brand" onClick={onLeave}>
        <Wordmark />
      </Link>
      <p className="sidebar-merchant" title={merchant.name}>
        {merchant.name}
      </p>
      <SearchButton onLeave={onLeave} />
      <Navigation groups={navigationFor(mode, merchant.permissions)} onLeave={onLeave} />
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
