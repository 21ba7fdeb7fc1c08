import { html } from '../../platform/values/html.ts';
import type { RefundRow } from '../../refunds/store.ts';
import { describeLimits } from '../../schedules/limits/describe-limits.ts';
import type { LimitUse } from '../../schedules/limits/room.ts';
import { statementReference } from '../../schedules/request/statement-reference.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import type { Collecting } from '../coming.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import type { Agreement, PastPayment } from '../views.ts';
import {
  describeDate,
  describeDay,
  describeEnd,
  describeNotice,
  describeNotSent,
  describePayment,
  describePeriod,
  describePlainDate,
  describeUncertainty,
  type PaymentWords,
} from '../words.ts';
import { confirmForm } from './confirm-again.ts';
import { stopping } from './consent.ts';
import { describeDispute, TOLD } from './dispute.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';
import {
  amountWords,
  businessCard,
  card,
  dateList,
  merchantHead,
  note,
  priceOf,
  sentences,
} from './parts.ts';

/** Renders the page of a granted consent: coming payments, past payments, the remaining limits, and the way to stop. */
export function managePage(paths: Paths, standing: ConsentPageState, agreement: Agreement): string {
  const { merchant, token } = standing;
  const content = html`<div class="lead">
!${agreement.newTermsUrl === null ? '' : newTerms(merchant.name, agreement.newTermsUrl)}
!${agreement.notice === null ? '' : notice(paths, standing, agreement)}
<section class="card hero">
!${merchantHead(merchant, 'collects payments with your permission')}
<p class="on-phone"><a href="${paths.link(token, 'withdraw')}">Withdraw permission</a></p>
!${agreement.collecting.map((one) => terms(one, merchant.timeZone)).join('')}
<dl class="facts">!${nextOf(agreement, merchant.timeZone)}
<div><dt>From</dt><dd>Your account${ending(agreement)} at ${agreement.bankName}</dd></div>
!${payee(agreement, paths.firm.issuer.name, merchant.name)}
!${since(agreement, merchant.timeZone)}</dl>
</section>
!${card('calendar', 'Upcoming payments', comingOf(standing, agreement))}
!${card('clock', 'Past payments', pastOf(agreement, merchant, paths.link(token, 'dispute')))}
</div>
<aside class="card decide" aria-labelledby="used"><h2 id="used">!${icon('shield')}Your limit</h2>
!${agreement.headroom.map(headroom).join('')}
<p class="quiet">Your bank will refuse any payment above this limit.</p>
<h2 class="apart">!${icon('stop')}Stop these payments</h2>
!${stopping(merchant.name, 'with the button below')}
<form method="get" action="${paths.link(token, 'withdraw')}"><button
class="second danger">Withdraw permission</button></form>
</aside>
<div class="rest">
!${agreed(agreement.limits, paths.link(token, 'agreement'))}
!${otherAccount(paths, standing, agreement)}
!${card('calendar', 'Open Banking payments', allAgreementsLink(merchant.name, paths.link(token, 'all')))}
!${businessCard(merchant)}
</div>`;
  return layout(paths, { title: 'Your payments', merchant, wide: true, content });
}

function agreed(limits: Agreement['limits'], url: string): string {
  if (limits === null) return '';
  const file = html`<p><a href="${url}">Download what I agreed to (PDF)</a></p>`;
  return card('shield', 'What you agreed to', sentences(describeLimits(limits)) + file);
}

function allAgreementsLink(name: string, url: string): string {
  return html`<p><a href="${url}">See everything you have agreed to pay ${name}</a></p>`;
}

function newTerms(name: string, url: string): string {
  return html`<div class="alert calm">!${icon('alert')}<p><b>${name} is asking you to agree to new terms.</b>
Until you do, nothing changes. <a href="${url}">See the new terms</a></p></div>`;
}

/** Explains what prevents, or may prevent, the use of the permission, and what the customer can do about it. */
function notice(
  paths: Paths,
  { merchant, token }: ConsentPageState,
  { notice: what, bankName }: Agreement,
): string {
  if (what === null) return '';
  const { about, says } = describeNotice(what.kind, bankName, merchant.name);
  if (what.kind === 'reauthentication_needed')
    return html`<section class="card notice" role="status"><h2>!${icon('alert')}Your bank wants you to confirm again</h2>
<p><b>${about}</b> ${says}</p>!${confirmForm(paths, token, bankName)}</section>`;
  return html`<div class="alert" role="status">!${icon('alert')}<p><b>${about}</b> ${says}</p></div>`;
}

