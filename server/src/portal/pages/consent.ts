import { html } from '../../platform/values/html.ts';
import { describeLimits } from '../../schedules/limits/describe-limits.ts';
import { statementReference } from '../../schedules/request/statement-reference.ts';
import { describeAmount, describeSeries } from '../../schedules/terms/describe.ts';
import type { Terms } from '../../schedules/terms/schedule.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState, PortalMerchant } from '../standing.ts';
import type { Offer } from '../views.ts';
import {
  describeDay,
  describeEnd,
  describeMost,
  describeRetries,
  describeTermsAmount,
} from '../words.ts';
import { type Complaint, decision } from './decision.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';
import { limitsForm } from './limits-form.ts';
import {
  businessCard,
  card,
  contactLine,
  type DateLine,
  dateList,
  merchantHead,
  priceOf,
  sentences,
  steps,
} from './parts.ts';

const TO_BANKS = { to: 'decide', label: 'Skip to your bank' };

/** Renders the request for consent: all the details, and the way to the bank. */
export function consentPage(
  paths: Paths,
  standing: ConsentPageState,
  offer: Offer,
  complaint: Complaint | null = null,
): string {
  const { merchant, schedule } = standing;
  const lines = [
    ...firstLine(offer),
    ...offer.coming.map((next) => ({ ...next, description: null })),
  ];
  const content = html`<div class="lead">
!${steps(0)}
!${complaint?.about === 'unsaid' ? VERSION_MISSING : ''}
!${complaint?.about === 'changed' ? changed(standing, offer, complaint) : ''}
!${complaint?.about === 'wider' ? wider(offer) : ''}
<section class="card hero">
!${summary(standing, offer)}
!${limitsOf(paths, standing, offer, complaint)}
</section>
</div>
!${decision(paths, standing, offer, complaint)}
<div class="rest">
!${card('calendar', 'Your next payments', dateList(lines, merchant.timeZone) + between(paths, merchant.name, offer))}
!${card('stop', 'You can stop at any time', stopping(merchant.name, 'on this page (keep the link)'))}
!${card('alert', 'Not expecting this?', unexpected(merchant))}
!${businessCard(merchant)}
</div>`;
  const title = complaint === null ? schedule.description : `Please check: ${schedule.description}`;
  return layout(paths, { title, merchant, wide: true, script: 'follow', skip: TO_BANKS, content });
}

function summary(
  { schedule, merchant, consent }: ConsentPageState,
  { terms, current, coming, first: once }: Offer,
): string {
  const [next] = coming;
  const zone = merchant.timeZone;
  const first = next === undefined ? '' : describeDay(next.dueDate, zone);
  const isForAccount = consent.anotherAccount && current !== null;
  if (isForAccount && !hasChanges(current, terms, zone))
    return html`!${merchantHead(merchant, 'collects payments with your permission')}
<h1>${schedule.description}</h1>
!${priceOf(terms)}
<p><b>Choose the account to pay from.</b> !${ACCOUNT_CHANGES}</p>
<dl class="facts"><div><dt>First payment from there</dt><dd>${first}</dd></div>
<div><dt>Ends</dt><dd>${describeEnd(terms.series.endAt, zone)}</dd></div>
<div><dt>On your bank statement</dt><dd>${statementReference(schedule)}</dd></div></dl>`;
  if (current !== null)
    return html`!${merchantHead(merchant, 'is asking you to agree to new terms')}
<h1>${schedule.description}</h1>
<dl class="changes">!${changes(current, terms, zone)}</dl>
<p>The new terms start with the payment on <b>${first}</b>. Unless you agree, payments continue as they are now.</p>
!${isForAccount ? html`<p>!${ACCOUNT_CHANGES}</p>` : ''}`;
  return html`!${merchantHead(merchant, 'would like your permission to collect payments')}
<h1>${schedule.description}</h1>
!${once === null ? '' : html`<p class="amount">${describeAmount(once.amountPence)} <span>today, then</span></p>`}
!${priceOf(terms)}
<dl class="facts"><div><dt>${once === null ? 'First payment' : 'Then from'}</dt><dd>${first}</dd></div>
<div><dt>Ends</dt><dd>${describeEnd(terms.series.endAt, zone)}</dd></div>
<div><dt>On your bank statement</dt><dd>${statementReference(schedule)}</dd></div></dl>`;
}

const ACCOUNT_CHANGES =
  'Once you have approved, payments come from there, and the permission for your present account is removed. Until then, nothing changes.';

