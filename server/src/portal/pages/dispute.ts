import { DISPUTE_REASONS, type DisputeReason } from '../../disputes/dispute.ts';
import type { DisputeRow } from '../../disputes/store.ts';
import { REASON_WORDS } from '../../disputes/words.ts';
import type { PaymentRow } from '../../payments/books/read-store.ts';
import { html } from '../../platform/values/html.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import { describeDate, describeDay } from '../words.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';
import { businessCard, card, merchantHead, note } from './parts.ts';

/** A payment that its customer has disputed, or may. */
export interface DisputablePayment extends PaymentRow {
  description: string;
  /** The latest dispute of it, with what the merchant answered; null: none. */
  dispute: (DisputeRow & { answerText: string | null }) | null;
}

/** What was filled in and is to be filled in again; null: nothing was chosen. */
export interface DisputeForm {
  reason: DisputeReason | null;
  note: string;
}

const LONGEST_NOTE = 500;

/** What stands before how a dispute stands, in a list. */
export const TOLD = 'You told us about this payment. ';

/** Says how a dispute stands, for its customer. */
export function describeDispute(
  { status, amountPence, returnedPence, deadlineAt, refundId }: DisputeRow,
  merchantName: string,
  timeZone: string,
): string {
  const returned = describeAmount(returnedPence ?? 0);
  switch (status) {
    case 'open':
      if (refundId !== null) return `${merchantName} gives money back to you. It is not sent yet.`;
      return `${merchantName} has until the end of ${describeDay(deadlineAt, timeZone)} to answer.`;
    case 'refunded':
      return `${merchantName} gives ${returned} back to you.`;
    case 'returned':
      return `Your bank took ${returned} back for you.`;
    case 'rejected':
      return `${merchantName} says that the ${describeAmount(amountPence)} is not due back.`;
    case 'withdrawn':
      return 'You recognise it after all.';
  }
}

const pageOf = (paths: Paths, token: string, paymentId: string): string =>
  `${paths.link(token, 'dispute')}?payment=${paymentId}`;

/** Renders a page of the payments of which the customer does not recognise one. */
export function disputesPage(
  paths: Paths,
  { merchant, token }: ConsentPageState,
  { payments, hasEarlier }: { payments: readonly DisputablePayment[]; hasEarlier: boolean },
): string {
  const { timeZone, name } = merchant;
  const last = payments.at(-1)?.paymentId;
  const earlier =
    hasEarlier && last !== undefined
      ? html`<p><a href="${paths.link(token, 'dispute')}?before=${last}">Earlier payments</a></p>`
      : '';
  const lines = payments.map(
    ({ paymentId, dueDate, description, amountPence, dispute }) => html`<li><span><b><a
href="${pageOf(paths, token, paymentId)}">${describeDay(dueDate, timeZone)}</a></b>!${note(description)}!${note(
      dispute === null ? null : TOLD + describeDispute(dispute, name, timeZone),
    )}</span><span class="sum">${describeAmount(amountPence)}</span></li>`,
  );
  const list =
    lines.length === 0
      ? html`<p>No payments were collected in the last 13 months.</p>`
      : html`<ul class="lines">!${lines.join('')}</ul>`;
  const content = html`<section class="card hero">
!${merchantHead(merchant, 'collected these payments with your permission')}
<h1>Which payment don’t you recognise?</h1>
<p class="quiet">Open it to tell ${name}.</p>
</section>
!${card('clock', 'Payments', list + earlier)}
<p><a href="${paths.link(token)}">Back</a></p>
!${businessCard(merchant)}`;
  return layout(paths, { title: 'A payment you don’t recognise', merchant, content });
}

/** Renders what a customer can say of a payment, or how what they said stands. `form`: what was filled in and is incomplete. */
export function disputePage(
  paths: Paths,
  standing: ConsentPageState,
  payment: DisputablePayment,
  form: DisputeForm | null,
): string {
  const { merchant, token } = standing;
  const { dispute, amountPence, dueDate, description } = payment;
  const what = html`<p><b>${describeAmount(amountPence)}</b> for “${description}”, due on
${describeDay(dueDate, merchant.timeZone)}.</p>`;
  const content = html`<section class="card">
!${merchantHead(merchant, 'collected this payment')}
!${
    dispute === null
      ? html`<h1>You don’t recognise this payment?</h1>!${what}!${reasonForm(paths, standing, payment, form)}`
      : html`<h1>${HEADINGS[dispute.status]}</h1>!${what}!${standingOf(paths, standing, payment, dispute)}`
  }
</section>
<p><a href="${paths.link(token)}">Back</a></p>
!${businessCard(merchant)}`;
  return layout(paths, { title: 'A payment you don’t recognise', merchant, content });
}

