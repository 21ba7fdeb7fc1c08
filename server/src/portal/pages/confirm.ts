import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import { type ConsentPageState, hasEarlierTerms } from '../standing.ts';
import { layout } from './layout.ts';
import { merchantHead } from './parts.ts';

interface Question {
  heading: string;
  paragraphs: string[];
  action: 'decline' | 'withdraw';
  yes: string;
  /** Confirming ends something. */
  isEnding: boolean;
  no: string;
}

function ask(paths: Paths, { token, merchant }: ConsentPageState, question: Question): string {
  const content = html`<section class="card">
!${merchantHead(merchant, 'will be notified of your decision')}
<h1>${question.heading}</h1>
!${question.paragraphs.map((text) => html`<p>${text}</p>`).join('')}
<form method="post" action="${paths.link(token, question.action)}"><button
class="main ${question.isEnding ? 'danger' : ''}">${question.yes}</button></form>
<form method="get" action="${paths.link(token)}"><button class="second">${question.no}</button></form>
</section>`;
  return layout(paths, { title: question.heading, merchant, content });
}

/** Renders the confirmation before declining. */
export function declinePage(paths: Paths, standing: ConsentPageState): string {
  const { merchant, schedule, consent } = standing;
  if (hasEarlierTerms(standing) && consent.anotherAccount)
    return ask(paths, standing, {
      heading: 'Keep your current account?',
      paragraphs: [
        `Payments to ${merchant.name} for “${schedule.description}” will continue from the account that you have already agreed to.`,
      ],
      action: 'decline',
      yes: 'Keep current account',
      isEnding: false,
      no: 'Choose another account',
    });
  if (hasEarlierTerms(standing))
    return ask(paths, standing, {
      heading: 'Keep your current terms?',
      paragraphs: [
        `You are declining the new terms for “${schedule.description}”. Payments to ${merchant.name} will continue on the terms you have already agreed.`,
      ],
      action: 'decline',
      yes: 'Keep current terms',
      isEnding: false,
      no: 'Back to the new terms',
    });
  return ask(paths, standing, {
    heading: 'Decline this request?',
    paragraphs: [
      `${merchant.name} will not collect any payments from you for “${schedule.description}”, and this link will stop working.`,
      'If you still owe the business money, you will need to arrange another way to pay.',
    ],
    action: 'decline',
    yes: 'Decline',
    isEnding: true,
    no: 'Back',
  });
}

/** Renders the confirmation before a permission is withdrawn. `covers` are the descriptions of what is collected under it. */
export function withdrawPage(
  paths: Paths,
  standing: ConsentPageState,
  covers: readonly string[],
): string {
  const { merchant } = standing;
  const what = covers.map((description) => `“${description}”`).join(', ');
  return ask(paths, standing, {
    heading: 'Withdraw your permission?',
    paragraphs: [
      `${merchant.name} will not be able to collect any more payments from you for ${what}. Your bank will remove the permission too. To start again, you would need to give permission again.`,
      'A payment we have already sent to your bank may still go through.',
      'This does not cancel any contract you have with the business.',
    ],
    action: 'withdraw',
    yes: 'Withdraw permission',
    isEnding: true,
    no: 'Keep permission',
  });
}
