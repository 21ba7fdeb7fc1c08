import type { Firm } from '../../platform/config/firm.ts';
import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';
import { card, mailLink, outsideLink, row } from './parts.ts';

/** Renders who provides the service, and what to do if something goes wrong: docs/rules/consents.md#who-provides-the-service. */
export function aboutPage(paths: Paths): string {
  const { firm, brand } = paths;
  const content = html`<section class="card">
<h1>Who we are</h1>
!${firm.isExample ? EXAMPLE : ''}
<p>${brand.name} is provided by ${firm.name}. It asks your bank to make the payments that you have agreed to. We never
see your bank password, and we can only ask for payments within the limits that you approved.</p>
<dl class="facts">!${row('Firm', html`${firm.name}`)}
!${row('Regulated by', html`Financial Conduct Authority, reference number ${firm.fcaReference}`)}
!${row('Email', mailLink(firm.email))}
!${row('Our terms', outsideLink(firm.termsUrl))}
!${row('Privacy notice', outsideLink(firm.privacyUrl))}</dl>
</section>
!${card('shield', 'Where your money goes', issuerOf(firm))}
!${card('alert', 'A payment is wrong', wrongPayment(firm))}
!${card('business', 'How to complain', complaints(firm))}`;
  return layout(paths, { title: 'Who we are', merchant: null, content });
}

const EXAMPLE = html`<div class="alert calm">!${icon('alert')}<p><b>This is a sandbox.</b> The firms, numbers and
addresses on this page are examples.</p></div>`;

function issuerOf({ issuer }: Firm): string {
  return html`<p>Each payment goes from your bank account to an e-money account opened for you, and from there to the
business. ${issuer.name} holds that account.</p>
<dl class="facts">!${row('E-money issuer', html`${issuer.name}`)}
!${row('Regulated by', html`Financial Conduct Authority, reference number ${issuer.fcaReference}`)}</dl>
<p class="quiet">You can check both firms in the register at !${outsideLink('https://register.fca.org.uk')}.</p>`;
}

function wrongPayment({ email }: Firm): string {
  return html`<ul class="plain">
<li><b>You did not agree to it, or it was made wrongly.</b> Tell your bank straight away, and no later than 13 months
after the payment. Your bank must refund you if you did not authorise it. Please tell us too, at !${mailLink(email)}.</li>
<li><b>You agreed to it, but the amount or the goods are wrong.</b> Ask the business first. It can refund you.</li>
<li><b>You want no more payments.</b> Withdraw your permission on your payment page, or in your bank’s app.</li></ul>`;
}

function complaints({ email, complaintsUrl, ombudsman }: Firm): string {
  return html`<p>Write to !${mailLink(email)}. What happens then: !${outsideLink(complaintsUrl)}.</p>
<p>If you are not happy with our answer, or have had none after 15 working days, you can take your complaint to the
${ombudsman.name}: !${outsideLink(ombudsman.url)}. This is free for you.</p>`;
}