function terms({ schedule, terms: held }: Collecting, timeZone: string): string {
  const pause =
    schedule.status === 'paused'
      ? html`<p class="tag">Paused by the business!${pausedUntil(schedule, timeZone)}: no payments are being collected</p>`
      : '';
  return html`<h1>${schedule.description}</h1>
!${priceOf(held)}
!${pause}<p class="quiet">${describeEnd(held.series.endAt, timeZone)}.
On your bank statement: ${statementReference(schedule)}</p>`;
}

function pausedUntil({ resumeAt }: Collecting['schedule'], timeZone: string): string {
  return resumeAt === null ? '' : html` until ${describeDate(resumeAt, timeZone)}`;
}

/** Leads to a new permission: one is bound to its account at the bank, so another account needs one of its own. */
function otherAccount(paths: Paths, { token }: ConsentPageState, agreement: Agreement): string {
  const { coming, collecting } = agreement;
  // Whose account the business has named, it alone asks for another one.
  const free = collecting.filter(({ schedule }) => schedule.customerType !== 'bank_account');
  if (coming.length === 0 || free.length === 0) return '';
  const forms = free.map(
    ({ schedule: { scheduleId, description } }) =>
      html`<form method="post" action="${paths.link(token, 'another')}">
<input type="hidden" name="schedule_id" value="${scheduleId}">
<button class="second">Pay!${collecting.length > 1 ? html` for “${description}”` : ''} from another account</button></form>`,
  );
  const content = html`<p>Changed banks, or the wrong account? Choose another one and approve the same payments there. Until you
do, they continue from your present account; after that, this permission is removed.</p>
!${forms.join('')}`;
  return card('swap', 'Another account', content);
}

function nextOf({ coming }: Agreement, timeZone: string): string {
  const [next] = coming;
  if (next === undefined) return '';
  const day = describeDay(next.dueDate, timeZone);
  return html`<div><dt>Next payment</dt><dd>${amountWords(next)} on ${day}</dd></div>`;
}

function payee({ payee: account }: Agreement, issuer: string, merchantName: string): string {
  if (account === null) return '';
  const { name, sortCode, accountNumber } = account;
  const code = sortCode.replaceAll(/(\d{2})(?=\d)/g, '$1-');
  return html`<div><dt>To</dt><dd>${name}, <span class="whole">${code}</span>, ${accountNumber}
<small>The e-money account opened for you at ${issuer}.
The money goes straight from there to ${merchantName}.</small></dd></div>`;
}

function since({ grantedAt }: Agreement, timeZone: string): string {
  if (grantedAt === null) return '';
  return html`<div><dt>Agreed on</dt><dd>${describeDate(grantedAt, timeZone)}</dd></div>`;
}

function comingOf({ merchant }: ConsentPageState, { coming, collecting }: Agreement): string {
  if (coming.length === 0) return html`<p>No upcoming payments.</p>`;
  const isShared = collecting.length > 1;
  const lines = coming.map((next) => ({
    ...next,
    description: isShared ? next.description : null,
  }));
  return dateList(lines, merchant.timeZone);
}

const PAST_AT_ONCE = 4;

function pastOf(
  { past, collecting }: Agreement,
  merchant: ConsentPageState['merchant'],
  disputeUrl: string,
): string {
  if (past.length === 0) return html`<p>No payments yet.</p>`;
  const items = past.map((payment) =>
    pastLine(payment, merchant, { isShared: collecting.length > 1, disputeUrl }),
  );
  const list = (some: string[]): string => html`<ul class="lines">!${some.join('')}</ul>`;
  const older = items.slice(PAST_AT_ONCE);
  const folded = html`<details><summary>Show ${older.length} older</summary>!${list(older)}</details>`;
  return list(items.slice(0, PAST_AT_ONCE)) + (older.length === 0 ? '' : folded);
}

