import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import { icon } from './icons.ts';
import { layout } from './layout.ts';
import { contactLine, merchantHead } from './parts.ts';

/** The pages of a customer whose bank wants them to confirm a permission again. */

/** Renders the form that leads to the bank. */
export function confirmForm(paths: Paths, token: string, bankName: string): string {
  return html`<form method="post" action="${paths.link(token, 'confirm')}"><button
class="main">Confirm at ${bankName}</button></form>`;
}

type Outcome = 'confirmed' | 'declined' | 'over';

const WORDS: Readonly<Record<Outcome, { heading: string; text: (s: ConsentPageState) => string }>> =
  {
    confirmed: {
      heading: 'Thank you, you have confirmed it',
      text: ({ merchant }) =>
        `Payments to ${merchant.name} continue as you agreed. A payment that waited for this is collected now.`,
    },
    declined: {
      heading: 'You did not confirm it',
      text: ({ merchant }) =>
        `Nothing has changed: your permission for ${merchant.name} stays, and nothing is collected until you confirm it. If you want no more payments, withdraw the permission on your payment page.`,
    },
    over: {
      heading: 'There is nothing to confirm any more',
      text: ({ merchant }) =>
        `Your payment page shows the current status of your permission for ${merchant.name}.`,
    },
  };

/** Renders the outcome. Only the browser that started it gets the link back. */
export function confirmOutcomePage(
  paths: Paths,
  standing: ConsentPageState,
  outcome: Outcome,
  isOwn: boolean,
): string {
  const { merchant, token } = standing;
  const { heading, text } = WORDS[outcome];
  const [tone, drawing] =
    outcome === 'confirmed' ? ['good', 'check' as const] : ['quiet', 'clock' as const];
  const back = html`<a class="button second" href="${paths.link(token)}">See my payments</a>`;
  const content = html`<section class="card outcome"><span class="badge ${tone}">!${icon(drawing)}</span>
<h1>${heading}</h1><p>${text(standing)}</p>!${isOwn ? back : ''}!${contactLine(merchant)}</section>`;
  return layout(paths, { title: heading, merchant, content });
}

/** Renders the page for a bank that does not respond. `answer`: its response, which can be sent again; null: not there yet. */
export function confirmOutagePage(
  paths: Paths,
  { token, merchant }: ConsentPageState,
  answer: string | null,
): string {
  const heading = 'Your bank is not responding';
  const action = answer === null ? paths.link(token, 'confirm') : paths.callback;
  const field = html`<input type="hidden" name="fragment" value="${answer ?? ''}">`;
  const content = html`<section class="card outcome"><span class="badge quiet">!${icon('clock')}</span>
<h1>${heading}</h1>
<p>Nothing has changed, and nothing is collected until you have confirmed your permission. Try again in a minute.</p>
<form method="post" action="${action}">!${answer === null ? '' : field}<button class="main">Try again</button></form>
<a class="button second" href="${paths.link(token)}">Back to my payments</a></section>`;
  return layout(paths, { title: heading, merchant, content });
}

/** Renders the question whether the customer started this, in a browser that did not leave for the bank. */
export function strangerConfirmPage(
  paths: Paths,
  { merchant, schedule }: ConsentPageState,
  sealed: string,
): string {
  const heading = 'Did you start this?';
  const content = html`<section class="card">
!${merchantHead(merchant, 'collects payments with your permission')}
<h1>${heading}</h1>
<p>You have come back from your bank in a different browser from the one where you started. Your bank’s app may have
switched browsers. But if someone else sent you to your bank, answer no.</p>
<p>If you answer yes, your permission for “${schedule.description}” is confirmed, on the terms that you agreed to. If you
answer no, nothing changes.</p>
<form method="post" action="${paths.callback}">
<input type="hidden" name="pending" value="${sealed}">
<button class="main" name="started" value="yes">Yes, I started this</button>
<button class="second" name="started" value="no">No, this was not me</button>
</form>
!${contactLine(merchant)}
</section>`;
  return layout(paths, { title: heading, merchant, content });
}
