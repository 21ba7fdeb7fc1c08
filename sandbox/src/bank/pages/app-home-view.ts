import { html } from 'ghtml';
import type { Account, Entry } from '../books.ts';
import type { Brand } from '../brands.ts';
import { controlParametersOf } from '../consent-request.ts';
import type { Consent } from '../consents.ts';
import { poundsOf } from '../money.ts';
import { icon, mark, page } from './layout.ts';
import { accountWords, payeeOf } from './review-view.ts';
import { CONSENT_WORDS, dayOf, moment, partOfDay } from './words.ts';

/** A push notification as the customer's phone showed it. */
export interface Push {
  at: string;
  title: string;
  text: string;
}

export interface Home {
  now: Temporal.Instant;
  holder: string;
  accounts: Account[];
  entries: (Entry & { account: Account })[];
  consents: Consent[];
  pushes: Push[];
}

/** The first page of the app. */
export function homePage(brand: Brand, home: Home): string {
  const [firstName = ''] = home.holder.split(' ');
  const bar = html`
<div class="row">
  <div class="brand">!${mark(brand)}<span>${brand.name}</span></div>
  <form method="post" action="/${brand.bankId}/app/logout"><button class="link">Log out</button></form>
</div>
<p class="clock">${moment(home.now)}</p>
<h1>Good ${partOfDay(home.now)}, ${firstName}</h1>`;
  const content = html`
<div class="accounts">!${home.accounts.map(accountCard).join('')}</div>
!${pushes(home)}
<section>
  <h2>Permissions to collect</h2>
  !${consentList(brand, home.consents)}
</section>
<section>
  <h2>Transactions</h2>
  !${entryList(home)}
</section>`;
  return page(brand, 'Home', bar, content);
}

function accountCard(account: Account): string {
  return html`
<article class="card account">
  <p>${account.nickname}<small>${accountWords(account.sort_code + account.account_number)}</small></p>
  <p class="balance">${poundsOf(account.balance_pence)}</p>
</article>`;
}

function pushCard(push: Push): string {
  return html`
<article class="push">!${icon('bell')}
  <div><p><b>${push.title}</b></p><p>${push.text}</p><p class="quiet">${moment(Temporal.Instant.from(push.at))}</p></div>
</article>`;
}

/** The word for a consent's state; one that the third party deleted has its own. */
export function consentState(consent: Consent): { word: string; tone: 'good' | 'over' } {
  const status = consent.deleted_at ? 'DELETED' : consent.status;
  return { word: CONSENT_WORDS[status] ?? status, tone: status === 'AUTH' ? 'good' : 'over' };
}

function consentList(brand: Brand, consents: Consent[]): string {
  if (consents.length === 0) {
    return html`<p class="card empty">Nobody may collect payments from your accounts.</p>`;
  }
  const items = consents.map((consent) => {
    const { word, tone } = consentState(consent);
    const at = Temporal.Instant.from(consent.authorised_at ?? consent.created_at);
    const { maximumIndividualPence } = controlParametersOf(consent.request, at);
    return html`
<li><a href="/${brand.bankId}/app/consents/${consent.consent_id}">
  <span class="tile">!${icon('repeat')}</span>
  <span class="who">${payeeOf(consent)}<small>Up to ${poundsOf(maximumIndividualPence)} a payment</small></span>
  <span class="badge ${tone}">${word}</span>!${icon('next')}
</a></li>`;
  });
  return html`<ul class="card list">!${items.join('')}</ul>`;
}

function entryList({ entries, accounts }: Home): string {
  if (entries.length === 0) return html`<p class="card empty">No transactions yet.</p>`;
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
  <span class="tile letter">${entry.description.slice(0, 1).toUpperCase()}</span>
  <span class="who">${entry.description}<small>${details.filter(Boolean).join(' · ')}</small></span>
  <b class="${entry.amount_pence > 0 ? 'in' : ''}">${amount}</b>
</li>`;
}

function pushes(home: Home): string {
  if (home.pushes.length === 0) return '';
  return html`<section class="pushes" aria-label="Notifications">
    !${home.pushes.map(pushCard).join('')}
  </section>`;
}
