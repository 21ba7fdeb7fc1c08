import { initialOf } from '../../platform/brand/brand.ts';
import { html } from '../../platform/values/html.ts';
import type { Terms } from '../../schedules/terms/schedule.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import type { Offer, OfferedBank } from '../views.ts';
import { describeDay } from '../words.ts';
import { handOff } from './hand-off.ts';
import { icon } from './icons.ts';
import type { LimitsComplaint } from './limits-form.ts';

/** Why the customer sees the page again. */
export interface Complaint {
  about: 'bank' | 'outage' | 'changed' | 'unsaid' | 'limits' | 'wider';
  /** The limits that were typed, and what is wrong with them. */
  limits?: LimitsComplaint;
  /** The terms they saw before these, if known. */
  shown?: Terms | null;
  /** The customer is back from their bank, where they decided on the earlier terms. */
  wasAtBank?: boolean;
  /** The bank that was chosen, if any. */
  bankId: string | null;
}

/** Renders the choice of bank, the button to go there, and the way to decline. */
export function decision(
  paths: Paths,
  standing: ConsentPageState,
  offer: Offer,
  complaint: Complaint | null,
): string {
  const { token, consent, merchant } = standing;
  const [only, ...others] = offer.banks;
  const chosen = complaint?.bankId ?? (others.length === 0 ? only?.bankId : consent.bankId);
  const isMissing = complaint?.about === 'bank';
  const isOut = complaint?.about === 'outage';
  const choices = offer.banks.map((bank) => choice(bank, bank.bankId === chosen)).join('');
  const keep = consent.anotherAccount ? 'Keep my current account' : 'Keep my current terms';
  const no = offer.current === null ? 'Decline' : keep;
  return html`<section class="card decide" aria-labelledby="decide">
!${isOut ? outage(offer.banks.find((b) => b.bankId === chosen)?.name) : ''}
<form method="post" action="${paths.link(token, 'bank')}">
<input type="hidden" name="terms_version" value="${consent.termsVersion}">
<input type="hidden" name="limits_of" value="${offer.limitsOf ?? ''}">
<fieldset !${isMissing ? 'aria-describedby="bank-error"' : ''}>
<legend><h2 id="decide">Choose your bank</h2></legend>
!${isMissing ? MISSING : ''}
<div class="choices">!${choices}</div>
</fieldset>
<button class="main">${isOut ? 'Try again' : 'Continue to your bank'}</button>
</form>
!${handOff(paths, standing)}
<h3>!${icon('lock')}What happens next</h3>
<ol class="next">
<li>Log in to your bank, in its app or on its website.</li>
<li>Choose your account, check the limits and approve. You can still decline.</li>
<li>Come back here for confirmation.</li>
</ol>
<p class="quiet">By continuing, you accept !${termsLink(merchant.terms)} of ${merchant.name}.</p>
<form method="get" action="${paths.link(token, 'decline')}"><button class="second">${no}</button></form>
<p class="quiet">This link works until ${describeDay(consent.linkExpiresAt, merchant.timeZone)}.</p>
</section>`;
}

function termsLink(terms: string): string {
  const text = 'the terms and conditions';
  return terms.trim() === '' ? text : html`<a href="#terms">${text}</a>`;
}

const TROUBLE: Readonly<Record<NonNullable<OfferedBank['trouble']>, string>> = {
  down: 'Not responding at the moment',
  degraded: 'Having problems at the moment',
  stopped: 'Payments from here are paused for now',
};

function choice({ bankId, name, trouble }: OfferedBank, isChosen: boolean): string {
  const says = trouble === null ? '' : html` <small class="quiet">${TROUBLE[trouble]}</small>`;
  return html`<label class="choice"><input type="radio" name="bank_id" value="${bankId}"
!${isChosen ? 'checked' : ''}>
<span class="mark small" aria-hidden="true">${initialOf(name)}</span><span>${name}!${says}</span></label>`;
}

const MISSING = html`<p class="error" id="bank-error" role="alert" tabindex="-1"
autofocus>!${icon('alert')}<span>Choose your bank to continue.</span></p>`;

function outage(bankName = 'Your bank'): string {
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>!${icon('alert')}<p><b>${bankName} is
not responding at the moment.</b> Nothing has been agreed. Try again in a few minutes, or choose another
bank.</p></div>`;
}
