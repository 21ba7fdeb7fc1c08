import type { Brand } from '../behaviour/brands.ts';
import { controlParametersOf, payeeOf } from '../books/consent-request.ts';
import type { Consent } from '../books/consents.ts';
import { referenceIn } from '../books/payment-request.ts';
import type { PushNotification } from '../books/push-notifications.ts';
import { poundsOf } from '../wire/money.ts';
import { appPage } from './app-frame.ts';
import { html } from './html.ts';
import { icon } from './layout.ts';
import { pushList } from './push-view.ts';
import { CONSENT_WORDS, moment } from './words.ts';

/** What a list in the app shows. */
interface Listed {
  now: Temporal.Instant;
  pushes: PushNotification[];
}

/** Renders all stored notifications, newest first. */
export function notificationsPage(brand: Brand, { now, pushes }: Listed): string {
  const content = html`<div data-live="notifications">!${pushList(brand, pushes, now)}</div>`;
  const bar = titleBar('Notifications', now);
  return appPage(brand, {
    title: 'Notifications',
    tab: 'notifications',
    bar,
    content,
    now,
    pushes: pushes.slice(0, 1),
  });
}

/** Renders all permissions that the customer gave: those in force first, ended ones folded. */
export function permissionsPage(brand: Brand, listed: Listed & { consents: Consent[] }): string {
  const { now, pushes, consents } = listed;
  const isActive = (consent: Consent): boolean => consentState(consent).tone === 'good';
  const active = consents.filter(isActive);
  const ended = consents.filter((consent) => !isActive(consent));
  const folded = html`
<details class="older" id="ended"><summary>Show ${ended.length} that ended</summary>!${consentList(brand, ended)}</details>`;
  const content = html`
<div class="stack" data-live="permissions">
!${active.length > 0 ? consentList(brand, active) : NOBODY}
!${ended.length > 0 ? folded : ''}
</div>
<p class="quiet hint">A permission lets a company collect from your account within the limits that you approved,
without asking you each time. You can withdraw it here at any time.</p>`;
  const bar = titleBar('Permissions to collect', now);
  return appPage(brand, { title: 'Permissions', tab: 'permissions', bar, content, now, pushes });
}

const NOBODY = html`<p class="card empty">No companies can collect payments from your accounts.</p>`;

function titleBar(title: string, now: Temporal.Instant): string {
  return html`<p class="clock" data-live="clock">${moment(now)}</p><h1>${title}</h1>`;
}

/** Returns the label of a consent's state; one deleted by the third party has its own label. */
export function consentState(consent: Consent): { word: string; tone: 'good' | 'over' } {
  const held = consent.reason === 'TKSP' ? 'TKSP' : consent.status;
  const status = consent.deleted_at ? 'DELETED' : held;
  return { word: CONSENT_WORDS[status] ?? status, tone: status === 'AUTH' ? 'good' : 'over' };
}

/** Tells apart the permissions that one company has. */
function referenceLine({ request }: Consent): string {
  const reference = referenceIn(request.Data.Initiation.RemittanceInformation);
  return reference ? html`<small>${reference}</small>` : '';
}

function consentList(brand: Brand, consents: readonly Consent[]): string {
  const items = consents.map((consent) => {
    const { word, tone } = consentState(consent);
    const at = Temporal.Instant.from(consent.authorised_at ?? consent.created_at);
    const { maximumIndividualPence } = controlParametersOf(consent.request, at);
    return html`
<li><a href="/${brand.bankId}/app/consents/${consent.consent_id}">
  <span class="tile">!${icon('repeat')}</span>
  <span class="who">${payeeOf(consent.request)}!${referenceLine(consent)}
    <small>Up to ${poundsOf(maximumIndividualPence)} a payment</small>
    <span class="badge ${tone}">${word}</span></span>!${icon('next')}
</a></li>`;
  });
  return html`<ul class="card list">!${items.join('')}</ul>`;
}
