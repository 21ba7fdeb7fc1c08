import { NavLink } from 'react-router';

interface SubNavProps {
  label: string;
  items: readonly { to: string; label: string }[];
}

/** Links between the pages of an area; the first matches its own page only (`end`). */
export function SubNav({ label, items }: SubNavProps) {
  return (
    <nav className="sub-nav" aria-label={label}>
      <ul>
        {items.map((item, place) => (
          <li key={item.to}>
            <NavLink to={item.to} end={place === 0}>
              {item.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
