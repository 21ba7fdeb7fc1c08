import type { Brand } from '../behaviour/brands.ts';
import type { Account, Entry } from '../books/books.ts';
import type { Consent } from '../books/consents.ts';
import type { PushNotification } from '../books/push-notifications.ts';
import { poundsOf } from '../wire/money.ts';
import { appPage } from './app-frame.ts';
import { consentState } from './app-permissions-view.ts';
import { html } from './html.ts';
import { icon, mark } from './layout.ts';
import { pushList } from './push-view.ts';
import { accountWords } from './review-view.ts';
import { dayOf, moment, partOfDay } from './words.ts';

export interface Home {
  now: Temporal.Instant;
  holder: string;
  accounts: Account[];
  entries: (Entry & { account: Account })[];
  consents: Consent[];
  pushes: PushNotification[];
}

const PUSHES_ON_HOME = 3;
const ENTRIES_AT_ONCE = 6;

/** Renders the home page of the app. */
export function homePage(brand: Brand, home: Home): string {
  const { now, pushes } = home;
  const [firstName = ''] = home.holder.split(' ');
  const bar = html`
<div class="row">
  <div class="brand">!${mark(brand)}<span>${brand.name}</span></div>
  <form method="post" action="/${brand.bankId}/app/logout"><button class="link">Log out</button></form>
</div>
<p class="clock" data-live="clock">${moment(now)}</p>
<h1 data-live="greeting">Good ${partOfDay(now)}, ${firstName}</h1>`;
  const newest = pushes.slice(0, PUSHES_ON_HOME);
  const content = html`
<div class="accounts" data-live="accounts">!${home.accounts.map(accountCard).join('')}</div>
<section data-live="notifications">
  <div class="titled"><h2>Notifications</h2>!${pushes.length > 0 ? seeAll(brand) : ''}</div>
  !${pushList(brand, newest, now)}
</section>
<section>
  <h2>Permissions to collect</h2>
  <div data-live="permissions">!${permissionsLink(brand, home.consents)}</div>
</section>
<section>
  <h2>Transactions</h2>
  <div data-live="transactions">!${transactions(home)}</div>
</section>`;
  return appPage(brand, { title: 'Home', tab: 'home', bar, content, now, pushes: newest });
}

function seeAll(brand: Brand): string {
  return html`<a href="/${brand.bankId}/app/notifications">See all notifications</a>`;
}

function accountCard(account: Account): string {
  return html`
<article class="card account">
  <p>${account.nickname}<small>${accountWords(account.sort_code + account.account_number)}</small></p>
  <p class="balance">${poundsOf(account.balance_pence)}</p>
</article>`;
}

function permissionsLink(brand: Brand, consents: Consent[]): string {
  const active = consents.filter((consent) => consentState(consent).tone === 'good').length;
  const words = { 0: 'No active permissions', 1: '1 active permission' }[active];
  return html`
<ul class="card list"><li><a href="/${brand.bankId}/app/permissions">
  <span class="tile">!${icon('repeat')}</span>
  <span class="who">${words ?? `${active} active permissions`}<small>See the limits, or withdraw</small></span>
  !${icon('next')}
</a></li></ul>`;
}

function transactions({ entries, accounts }: Home): string {
  if (entries.length === 0) return html`<p class="card empty">No transactions yet.</p>`;
  const older = entries.slice(ENTRIES_AT_ONCE);
  const folded = html`
<details class="older" id="older"><summary>Show ${older.length} older</summary>!${entryDays(older, accounts)}</details>`;
  return entryDays(entries.slice(0, ENTRIES_AT_ONCE), accounts) + (older.length > 0 ? folded : '');
}

function entryDays(entries: Home['entries'], accounts: Account[]): string {
  const days = Map.groupBy(entries, (entry) => dayOf(entry.at));
  const groups = [...days].map(([day, ofDay]) => {
    const lines = ofDay.map((entry) => entryLine(entry, accounts.length > 1));
    return html`<h3>${day}</h3><ul class="card list entries">!${lines.join('')}</ul>`;
  });
  return groups.join('');
}

function entryLine(entry: Entry & { account: Account }, namesAccount: boolean): string {
  const details = [namesAccount ? entry.account.nickname : null, entry.reference];
  const amount =
    entry.amount_pence > 0 ? `+${poundsOf(entry.amount_pence)}` : poundsOf(entry.amount_pence);
  return html`
<li>
  <span class="tile letter" aria-hidden="true">${entry.description.slice(0, 1).toUpperCase()}</span>
  <span class="who">${entry.description}<small>${details.filter(Boolean).join(' · ')}</small></span>
  <b class="${entry.amount_pence > 0 ? 'in' : ''}">${amount}</b>
</li>`;
}
