import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';

interface SubNavProps {
  label: string;
  items: readonly { to: string; label: string }[];
}

/** Links between the pages of an area; the first matches its own page only (`end`). */
export function SubNav({ label, items }: SubNavProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another current link
  useEffect(() => showCurrent(nav.current), [pathname]);
  return (
    <nav className="sub-nav" aria-label={label} ref={nav}>
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

/** On a narrow screen the links are a strip: scrolls it until the link of this page is seen. */
function showCurrent(nav: HTMLElement | null): void {
  const link = nav?.querySelector('[aria-current="page"]');
  if (!nav || !link) return;
  const [strip, seen] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
  nav.scrollLeft += Math.max(0, seen.right - strip.right) + Math.min(0, seen.left - strip.left);
}
