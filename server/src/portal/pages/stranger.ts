import { html } from '../../platform/values/html.ts';
import { describeLimits } from '../../schedules/limits/describe-limits.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState, Phase } from '../standing.ts';
import type { Offer } from '../views.ts';
import { describeDay, describeEnd } from '../words.ts';
import { type IconName, icon } from './icons.ts';
import { layout } from './layout.ts';
import { contactLine, merchantHead, priceOf, sentences } from './parts.ts';

/**
 * The pages for a browser that returns a bank's response without having left for the bank: the bank's app opened a different
 * browser, or the link to the bank was passed on. None of them contains a link's secret.
 */

interface StrangerState {
  sealed: string;
  /** The bank did not respond when its response was checked. */
  isAgain: boolean;
}

/** Renders the question whether the customer started this, and shows what they are about to allow. */
export function strangerPage(
  paths: Paths,
  { merchant, schedule }: ConsentPageState,
  { terms, limits, coming: [next] }: Offer,
  bankName: string,
  { sealed, isAgain }: StrangerState,
): string {
  const heading = 'Did you start this?';
  const content = html`<section class="card">
!${merchantHead(merchant, 'would like permission to collect payments')}
<h1>${heading}</h1>
!${isAgain ? BANK_DOWN_ALERT : ''}
<p>You have come back from ${bankName} in a different browser from the one where this request was opened. Your
bank’s app may have switched browsers. But if someone else sent you to your bank, answer no.</p>
<h2>${schedule.description}</h2>
!${priceOf(terms)}
<dl class="facts">!${next === undefined ? '' : first(next.dueDate, merchant.timeZone)}
<div><dt>Ends</dt><dd>${describeEnd(terms.series.endAt, merchant.timeZone)}</dd></div></dl>
!${sentences(describeLimits(limits))}
<p>If you answer yes, ${merchant.name} can collect this from the account you chose at your bank. If you answer
no, nothing is agreed, and we will delete the permission at your bank.</p>
<form method="post" action="${paths.callback}">
<input type="hidden" name="pending" value="${sealed}">
<button class="main" name="started" value="yes">Yes, I started this</button>
<button class="second" name="started" value="no">No, this was not me</button>
</form>
!${contactLine(merchant)}
</section>`;
  return layout(paths, { title: heading, merchant, content });
}

const first = (dueDate: Temporal.Instant, timeZone: string): string =>
  html`<div><dt>First payment</dt><dd>${describeDay(dueDate, timeZone)}</dd></div>`;

const BANK_DOWN_ALERT = html`<div class="alert" role="alert"><p><b>Your bank is not responding at the moment.</b>
Nothing has been agreed yet. Try again in a minute.</p></div>`;

interface Words {
  icon: IconName;
  tone: 'good' | 'quiet';
  heading: string;
  text: (standing: ConsentPageState) => string;
}

const DONE: Words = {
  icon: 'check',
  tone: 'good',
  heading: 'Thank you, you’re all set',
  text: ({ merchant, schedule }) =>
    `${merchant.name} can now collect payments for “${schedule.description}”, within the limits you approved with your bank. To see or withdraw the permission, use the link ${merchant.name} sent you, or your bank’s app.`,
};
const NEARLY: Words = {
  icon: 'clock',
  tone: 'quiet',
  heading: 'Nearly there',
  text: ({ merchant }) =>
    `Your permission for ${merchant.name} is being set up. The link ${merchant.name} sent you shows the current status.`,
};
const NOTHING: Words = {
  icon: 'cross',
  tone: 'quiet',
  heading: 'Nothing has been agreed here',
  text: ({ merchant }) =>
    `No payments will be collected through this. The link ${merchant.name} sent you shows the current status.`,
};
const CLOSING: Partial<Record<Phase, Words>> = {
  granted: DONE,
  finishing: NEARLY,
  deciding: NEARLY,
};

/** Renders the status, for a browser that gets no way forward. */
export function strangerOutcomePage(paths: Paths, standing: ConsentPageState): string {
  return closing(paths, standing, CLOSING[standing.phase] ?? NOTHING);
}

/** Renders the page after the customer said that they did not start this. */
export function droppedPage(paths: Paths, standing: ConsentPageState): string {
  return closing(paths, standing, {
    icon: 'stop',
    tone: 'quiet',
    heading: 'Nothing has been agreed',
    text: () =>
      `We will not use what you approved at your bank, and we are deleting it there. Nothing will be collected from you. If someone asked you to approve it, do not approve it again, and tell your bank.`,
  });
}

function closing(paths: Paths, standing: ConsentPageState, words: Words): string {
  const { merchant } = standing;
  const content = html`<section class="card outcome"><span class="badge ${words.tone}">!${icon(words.icon)}</span>
<h1>${words.heading}</h1><p>${words.text(standing)}</p>!${contactLine(merchant)}</section>`;
  return layout(paths, { title: words.heading, merchant, content });
}
