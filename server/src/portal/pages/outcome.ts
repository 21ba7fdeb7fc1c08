import { html } from 'ghtml';
import { describeAmount } from '../../schedules/describe.ts';
import { type Paths, returnAddress } from '../paths.ts';
import { hasEarlierTerms, type Phase, type Standing } from '../standing.ts';
import { describeDay } from '../words.ts';
import { type IconName, icon } from './icons.ts';
import { layout } from './layout.ts';
import { contactLine, steps } from './parts.ts';

interface Words {
  icon: IconName;
  tone: 'good' | 'quiet' | 'bad';
  heading: string;
  paragraphs: string[];
}

type Written = (standing: Standing) => Words;

const WRITTEN: Readonly<Record<Phase, Written>> = {
  granted: ({ merchant, schedule }) => ({
    icon: 'check',
    tone: 'good',
    heading: 'Thank you, all is set up',
    paragraphs: [
      schedule.status === 'paused'
        ? `Your permission for “${schedule.description}” is kept. ${merchant.name} has paused payments for
now, and nothing is collected until they go on.`
        : `${merchant.name} may now collect for “${schedule.description}” within the limits you approved at
your bank.`,
      ...nextPayment(schedule.dueAt, merchant.timeZone),
      `Keep the link that you were sent: it shows your payments at any time, and you can withdraw your
permission there.`,
    ],
  }),
  finishing: ({ merchant }) => ({
    icon: 'clock',
    tone: 'quiet',
    heading: 'Nearly there',
    paragraphs: [
      `Your bank has said yes, and your permission for ${merchant.name} is being finished. You need not do
anything more, and may close this page.`,
    ],
  }),
  deciding: () => ({
    icon: 'clock',
    tone: 'quiet',
    heading: 'Your bank has not confirmed yet',
    paragraphs: [
      `Nothing has been agreed and nothing is collected. Check again in a moment, or go to your bank once
more.`,
    ],
  }),
  denied: (standing) => ({
    icon: 'cross',
    tone: 'quiet',
    heading: 'You did not agree',
    paragraphs: [
      afterNo(standing),
      `Was it only the wrong account? Ask ${standing.merchant.name} for a new link.`,
    ],
  }),
  rejected: (standing) => ({
    icon: 'alert',
    tone: 'bad',
    heading: 'Your bank did not accept this',
    paragraphs: [
      'It refused to hold the permission, not you. Some accounts cannot be used for payments like these.',
      afterNo(standing),
      `To try with another account or bank, ask ${standing.merchant.name} for a new link.`,
    ],
  }),
  expired: (standing) => ({
    icon: 'clock',
    tone: 'quiet',
    heading: 'This link has expired',
    paragraphs: [
      afterNo(standing),
      `If you still want to agree, ask ${standing.merchant.name} for a new link.`,
    ],
  }),
  ended: (standing) => ({
    icon: 'stop',
    tone: 'quiet',
    heading: 'Your permission has ended',
    paragraphs: [
      `${standing.merchant.name} will not ask for any more payments under it.`,
      ...stillToCome(standing),
    ],
  }),
  replaced: ({ merchant }) => ({
    icon: 'check',
    tone: 'good',
    heading: 'You have agreed to newer terms',
    paragraphs: [
      `They have taken the place of these. To see your payments, use the link that ${merchant.name} sent you
with the newer terms.`,
    ],
  }),
  dropped: (standing) => ({
    icon: 'cross',
    tone: 'quiet',
    heading: `${standing.merchant.name} has taken this request back`,
    paragraphs: [afterNo(standing)],
  }),
};

function nextPayment(dueAt: Temporal.Instant | null, timeZone: string): string[] {
  return dueAt === null ? [] : [`The next payment is due on ${describeDay(dueAt, timeZone)}.`];
}

/** What the bank had been asked for before the end, one by one. */
function stillToCome({ merchant, underWay = [] }: Standing): string[] {
  if (underWay.length === 0) return ['No payment is under way: nothing more is taken.'];
  return underWay.map(({ amount, due_date }) => {
    const day = describeDay(Temporal.Instant.from(due_date), merchant.timeZone);
    return `Your bank had already been asked for ${describeAmount(amount.value)}, due on ${day}. It may still be taken.`;
  });
}

function afterNo(standing: Standing): string {
  const { merchant, schedule } = standing;
  return hasEarlierTerms(standing)
    ? `Payments to ${merchant.name} go on under the terms that you agreed to before.`
    : `${merchant.name} will not collect anything from you for “${schedule.description}”.`;
}

/** How a link stands that needs no decision any more, and where the customer can go from here. */
export function outcomePage(paths: Paths, standing: Standing): string {
  const { merchant, phase } = standing;
  const words = WRITTEN[phase](standing);
  const content = html`!${phase === 'granted' ? steps(2) : ''}
<section class="card outcome">
<span class="badge ${words.tone}">!${icon(words.icon)}</span>
<h1>${words.heading}</h1>
!${words.paragraphs.map((text) => html`<p>${text}</p>`).join('')}
!${waysOn(paths, standing)}
!${phase === 'granted' ? '' : contactLine(merchant)}
</section>`;
  return layout(paths, { title: words.heading, merchantName: merchant.name, content });
}

function waysOn(paths: Paths, standing: Standing): string {
  const { token, phase, merchant, schedule } = standing;
  const own: Partial<Record<Phase, [string, string]>> = {
    granted: [paths.link(token), 'See my payments'],
    finishing: [paths.link(token, 'done'), 'Check again'],
    deciding: [paths.link(token), 'Go back and try again'],
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