const HEADINGS: Readonly<Record<DisputeRow['status'], string>> = {
  open: 'You told us about this payment',
  refunded: 'You get your money back',
  returned: 'Your bank took the money back',
  rejected: 'You have an answer',
  withdrawn: 'You recognise this payment',
};

function reasonForm(
  paths: Paths,
  { merchant, token }: ConsentPageState,
  { paymentId }: DisputablePayment,
  form: DisputeForm | null,
): string {
  const isMissing = form !== null && form.reason === null;
  const choices = DISPUTE_REASONS.map(
    (reason) => html`<label class="choice"><input type="radio" name="reason" value="${reason}"
!${form?.reason === reason ? 'checked' : ''}><span>${REASON_WORDS[reason]}</span></label>`,
  );
  return html`<form method="post" action="${paths.link(token, 'dispute')}">
<input type="hidden" name="payment_id" value="${paymentId}">
<fieldset !${isMissing ? 'aria-describedby="reason-error"' : ''}>
<legend><b>What is wrong with it?</b></legend>
!${isMissing ? MISSING : ''}
<div class="choices">!${choices.join('')}</div>
</fieldset>
<label class="words"><span>Anything ${merchant.name} should know? <small class="quiet">You may leave this empty.</small></span>
<textarea name="note" rows="3" maxlength="${LONGEST_NOTE}">${form?.note ?? ''}</textarea></label>
<h2>!${icon('clock')}What happens next</h2>
<ol class="next">
<li>${merchant.name} is told now. If you did not agree to the payment, they have until the end of the next working day to answer;
otherwise 15 working days.</li>
<li>If it is to be given back, it goes to the account you paid from.</li>
<li>You get a message, and their answer is on this page.</li>
</ol>
<button class="main">Tell ${merchant.name}</button>
</form>
<p class="quiet">Somebody else may be using your account? Tell your bank at once, too.</p>`;
}

const MISSING = html`<p class="error" id="reason-error" role="alert" tabindex="-1"
autofocus>!${icon('alert')}<span>Choose what is wrong to continue.</span></p>`;

/** Says how a dispute stands, and what the customer can still do. */
function standingOf(
  paths: Paths,
  { merchant, token }: ConsentPageState,
  { paymentId }: DisputablePayment,
  dispute: NonNullable<DisputablePayment['dispute']>,
): string {
  const { timeZone, name } = merchant;
  const said = html`<p role="status">${describeDispute(dispute, name, timeZone)}</p>
<dl class="facts"><div><dt>You said</dt><dd>${REASON_WORDS[dispute.reason]}</dd></div>
<div><dt>On</dt><dd>${describeDate(dispute.createdAt, timeZone)}</dd></div></dl>`;
  if (dispute.status === 'open')
    return html`!${said}<p>${dispute.refundId === null ? IF_GIVEN_BACK : IS_GIVEN_BACK}</p>
<p class="quiet">If you did not agree to this payment, tell your bank too.</p>
!${dispute.raisedBy === 'customer' ? takeBack(paths, token, paymentId) : ''}`;
  if (dispute.status === 'rejected') return html`!${said}!${answered(paths, dispute, name)}`;
  return said;
}

const IF_GIVEN_BACK =
  'If it is given back, the money goes to the account you paid from. You get a message when they answer.';
const IS_GIVEN_BACK = 'It goes to the account you paid from. You get a message when it is sent.';

function takeBack(paths: Paths, token: string, paymentId: string): string {
  return html`<form method="post" action="${paths.link(token, 'recognise')}">
<input type="hidden" name="payment_id" value="${paymentId}">
<button class="second">I recognise it after all</button></form>`;
}

function answered(
  paths: Paths,
  { answerText }: NonNullable<DisputablePayment['dispute']>,
  name: string,
): string {
  const answer = answerText === null ? '' : html`<p>${name} answered: “${answerText}”</p>`;
  return html`!${answer}<p class="quiet">You do not agree? <a href="${paths.about}">See who provides this service</a>,
how to complain and who decides then. You can also ask your bank.</p>`;
}
