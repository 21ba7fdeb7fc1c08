import { html } from 'ghtml';
import type { Account } from '../books.ts';
import type { Brand } from '../brands.ts';
import type { Consent } from '../consents.ts';
import type { ControlParameters, LimitUse } from '../control-parameters.ts';
import { poundsOf } from '../money.ts';
import type { Payment } from '../payments.ts';
import { consentState } from './app-home-view.ts';
import { icon, page } from './layout.ts';
import { payeeOf, termsCard } from './review-view.ts';
import { dayOf, limitWords, PAYMENT_WORDS, REASON_WORDS, shortDate } from './words.ts';

interface ConsentDetails {
  consent: Consent;
  account: Account;
  parameters: ControlParameters;
  uses: LimitUse[];
  payments: Payment[];
}

/** One permission: its terms, what is used of its limits, its payments, and how to withdraw it. */
export function consentPage(brand: Brand, details: ConsentDetails): string {
  const { consent, account, parameters } = details;
  const { word, tone } = consentState(consent);
  const bar = html`
<a class="back" href="/${brand.bankId}/app">!${icon('back')}Home</a>
<h1>${payeeOf(consent)}</h1>
<p class="clock"><span class="badge ${tone}">${word}</span> ${account.nickname}</p>`;
  const isActive = tone === 'good';
  const content = html`
!${termsCard(consent, parameters)}
!${isActive && details.uses.length > 0 ? usesCard(details) : ''}
<section><h2>Payments</h2>!${paymentList(details.payments)}</section>
!${isActive ? withdrawForm(brand, consent) : ''}`;
  return page(brand, payeeOf(consent), bar, content);
}

function usesCard({ uses, parameters }: ConsentDetails): string {
  const lines = uses.map((use) => {
    const isWhole = use.allowedPence === use.limit.amountPence;
    const amount = isWhole ? limitWords(use.limit, parameters).amount : poundsOf(use.allowedPence);
    return html`
<div class="use">
  <p><b>${poundsOf(use.usedPence)} used</b><span>${poundsOf(Math.max(0, use.allowedPence - use.usedPence))} left</span></p>
  <progress aria-label="Limit used" max="${use.allowedPence || 1}" value="${use.usedPence}"></progress>
  <small>Of ${amount}, from ${shortDate(use.from)} to ${shortDate(use.to)}</small>
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

function withdrawForm(brand: Brand, consent: Consent): string {
  const action = `/${brand.bankId}/app/consents/${consent.consent_id}/withdraw`;
  return html`
<details class="card withdraw">
  <summary>Withdraw this permission</summary>
  <form class="stack" method="post" action="${action}">
    <p>${payeeOf(consent)} can take no further payments. One that is already on its way may still
    arrive. This does not end any contract you have with them.</p>
    <button class="danger">Withdraw permission</button>
  </form>
</details>`;
}
