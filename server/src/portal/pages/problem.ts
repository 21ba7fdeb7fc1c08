import { html } from 'ghtml';
import type { Paths } from '../paths.ts';
import type { Standing } from '../standing.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';

/** What to show where something did not work. */
export interface Problem {
  heading: string;
  text: string;
}

const LINK_HELP =
  'Check that the whole link was opened, as the business sent it to you, or ask the business for a new one.';

export const PROBLEMS = {
  unknown: { heading: 'This link does not lead anywhere', text: LINK_HELP },
  forbidden: {
    heading: 'This came from another website',
    text: `To protect you, decisions are only taken from our own pages. Open the link that the business sent
you, and decide there.`,
  },
  unanswered: {
    heading: 'We do not know this answer',
    text: `What came back from the bank belongs to no request of ours, or to one that was started anew
since. Nothing has been agreed through it. Open the link that the business sent you to see how things
stand.`,
  },
  changed: {
    heading: 'The terms have changed',
    text: `The business changed what it asks for while you were at your bank. Nothing has been agreed, and
your answer there is not used. Open the link that the business sent you: it shows the new terms.`,
  },
  late: {
    heading: 'That took too long',
    text: `Your bank’s answer is no longer good. Nothing has been agreed. Open the link that the business sent you
to start again.`,
  },
  notHeld: {
    heading: 'We could not accept your bank’s answer',
    text: `It was too old, had been used before, or was not complete. Nothing has been agreed and nothing is
collected. Open the link that the business sent you to start again.`,
  },
  busy: {
    heading: 'Too many tries',
    text: 'Please wait a minute, and then try again. Nothing has been changed.',
  },
  invalid: {
    heading: 'This could not be read',
    text: 'Please go back and try again. Nothing has been changed.',
  },
  failed: {
    heading: 'Something went wrong on our side',
    text: 'We are sorry. Please try again in a few minutes: opening your link shows how things stand.',
  },
} as const satisfies Record<string, Problem>;

/** A page for what did not work, which tells nothing about anybody. */
export function problemPage(paths: Paths, { heading, text }: Problem): string {
  const content = html`<section class="card outcome"><span class="badge quiet">!${icon('alert')}</span>
<h1>${heading}</h1><p>${text}</p></section>`;
  return layout(paths, { title: heading, merchantName: null, content });
}

/** The bank's answer does not hold: nothing was agreed, and the customer can go again. */
export function invalidAnswerPage(paths: Paths, { token, merchant }: Standing): string {
  const heading = 'We could not accept your bank’s answer';
  const content = html`<section class="card outcome"><span class="badge bad">!${icon('alert')}</span>
<h1>${heading}</h1>
<p>It was too old, had been used before, or was not complete. Nothing has been agreed and nothing is
collected.</p>
<a class="button main" href="${paths.link(token)}">Go back and try again</a></section>`;
  return layout(paths, { title: heading, merchantName: merchant.name, content });
}

/** The bank went silent while its answer was checked: the same answer can be sent again. */
export function lateOutagePage(
  paths: Paths,
  { token, merchant }: Standing,
  answer: string,
): string {
  const heading = 'Your bank is not answering';
  const content = html`<section class="card outcome"><span class="badge quiet">!${icon('clock')}</span>
<h1>${heading}</h1>
<p>You are back from your bank, but it has not confirmed your decision to us yet. Nothing is collected until
it has.</p>
<form method="post" action="${paths.callback}"><input type="hidden" name="fragment" value="${answer}">
<button class="main">Try again</button></form>
<a class="button second" href="${paths.link(token)}">Start again, or choose another bank</a></section>`;
  return layout(paths, { title: heading, merchantName: merchant.name, content });
}