/** The first payment as a line of the list of payments. */
function firstLine({ first }: Offer): DateLine[] {
  if (first === null) return [];
  const { at, amountPence, description } = first;
  return [{ dueDate: at, amountPence, isMost: false, description, reason: 'As soon as you agree' }];
}

/** The form did not include the version of its terms, so it is unclear what the customer agreed to. */
const VERSION_MISSING = html`<section class="card notice" role="alert" tabindex="-1" autofocus>
<h2>!${icon('alert')}Please check the terms again</h2>
<p>We could not tell which terms you were shown. Nothing has been agreed, and nothing has been sent to your
bank. If you are happy with the terms below, choose your bank to continue.</p>
</section>`;

/** Explains that the chosen bank has other periods for limits. */
function wider({ banks, limits, limitsOf }: Offer): string {
  const bank = banks.find(({ bankId }) => bankId === limitsOf)?.name ?? 'Your bank';
  return html`<section class="card notice" role="alert" tabindex="-1" autofocus>
<h2>!${icon('alert')}${bank} counts its limits differently</h2>
<p>The payments stay the same. ${bank} cannot limit them for the same length of time, so its limits would be these:</p>
!${sentences(describeLimits(limits))}
<p>Nothing has been agreed, and nothing has been sent to your bank. If you are happy with these limits, continue; or choose
another bank.</p>
</section>`;
}

/** Explains that the terms changed, by the merchant or by the customer elsewhere, since this page or the way to the bank. */
function changed({ merchant }: ConsentPageState, { terms }: Offer, complaint: Complaint): string {
  const { shown = null, wasAtBank = false } = complaint;
  const when = wasAtBank ? 'while you were at your bank' : 'after you opened this page';
  const sent = wasAtBank
    ? 'Your decision there was about the earlier terms, so we have not used it. We will delete the request at your bank.'
    : 'Nothing has been sent to your bank.';
  const rows = shown === null ? '' : changes(shown, terms, merchant.timeZone, 'Before');
  return html`<section class="card notice" role="alert" tabindex="-1" autofocus>
<h2>!${icon('alert')}The terms have changed</h2>
<p><b>They changed ${when}.</b> Nothing has been agreed. ${sent} If you are happy with
the new terms, choose your bank to continue.</p>
!${rows === '' ? '' : html`<dl class="changes">!${rows}</dl>`}
</section>`;
}

/** What a customer compares, each with its words. */
const compared = (timeZone: string): [string, (of: Terms) => string][] => [
  ['Amount', describeTermsAmount],
  ['How often', (of) => describeSeries(of.series)],
  ['Ends', (of) => describeEnd(of.series.endAt, timeZone)],
  ['At most', describeMost],
];

const hasChanges = (current: Terms, terms: Terms, timeZone: string): boolean =>
  compared(timeZone).some(([, words]) => words(current) !== words(terms));

/** Lists what changes and what stays. */
function changes(current: Terms, terms: Terms, timeZone: string, was = 'Now'): string {
  return compared(timeZone)
    .map(([name, words]) => {
      const [before, after] = [words(current), words(terms)];
      return before === after
        ? html`<div><dt>${name}</dt><dd>${after}<small>No change</small></dd></div>`
        : html`<div class="new"><dt>${name}</dt><dd><b>${after}</b><small>${was}: ${before}</small></dd></div>`;
    })
    .join('');
}

/** Renders the limits, which a customer has to see before they agree. */
function limitsOf(
  paths: Paths,
  { token }: ConsentPageState,
  { limits, terms }: Offer,
  complaint: Complaint | null,
): string {
  return html`<h2 class="apart">!${icon('shield')}Limits your bank will enforce</h2>
!${sentences(describeLimits(limits))}
!${limitsForm(paths, token, terms, complaint?.limits ?? null)}`;
}

/** Says what happens between a payment's date and its arrival. */
function between({ firm }: Paths, merchantName: string, { retries }: Offer): string {
  return html`<p class="quiet">${describeRetries(retries)} Your money goes to an e-money account opened for you at
${firm.issuer.name}, and from there straight to ${merchantName}.</p>`;
}

function unexpected(merchant: PortalMerchant): string {
  return html`<p>Do not continue. Nothing has been agreed, and no payment will be taken unless you approve it with your bank.</p>
!${contactLine(merchant)}`;
}

/** Explains how to stop, and what can no longer be stopped. `here`: where on our side. */
export function stopping(merchantName: string, here: string): string {
  return html`<p>Withdraw your permission ${here}, or in your bank’s app or online
banking, under connected or recurring payments. You do not need to ask ${merchantName} first.</p>
<p>A payment we have already sent to your bank when you stop <b>may still go through</b>. After that, no more
payments will be requested.</p>`;
}
