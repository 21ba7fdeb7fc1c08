import { html } from '../../platform/values/html.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { limitsOf } from '../../schedules/limits/limits.ts';
import type { Terms } from '../../schedules/terms/schedule.ts';
import type { Paths } from '../paths.ts';
import { icon } from './icons.ts';

/** What the customer typed, and what is wrong with it. */
export interface LimitsComplaint {
  perPayment: string;
  perPeriod: string;
  perPaymentError: string | null;
  perPeriodError: string | null;
}

/** Renders the form in which a customer sets the limits before agreeing. */
export function limitsForm(
  paths: Paths,
  token: string,
  terms: Terms,
  complaint: LimitsComplaint | null,
): string {
  const { perPaymentPence, perPeriodPence, periodType } = limitsOf(terms);
  const typed = complaint ?? {
    perPayment: toDecimal(perPaymentPence),
    perPeriod: toDecimal(perPeriodPence),
    perPaymentError: null,
    perPeriodError: null,
  };
  const period = `Most per ${periodType.toLowerCase()}`;
  return html`<details id="limits" !${complaint === null ? '' : 'open'}><summary>Change these limits</summary>
<form method="post" action="${paths.link(token, 'limits')}">
<p class="quiet">Your bank will refuse any payment above them, even if we request it. You can raise or lower them, but not below
what these payments need.</p>
<input type="hidden" name="terms_version" value="${terms.version}">
!${pounds('per_payment', 'Most per payment', typed.perPayment, typed.perPaymentError)}
!${pounds('per_period', period, typed.perPeriod, typed.perPeriodError)}
<button class="second">Save limits</button>
</form></details>`;
}

function pounds(name: string, label: string, value: string, error: string | null): string {
  const wrong =
    error === null ? '' : html`aria-invalid="true" aria-describedby="${name}-error" autofocus`;
  const message =
    error === null
      ? ''
      : html`<p class="error" id="${name}-error" role="alert">!${icon('alert')}<span>${error}</span></p>`;
  return html`<label class="pounds"><span>${label}</span><span class="typed"><b aria-hidden="true">£</b><input
name="${name}" inputmode="decimal" autocomplete="off" required value="${value}" !${wrong}></span></label>
!${message}`;
}
