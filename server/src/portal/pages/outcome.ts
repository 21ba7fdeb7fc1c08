import { html } from '../../platform/values/html.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import { type Paths, returnAddress } from '../paths.ts';
import { type ConsentPageState, hasEarlierTerms, type Phase } from '../standing.ts';
import { describeDay } from '../words.ts';
import { following } from './hand-off.ts';
import { type IconName, icon } from './icons.ts';
import { layout } from './layout.ts';
import { contactLine, steps } from './parts.ts';

interface Words {
  icon: IconName;
  tone: 'good' | 'quiet' | 'bad';
  heading: string;
  paragraphs: string[];
}

type Written = (standing: ConsentPageState) => Words;

const PHASE_TEXTS: Readonly<Record<Phase, Written>> = {
  granted: ({ merchant, schedule, firstPence, nextPaymentAt = null }) => ({
    icon: 'check',
    tone: 'good',
    heading: 'Thank you, you’re all set',
    paragraphs: [
      schedule.status === 'paused'
        ? `Your permission for “${schedule.description}” is in place. ${merchant.name} has paused payments, so
nothing will be collected until they resume.`
        : `${merchant.name} can now collect payments for “${schedule.description}”, within the limits you
approved with your bank.`,
      ...firstPayment(firstPence),
      ...nextPayment(nextPaymentAt, merchant.timeZone),
      `Keep the link you were sent: use it at any time to see your payments or withdraw your permission.`,
    ],
  }),
  finishing: ({ merchant }) => ({
    icon: 'clock',
    tone: 'quiet',
    heading: 'Nearly there',
    paragraphs: [
      `Your bank has approved, and we are setting up your permission for ${merchant.name}. You do not need to do anything else and can close this page.`,
    ],
  }),
  deciding: () => ({
    icon: 'clock',
    tone: 'quiet',
    heading: 'Your bank has not confirmed yet',
    paragraphs: [
      `Nothing has been agreed and nothing will be collected. Check again in a moment, or go back to your bank.`,
    ],
  }),
  denied: (standing) => ({
    icon: 'cross',
    tone: 'quiet',
    heading: 'You declined',
    paragraphs: [
      afterNo(standing),
      `If you only chose the wrong account, ask ${standing.merchant.name} for a new link.`,
    ],
  }),
  rejected: (standing) => ({
    icon: 'alert',
    tone: 'bad',
    heading: 'Your bank did not accept this',
    paragraphs: [
      'Your bank did not accept the permission. Some accounts cannot be used for payments like these.',
      afterNo(standing),
      `To try another account or bank, ask ${standing.merchant.name} for a new link.`,
    ],
  }),
  expired: (standing) => ({
    icon: 'clock',
    tone: 'quiet',
    heading: 'This link has expired',
    paragraphs: [
      afterNo(standing),
      `If you still want to set this up, ask ${standing.merchant.name} for a new link.`,
    ],
  }),
  ended: (standing) => ({
    icon: 'stop',
    tone: 'quiet',
    heading: 'Your permission has ended',
    paragraphs: [
      `${standing.merchant.name} will not request any more payments under it.`,
      ...stillToCome(standing),
    ],
  }),
  replaced: ({ merchant }) => ({
    icon: 'check',
    tone: 'good',
    heading: 'You have given a newer permission',
    paragraphs: [`It replaces this one. ${merchant.name} collects your payments under it.`],
  }),
  dropped: ({ newer = null, ...standing }) => ({
    icon: 'cross',
    tone: 'quiet',
    heading:
      newer === null
        ? `${standing.merchant.name} has withdrawn this request`
        : 'This link has been replaced',
    paragraphs: [
      ...(newer === null ? [] : [`Use the latest link for “${standing.schedule.description}”.`]),
      ...(newer === null || hasEarlierTerms(standing) ? [afterNo(standing)] : []),
    ],
  }),
};

function nextPayment(at: Temporal.Instant | null, timeZone: string): string[] {
  return at === null ? [] : [`The next payment is due on ${describeDay(at, timeZone)}.`];
}

/** Lists the payments that had been sent to the bank before the end. */
function stillToCome({ merchant, underWay = [] }: ConsentPageState): string[] {
  if (underWay.length === 0) return ['No payments are in progress, so nothing more will be taken.'];
  return underWay.map(({ amount, due_date: dueDate }) => {
    const day = describeDay(Temporal.Instant.from(dueDate), merchant.timeZone);
    return `We had already asked your bank for ${describeAmount(amount.value)}, due on ${day}. It may still be taken.`;
  });
}

function afterNo(standing: ConsentPageState): string {
  const { merchant, schedule } = standing;
  return hasEarlierTerms(standing)
    ? `Payments to ${merchant.name} will continue on the terms you have already agreed.`
    : `${merchant.name} will not collect any payments from you for “${schedule.description}”.`;
}

/** Says what is collected at once by the consent that was just given. */
function firstPayment(firstPence: number | null | undefined): string[] {
  return firstPence ? [`${describeAmount(firstPence)} is collected now, once.`] : [];
}

/** Renders the status of a link that needs no decision any more, and where the customer can go from here. */
export function outcomePage(paths: Paths, standing: ConsentPageState): string {
  const { merchant, phase } = standing;
  const words = PHASE_TEXTS[phase](standing);
  const content = html`!${phase === 'granted' ? steps(2) : ''}
<section class="card outcome" !${phase === 'finishing' ? following(paths, standing) : ''}>
<span class="badge ${words.tone}">!${icon(words.icon)}</span>
<h1>${words.heading}</h1>
!${words.paragraphs.map((text) => html`<p>${text}</p>`).join('')}
!${nextLinks(paths, standing)}
!${phase === 'ended' ? lookBack(paths, standing) : ''}
!${phase === 'granted' ? '' : contactLine(merchant)}
</section>`;
  const script = phase === 'finishing' ? ({ script: 'follow' } as const) : {};
  return layout(paths, { title: words.heading, merchant, ...script, content });
}

/** Leads to what was collected and agreed to under a permission that has ended. */
function lookBack(paths: Paths, { token, merchant }: ConsentPageState): string {
  return html`<p><a href="${paths.link(token, 'dispute')}">Tell ${merchant.name} about a payment you don’t recognise</a></p>
<p><a href="${paths.link(token, 'agreement')}">Download what I agreed to (PDF)</a></p>`;
}

function nextLinks(paths: Paths, standing: ConsentPageState): string {
  const { token, phase, merchant, schedule, newer = null } = standing;
  const own: Partial<Record<Phase, [string, string]>> = {
    granted: [paths.link(token), 'See my payments'],
    finishing: [paths.link(token, 'done'), 'Check again'],
    deciding: [paths.link(token), 'Go back and try again'],
    ...(typeof newer?.url === 'string' ? { replaced: [newer.url, 'See my payments'] } : {}),
  };
  const links = own[phase] === undefined ? [] : [own[phase]];
  if (merchant.returnUrl !== null && phase !== 'deciding' && phase !== 'finishing') {
    const url = returnAddress(merchant.returnUrl, schedule.scheduleId, schedule.status);
    links.push([url, `Back to ${merchant.name}`]);
  }
  return links
    .map(
      ([url, label], i) =>
        html`<a class="button ${i === 0 ? 'main' : 'second'}" href="${url}">${label}</a>`,
    )
    .join('');
}
