import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';

/** The text of a page about something that went wrong. */
export interface Problem {
  heading: string;
  text: string;
}

const LINK_HELP =
  'Check that you opened the full link the business sent you, or ask the business for a new one.';

export const PROBLEMS = {
  unknown: { heading: 'This link is not valid', text: LINK_HELP },
  forbidden: {
    heading: 'This request came from another website',
    text: `To protect you, we only accept decisions made on our own pages. Open the link the business sent you and decide there.`,
  },
  unanswered: {
    heading: 'We could not match your bank’s response',
    text: `Your bank’s response does not match a current request. You may have started again since. Nothing
has been agreed through it. Open the link the business sent you to check the status.`,
  },
  changed: {
    heading: 'The terms have changed',
    text: `The business changed the terms while you were at your bank. Nothing has been agreed, and we have
not used your decision there. Open the link the business sent you to see the new terms.`,
  },
  late: {
    heading: 'That took too long',
    text: `Your bank’s response has expired. Nothing has been agreed. Open the link the business sent you to start again.`,
  },
  notHeld: {
    heading: 'We could not accept your bank’s response',
    text: `It had expired, had already been used or was incomplete. Nothing has been agreed and nothing will
be collected. Open the link the business sent you to start again.`,
  },
  notConfirmed: {
    heading: 'We could not accept your bank’s response',
    text: 'It had expired, had already been used or was incomplete. Nothing has changed. Open your payment page to start again.',
  },
  busy: {
    heading: 'Too many attempts',
    text: 'Please wait a minute, then try again. Nothing has changed.',
  },
  invalid: {
    heading: 'We could not read this request',
    text: 'Please go back and try again. Nothing has changed.',
  },
  failed: {
    heading: 'Something went wrong on our side',
    text: 'Sorry about that. Please try again in a few minutes: your link shows the current status.',
  },
} as const satisfies Record<string, Problem>;

/** Renders a page about a problem. It reveals nothing about merchants or customers. */
export function problemPage(paths: Paths, { heading, text }: Problem): string {
  const content = html`<section class="card outcome"><span class="badge quiet">!${icon('alert')}</span>
<h1>${heading}</h1><p>${text}</p></section>`;
  return layout(paths, { title: heading, merchant: null, content });
}

/** Renders the page for an invalid bank response: nothing was agreed, and the customer can try again. */
export function invalidAnswerPage(paths: Paths, { token, merchant }: ConsentPageState): string {
  const heading = 'We could not accept your bank’s response';
  const content = html`<section class="card outcome"><span class="badge bad">!${icon('alert')}</span>
<h1>${heading}</h1>
<p>It had expired, had already been used or was incomplete. Nothing has been agreed and nothing will be collected.</p>
<a class="button main" href="${paths.link(token)}">Go back and try again</a></section>`;
  return layout(paths, { title: heading, merchant, content });
}

/** Renders the page for a bank that stopped responding during the check of its response: the same response can be sent again. */
export function lateOutagePage(
  paths: Paths,
  { token, merchant }: ConsentPageState,
  answer: string,
): string {
  const heading = 'Your bank is not responding';
  const content = html`<section class="card outcome"><span class="badge quiet">!${icon('clock')}</span>
<h1>${heading}</h1>
<p>Your bank has not confirmed your decision to us yet. Nothing will be collected until it has.</p>
<form method="post" action="${paths.callback}"><input type="hidden" name="fragment" value="${answer}">
<button class="main">Try again</button></form>
<a class="button second" href="${paths.link(token)}">Start again, or choose another bank</a></section>`;
  return layout(paths, { title: heading, merchant, content });
}
