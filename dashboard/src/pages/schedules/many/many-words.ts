import type { ScheduleChange } from '../../../api/schedule-changes.ts';
import { formatMoney } from '../../../ui/values/money.tsx';
import { countWords } from '../../overview/figures.ts';

/** What can be done with many schedules at once. */
export type ManyAct = 'amount' | 'pause' | 'resume' | 'cancel' | 'link';

interface Words {
  button: string;
  title: (schedules: string) => string;
  confirm: (schedules: string) => string;
  tone: 'primary' | 'danger';
  consequence: string;
}

/** How each act is called, and what it means. */
export const ACTS: Readonly<Record<ManyAct, Words>> = {
  amount: {
    button: 'Change amount',
    title: (schedules) => `Change the amount of ${schedules}`,
    confirm: (schedules) => `Change ${schedules}`,
    tone: 'primary',
    consequence: 'The new terms apply from the next occurrence.',
  },
  pause: {
    button: 'Pause',
    title: (schedules) => `Pause ${schedules}?`,
    confirm: (schedules) => `Pause ${schedules}`,
    tone: 'primary',
    consequence:
      'Nothing is collected until you resume them. Payments that wait for a retry are marked as failed.',
  },
  resume: {
    button: 'Resume',
    title: (schedules) => `Resume ${schedules}?`,
    confirm: (schedules) => `Resume ${schedules}`,
    tone: 'primary',
    consequence: 'Collections continue with the next due date of each.',
  },
  cancel: {
    button: 'Cancel schedules',
    title: (schedules) => `Cancel ${schedules}?`,
    confirm: (schedules) => `Cancel ${schedules}`,
    tone: 'danger',
    consequence:
      'The customers’ consents are revoked at their banks, and pending payments are marked as failed. This cannot be undone.',
  },
  link: {
    button: 'Send links',
    title: () => 'Send the consent links?',
    confirm: (schedules) => `Send links for ${schedules}`,
    tone: 'primary',
    consequence:
      'Each customer who still has to agree is sent their link by email or text message, once a day at most.',
  },
};

/** Returns which act a change is. */
export function actOf({ change: { status, amount, limits } }: ScheduleChange): ManyAct {
  if (status !== undefined) return BY_STATUS[status];
  return amount === undefined && limits === undefined ? 'link' : 'amount';
}

const BY_STATUS = { paused: 'pause', active: 'resume', cancelled: 'cancel' } as const;

/** Returns how many schedules a change carries out, asks for or skips. */
export const changing = (change: ScheduleChange): number =>
  change.within_consent + change.needs_consent + change.awaiting_consent;

/** Says what a change means, a sentence for each effect that any schedule has. */
export function effectSentences(change: ScheduleChange): string[] {
  const { within_consent, needs_consent, awaiting_consent, unchanged, refused } = change;
  const isTerms = actOf(change) === 'amount';
  const within = (whose: string): string =>
    isTerms ? `within the limits ${whose} agreed to` : 'without a new consent';
  const until = 'new consent; until then the current amount is collected';
  const terms = isTerms ? ', now with the new terms' : '';
  const say = (count: number, one: string, many = one): string[] =>
    count === 0 ? [] : [`${countWords(count, 'schedule')} ${count === 1 ? one : many}.`];
  return [
    ...say(
      within_consent,
      `changes ${within('its customer')}`,
      `change ${within('their customers')}`,
    ),
    ...say(needs_consent, `needs ${until}`, `need ${until}`),
    ...say(awaiting_consent, `still waits for consent${terms}`, `still wait for consent${terms}`),
    ...say(unchanged, 'needs no change', 'need no change'),
    ...say(refused, 'cannot be changed'),
  ];
}

/** Says what the amounts of the schedules add up to, before and after; null: they stay. */
export function sumSentence({ amount_before, amount_after }: ScheduleChange): string | null {
  if (amount_before.value === amount_after.value) return null;
  return `Together: ${formatMoney(amount_before)} before, ${formatMoney(amount_after)} after.`;
}

/** Says in few words what a change does. */
export function changeTitle({ change, total }: ScheduleChange): string {
  const many = countWords(total, 'schedule');
  if (change.status === 'paused') return `Pause ${many}`;
  if (change.status === 'active') return `Resume ${many}`;
  if (change.status === 'cancelled') return `Cancel ${many}`;
  const { amount } = change;
  if (amount !== undefined && 'percent' in amount)
    return `${amount.percent > 0 ? 'Raise' : 'Lower'} ${many} by ${Math.abs(amount.percent)}%`;
  if (amount !== undefined) return `Set ${many} to ${formatMoney(amount)}`;
  return change.limits === undefined ? `Send links for ${many}` : `Change the limits of ${many}`;
}
