import type { Brand } from '../behaviour/brands.ts';
import type { Account } from '../books/books.ts';
import { controlParametersOf, payeeOf } from '../books/consent-request.ts';
import type { Consent } from '../books/consents.ts';
import type { ControlParameters } from '../books/control-parameters.ts';
import { referenceIn } from '../books/payment-request.ts';
import { poundsOf } from '../wire/money.ts';
import { html } from './html.ts';
import { brandBar, icon, notice, page } from './layout.ts';
import { limitWords, sortCodeWords, validityWords } from './words.ts';

export interface Review {
  action: string;
  consent: Consent;
  accounts: Account[];
  /** Number of the selected account. */
  chosen: string;
  /** Who requests the consent on the payee's behalf. */
  requester: string;
  now: Temporal.Instant;
  problem?: string;
}

/** Renders the requested terms, the choice of account, and the decision. */
export function reviewPage(brand: Brand, review: Review): string {
  const { consent, requester, now, problem } = review;
  const payee = payeeOf(consent.request);
  const parameters = controlParametersOf(consent.request, now);
  const content = html`
<div class="intro">
  <p class="eyebrow">Requested by ${requester}</p>
  <h1>Let ${payee} collect payments from your account?</h1>
</div>
!${problem ? notice('problem', problem) : ''}
!${termsCard(consent, parameters)}
<form class="stack" method="post" action="${review.action}">
  !${review.accounts.length === 0 ? wrongAccount(payee) : approval(review)}
  <button class="secondary" name="decision" value="decline" formnovalidate>Decline</button>
</form>`;
  return page(brand, { title: 'Review', bar: brandBar(brand), content });
}

function approval(review: Review): string {
  return html`
!${accountChoice(review)}
<section class="card stack">
  <h2>Approve with your PIN</h2>
  <p class="quiet">Payments within these limits are taken without asking you again. We notify you of each
  one, and you can withdraw your permission in this app at any time.</p>
  <label>PIN
    <input name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="8"
      placeholder="••••" required>
  </label>
  <button class="primary" name="decision" value="approve">!${icon('shield')}Approve</button>
</section>`;
}

/** Renders the notice that the request names an account the signed-in customer does not have. */
function wrongAccount(payee: string): string {
  return notice(
    'problem',
    `This request is for an account you do not hold at this bank. Decline it, and ask ${payee} to send you a new one.`,
  );
}

/** Renders the terms of a consent, before and after approval. */
export function termsCard(consent: Consent, parameters: ControlParameters): string {
  const { Initiation } = consent.request.Data;
  const { Identification, Name } = Initiation.CreditorAccount;
  const reference = referenceIn(Initiation.RemittanceInformation);
  const limits = parameters.periodicLimits
    .map((limit) => limitWords(limit, parameters))
    .map(({ amount, counted }) => html`<dd>${amount}<small>${counted}</small></dd>`);
  return html`
<section class="card terms">
  <p class="figure"><span>Up to</span><b>${poundsOf(parameters.maximumIndividualPence)}</b><span>a payment</span></p>
  <dl>
    <div><dt>Total limits</dt>!${limits.join('')}</div>
    <div><dt>Valid</dt><dd>${validityWords(parameters)}</dd></div>
    <div><dt>Paid to</dt><dd>${payeeOf(consent.request)}
      <small>To the account of ${Name}, ${accountWords(Identification)}</small></dd></div>
    !${reference ? html`<div><dt>Reference</dt><dd>${reference}</dd></div>` : ''}
  </dl>
</section>`;
}

function accountChoice({ accounts, chosen }: Review): string {
  const choices = accounts.map(
    (account) => html`
<label class="choice">
  <input type="radio" name="account" value="${account.account_number}"
    ${account.account_number === chosen ? 'checked' : ''}>
  <span class="who">${account.nickname}<small>${accountWords(account.sort_code + account.account_number)}</small></span>
  <b>${poundsOf(account.balance_pence)}</b>
</label>`,
  );
  return html`<fieldset class="card choices"><legend>Pay from</legend>!${choices.join('')}</fieldset>`;
}

/** "99-10-01 10000011" */
export function accountWords(identification: string): string {
  return `${sortCodeWords(identification.slice(0, 6))} ${identification.slice(6)}`;
}
