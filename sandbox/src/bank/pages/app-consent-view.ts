import type { Brand } from '../behaviour/brands.ts';
import type { Account } from '../books/books.ts';
import { payeeOf } from '../books/consent-request.ts';
import type { Consent } from '../books/consents.ts';
import type { ControlParameters, LimitUse } from '../books/control-parameters.ts';
import type { Payment } from '../books/payments.ts';
import type { PushNotification } from '../books/push-notifications.ts';
import { poundsOf } from '../wire/money.ts';
import { londonDate } from '../wire/periods.ts';
import { appPage } from './app-frame.ts';
import { consentState } from './app-permissions-view.ts';
import { html } from './html.ts';
import { icon, notice } from './layout.ts';
import { termsCard } from './review-view.ts';
import { dayOf, limitWords, PAYMENT_WORDS, REASON_WORDS, shortDate } from './words.ts';

interface ConsentDetails {
  consent: Consent;
  account: Account;
  parameters: ControlParameters;
  uses: LimitUse[];
  payments: Payment[];
  now: Temporal.Instant;
  pushes: PushNotification[];
}

/** Renders one permission: its terms, how much of its limits is used, its payments, and how to withdraw it. */
export function consentPage(brand: Brand, details: ConsentDetails): string {
  const { consent, account, parameters, now, pushes } = details;
  const { word, tone } = consentState(consent);
  const payee = payeeOf(consent.request);
  const bar = html`
<a class="back" href="/${brand.bankId}/app/permissions">!${icon('back')}Permissions</a>
<h1>${payee}</h1>
<p class="clock" data-live="state"><span class="badge ${tone}">${word}</span> ${account.nickname}</p>`;
  const isActive = tone === 'good';
  const content = html`
<div class="stack" data-live="uses">!${isActive ? usesCard(details) : endedNotice(details)}</div>
!${termsCard(consent, parameters)}
<section><h2>Payments</h2><div data-live="payments">!${paymentList(details.payments)}</div></section>
<div data-live="withdraw">!${isActive ? withdrawForm(brand, consent) : ''}</div>`;
  return appPage(brand, { title: payee, tab: 'permissions', bar, content, now, pushes });
}

function endedNotice({ consent }: ConsentDetails): string {
  const { word } = consentState(consent);
  const when = shortDate(
    londonDate(Temporal.Instant.from(consent.deleted_at ?? consent.updated_at)),
  );
  return notice(
    'done',
    `${word} on ${when}. ${payeeOf(consent.request)} can take nothing more under this permission.`,
  );
}

function usesCard({ uses, parameters }: ConsentDetails): string {
  if (uses.length === 0) return '';
  const lines = uses.map((use) => {
    return html`
<div class="use">
  <p><b>${poundsOf(use.usedPence)} used</b><span>${poundsOf(Math.max(0, use.allowedPence - use.usedPence))} left</span></p>
  <progress aria-label="Limit used" max="${use.allowedPence || 1}" value="${use.usedPence}"></progress>
  <small>${limitWords(use.limit, parameters).amount}. This one runs from ${shortDate(use.from)} to ${shortDate(use.to)}.</small>
</div>`;
  });
  return html`<section class="card stack">!${lines.join('')}</section>`;
}

function paymentList(payments: Payment[]): string {
  if (payments.length === 0) return html`<p class="card empty">None so far.</p>`;
  const lines = payments.map((payment) => {
    const word = PAYMENT_WORDS[payment.status] ?? payment.status;
    const why = payment.reason ? REASON_WORDS[payment.reason] : undefined;
    return html`
<li>
  <span class="who">${dayOf(payment.created_at)}<small>${why ? `${word}: ${why.toLowerCase()}` : word}</small></span>
  <b class="${payment.status === 'RJCT' ? 'void' : ''}">${poundsOf(payment.amount_pence)}</b>
</li>`;
  });
  return html`<ul class="card list">!${lines.join('')}</ul>`;
}

/** Folded, so that the customer reads the effect before confirming. */
function withdrawForm(brand: Brand, consent: Consent): string {
  const action = `/${brand.bankId}/app/consents/${consent.consent_id}/withdraw`;
  return html`
<details class="card withdraw" id="withdraw">
  <summary>Withdraw this permission</summary>
  <form class="stack" method="post" action="${action}">
    <p><b>Are you sure?</b> ${payeeOf(consent.request)} can take no further payments. One that is already on
    its way may still arrive. This does not end any contract you have with them.</p>
    <button class="danger">Withdraw permission</button>
    <a class="button secondary" href="/${brand.bankId}/app/consents/${consent.consent_id}">Keep it</a>
  </form>
</details>`;
}