function pastLine(
  payment: PastPayment,
  { name, timeZone }: ConsentPageState['merchant'],
  { isShared, disputeUrl }: { isShared: boolean; disputeUrl: string },
): string {
  const { dueDate: due } = payment;
  const words = wordsOf(payment, timeZone);
  const notes = [
    isShared ? payment.description : null,
    payment.once,
    words.note,
    describeUncertainty({
      ...payment,
      // Nobody checks the outcome of what was never sent.
      waitsForPerson: payment.waitsForPerson && payment.notSent === null,
    }),
    returned(payment, timeZone),
    ...payment.refunds.map((one) => describeRefund(one, timeZone)),
    payment.dispute && TOLD + describeDispute(payment.dispute, name, timeZone),
  ]
    .map(note)
    .join('');
  return html`<li><span><b>${describeDay(due, timeZone)}</b>!${notes}!${questioned(payment, disputeUrl)}</span>
<span class="sum">${describeAmount(payment.amountPence)}
!${payment.returnedAt === null ? html`<em class="state ${words.tone}">${words.label}</em>` : RETURNED}</span></li>`;
}

/** Leads to where the customer says that they do not recognise a payment, or to how what they said stands. */
function questioned({ paymentId, status, dispute }: PastPayment, disputeUrl: string): string {
  if (status !== 'success') return '';
  const label = dispute ? 'See how it stands' : 'I don’t recognise this payment';
  return html`<small><a href="${disputeUrl}?payment=${paymentId}">${label}</a></small>`;
}

function wordsOf(payment: PastPayment, timeZone: string): PaymentWords {
  const { status, errorCode, nextRetryAt: retryAt, notSent } = payment;
  if (payment.waitsForCustomer) return WAITS_FOR_YOU;
  if (notSent !== null) return describeNotSent(notSent, timeZone);
  const retryOn = retryAt === null ? null : describeDay(retryAt, timeZone);
  return describePayment(status, errorCode, retryOn);
}

/** Describes money that the business gives back; null: the refund failed, and the customer has nothing of it. */
function describeRefund(
  { status, amountPence: pence, completedAt: at }: RefundRow,
  timeZone: string,
): string | null {
  if (status === 'failed') return null;
  const amount = describeAmount(pence);
  if (status === 'pending') return `A refund of ${amount} has been requested.`;
  return at === null
    ? `A refund of ${amount} is on its way.`
    : `${amount} was refunded on ${describeDate(at, timeZone)}.`;
}

const WAITS_FOR_YOU: PaymentWords = {
  tone: 'quiet',
  label: 'Waiting for you',
  note: 'It is collected when you have confirmed the permission at your bank.',
};

const RETURNED = html`<em class="state quiet">Returned</em>`;

/** Describes money that the customer's bank took back after it was paid. */
function returned(
  { returnedAt: at, returnedPence: pence }: PastPayment,
  timeZone: string,
): string | null {
  if (at === null || pence === null) return null;
  return `Your bank took back ${describeAmount(pence)} on ${describeDate(at, timeZone)}.`;
}

const FULL_PERCENT = 100;

function headroom(room: LimitUse): string {
  const allowed = room.used + room.left;
  const share =
    allowed === 0 ? 0 : Math.min(FULL_PERCENT, Math.round((room.used / allowed) * FULL_PERCENT));
  const planned =
    room.planned === 0 ? '' : html`<p class="quiet">${describeAmount(room.planned)} planned</p>`;
  return html`<div class="room"><p class="left">!${roomWords(room)}</p>
<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="all"
width="100" height="6"/><rect class="used" width="${share}" height="6"/></svg>
<p class="quiet">${describeAmount(room.used)} of ${describeAmount(allowed)} used,
${describePeriod(room)}</p>!${planned}</div>`;
}

/**
 * Describes the remaining limit. "£0.00 left" would worry customers: that nothing more can be taken is good news. It is said only
 * where nothing is planned either.
 */
function roomWords({ left, planned, periodEnd }: LimitUse): string {
  const until = describePlainDate(periodEnd);
  if (planned > left)
    return html`<b>${describeAmount(planned)}</b> is planned until the end of ${until}, but your limit leaves
<b>${describeAmount(left)}</b> for it`;
  return left === 0
    ? html`<b>Nothing more</b> can be collected until the end of ${until}`
    : html`Up to <b>${describeAmount(left)}</b> more can be collected until the end of ${until}`;
}

/** Returns the ending of the paying account's number, as far as it is shown. */
function ending({ payingAccountEnding: digits }: Agreement): string {
  return digits === null ? '' : ` ending in ${digits}`;
}
