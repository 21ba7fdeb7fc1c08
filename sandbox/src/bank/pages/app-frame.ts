import type { Brand } from '../behaviour/brands.ts';
import type { PushNotification } from '../books/push-notifications.ts';
import { html } from './html.ts';
import { type IconName, icon, type Page, page } from './layout.ts';
import { pushCard } from './push-view.ts';

/** The tab a page belongs to; subpages have none of their own. */
type Tab = 'home' | 'notifications' | 'permissions';

const TABS: readonly { tab: Tab; path: string; label: string; drawing: IconName }[] = [
  { tab: 'home', path: '', label: 'Home', drawing: 'home' },
  { tab: 'notifications', path: '/notifications', label: 'Notifications', drawing: 'bell' },
  { tab: 'permissions', path: '/permissions', label: 'Permissions', drawing: 'repeat' },
];

interface AppPage extends Page {
  tab: Tab;
  now: Temporal.Instant;
  /** The newest notifications: the script shows new ones as banners. */
  pushes: readonly PushNotification[];
}

/** Renders a page for a signed-in customer; it updates automatically and has tabs at the bottom. */
export function appPage(brand: Brand, { tab, pushes, now, ...rest }: AppPage): string {
  const arrivals = pushes.map(
    (push) => html`<li data-arrival="${push.id}">!${pushCard(brand, push, now)}</li>`,
  );
  const content = html`!${rest.content}<ul hidden data-live="arrivals">!${arrivals.join('')}</ul>`;
  const below = html`<nav class="tabs" aria-label="App">!${tabs(brand, tab)}</nav>
<div class="drop" role="status"></div>`;
  return page(brand, { ...rest, content, below, script: true });
}

function tabs(brand: Brand, current: Tab): string {
  const links = TABS.map(
    ({ tab, path, label, drawing }) => html`
<a href="/${brand.bankId}/app${path}" !${tab === current ? 'aria-current="page"' : ''}>
  !${icon(drawing)}<span>${label}</span>
</a>`,
  );
  return links.join('');
}
