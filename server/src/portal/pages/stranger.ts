import { html } from 'ghtml';
import type { Paths } from '../paths.ts';
import type { Phase, Standing } from '../standing.ts';
import type { Offer } from '../views.ts';
import { describeEnd, describeLimits } from '../words.ts';
import { type IconName, icon } from './icons.ts';
import { layout } from './layout.ts';
import { contactLine, merchantHead, priceOf, sentences } from './parts.ts';

/**
 * The pages of a browser that brings back a bank's answer without having left for it: the bank's app opened another one, or
 * somebody passed the way to the bank on. None of them holds a link's secret.
 */

interface Asked {
  sealed: string;
  /** The bank did not answer when the answer was checked. */
  isAgain: boolean;
}

/** Asks whether it was they who started this, and shows what they are about to allow. */
export function strangerPage(
  paths: Paths,
  { merchant, schedule }: Standing,
  { terms, limits }: Offer,
  bankName: string,
  { sealed, isAgain }: Asked,
): string {
  const heading = 'Did you start this?';
  const content = html`<section class="card">
!${merchantHead(merchant, 'asks for permission to collect')}
<h1>${heading}</h1>
!${isAgain ? AGAIN : ''}
<p>You come back from ${bankName}, but this is not the browser in which the request was opened. That
happens when a bank’s app opens another browser. It also happens when somebody else sent you to the bank.</p>
<h2>${schedule.description}</h2>
!${priceOf(terms)}
<dl class="facts"><div><dt>Ends</dt><dd>${describeEnd(terms.series.endAt, merchant.timeZone)}</dd></div></dl>
!${sentences(describeLimits(limits))}
<p>If you say yes, ${merchant.name} may collect this from the account that you chose at your bank. If you say
no, nothing is agreed, and the permission is deleted at your bank.</p>
<form method="post" action="${paths.callback}">
<input type="hidden" name="pending" value="${sealed}">
<button class="main" name="started" value="yes">Yes, I started this</button>
<button class="second" name="started" value="no">No, it was not me</button>
</form>
!${contactLine(merchant)}
</section>`;
  return layout(paths, { title: heading, merchantName: merchant.name, content });
}

const AGAIN = html`<div class="alert" role="alert"><p><b>Your bank is not answering at the moment.</b>
Nothing has been agreed yet. Try again in a minute.</p></div>`;

interface Words {
  icon: IconName;
  heading: string;
  text: (standing: Standing) => string;
}

const DONE: Words = {
  icon: 'check',
  heading: 'Thank you, all is set up',
  text: ({ merchant, schedule }) =>
    `${merchant.name} may now collect for “${schedule.description}” within the limits you approved at your
bank. You can see and withdraw the permission by the link that ${merchant.name} sent, or in your bank’s app.`,
};
const NEARLY: Words = {
  icon: 'clock',
  heading: 'Nearly there',
  text: ({ merchant }) =>
    `Your permission for ${merchant.name} is being finished. The link that ${merchant.name} sent shows how
things stand.`,
};
const NOTHING: Words = {
  icon: 'cross',
  heading: 'Nothing has been agreed here',
  text: ({ merchant }) =>
    `Nothing is collected through this. The link that ${merchant.name} sent shows how things stand.`,
};
const CLOSING: Partial<Record<Phase, Words>> = {
  granted: DONE,
  finishing: NEARLY,
  deciding: NEARLY,
};

/** How things stand, for a browser that is shown no way on. */
export function strangerOutcomePage(paths: Paths, standing: Standing): string {
  return closing(paths, standing, CLOSING[standing.phase] ?? NOTHING);
}

/** They said that it was not they. */
export function droppedPage(paths: Paths, standing: Standing): string {
  return closing(paths, standing, {
    icon: 'stop',
    heading: 'Nothing has been agreed',
    text: () =>
      `What you approved at your bank has been dropped, and we delete it there too. Nothing is collected from you.
If somebody asked you to approve it, do not do it again, and tell your bank.`,
  });
}

function closing(paths: Paths, standing: Standing, words: Words): string {
  const { merchant } = standing;
  const content = html`<section class="card outcome"><span class="badge quiet">!${icon(words.icon)}</span>
<h1>${words.heading}</h1><p>${words.text(standing)}</p>!${contactLine(merchant)}</section>`;
  return layout(paths, { title: words.heading, merchantName: merchant.name, content });
}
