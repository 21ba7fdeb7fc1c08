import { html } from 'ghtml';
import type { Paths } from '../paths.ts';
import { hasEarlierTerms, type Standing } from '../standing.ts';
import { layout } from './layout.ts';
import { merchantHead } from './parts.ts';

interface Question {
  heading: string;
  paragraphs: string[];
  action: 'decline' | 'withdraw';
  yes: string;
  /** The yes ends something. */
  isEnding: boolean;
  no: string;
}

function ask(paths: Paths, { token, merchant }: Standing, question: Question): string {
  const content = html`<section class="card">
!${merchantHead(merchant, 'is told of your decision at once')}
<h1>${question.heading}</h1>
!${question.paragraphs.map((text) => html`<p>${text}</p>`).join('')}
<form method="post" action="${paths.link(token, question.action)}"><button
class="main ${question.isEnding ? 'danger' : ''}">${question.yes}</button></form>
<form method="get" action="${paths.link(token)}"><button class="second">${question.no}</button></form>
</section>`;
  return layout(paths, { title: question.heading, merchantName: merchant.name, content });
}

/** Asks before a no is taken. */
export function declinePage(paths: Paths, standing: Standing): string {
  const { merchant, schedule } = standing;
  if (hasEarlierTerms(standing))
    return ask(paths, standing, {
      heading: 'Keep the terms as they are?',
      paragraphs: [
        `You do not agree to the new terms for “${schedule.description}”. Payments to ${merchant.name} go on
under the terms that you agreed to before.`,
      ],
      action: 'decline',
      yes: 'Yes, keep them as they are',
      isEnding: false,
      no: 'Back to the new terms',
    });
  return ask(paths, standing, {
    heading: 'You do not agree?',
    paragraphs: [
      `${merchant.name} will not collect anything from you for “${schedule.description}”, and this link will
stop working.`,
      'If you owe the business money, ask it for another way to pay.',
    ],
    action: 'decline',
    yes: 'I do not agree',
    isEnding: true,
    no: 'Back',
  });
}

/** Asks before a permission is withdrawn. `covers` are the descriptions of what is collected under it. */
export function withdrawPage(paths: Paths, standing: Standing, covers: readonly string[]): string {
  const { merchant } = standing;
  const what = covers.map((description) => `“${description}”`).join(', ');
  return ask(paths, standing, {
    heading: 'Withdraw your permission?',
    paragraphs: [
      `${merchant.name} will not collect anything more from you for ${what}. Your bank deletes the
permission too. To start again, you would have to agree again.`,
      'A payment that your bank has already been asked to make may still arrive.',
      'Withdrawing does not end a contract that you have with the business.',
    ],
    action: 'withdraw',
    yes: 'Withdraw my permission',
    isEnding: true,
    no: 'Keep it',
  });
}
