import type { SandboxHappening } from '@recollect/sdk';

/** Counts of what happened while the clock was moved, by kind. */
export interface Tally {
  collected: number;
  failed: number;
  toBeRetried: number;
  settled: number;
  notSettled: number;
  schedules: number;
  delivered: number;
  notDelivered: number;
}

/** One happening in the merchant's words. */
export interface DescribedHappening {
  at: string;
  title: string;
  detail: string | null;
  tone: 'success' | 'danger' | 'warning' | 'info' | 'neutral';
  /** The page of the dashboard with more details. */
  to: string | null;
  /** An outcome, as opposed to an intermediate step. */
  isOutcome: boolean;
}

type StateChange = Extract<SandboxHappening, { kind: 'state_change' }>;
type Attempt = Extract<SandboxHappening, { kind: 'delivery_attempt' }>;

const is = (id: string, prefix: string): boolean => id.startsWith(`${prefix}_`);
const wordsOf = (code: string): string => code.replaceAll('_', ' ');

/** Whether it is a failed attempt with a retry to come: back from the bank, and waiting. */
function isPostponed({ object_id, from, to }: StateChange): boolean {
  return is(object_id, 'pay') && to === 'pending' && from !== null && from !== 'failed';
}

/** Counts what happened. */
export function tallyOf(happened: readonly SandboxHappening[]): Tally {
  const changes = happened.filter((one) => one.kind === 'state_change');
  const attempts = happened.filter((one) => one.kind === 'delivery_attempt');
  const count = (prefix: string, to: string): number =>
    changes.filter((one) => is(one.object_id, prefix) && one.to === to).length;
  return {
    collected: count('pay', 'success'),
    failed: count('pay', 'failed'),
    toBeRetried: changes.filter(isPostponed).length,
    settled: count('set', 'success'),
    notSettled: count('set', 'failed'),
    schedules: changes.filter((one) => is(one.object_id, 'sch')).length,
    delivered: attempts.filter((one) => one.error === null).length,
    notDelivered: attempts.filter((one) => one.error !== null).length,
  };
}

/** Describes a happening, with the page that shows more of it. */
export function describeHappening(happening: SandboxHappening): DescribedHappening {
  switch (happening.kind) {
    case 'state_change':
      return describeChange(happening);
    case 'event':
      return {
        at: happening.at,
        title: `Event ${happening.event}`,
        detail: null,
        tone: 'neutral',
        to: `/webhooks/events/${happening.event_id}`,
        isOutcome: false,
      };
    case 'delivery_attempt':
      return describeAttempt(happening);
  }
}

function describeAttempt({ at, event_id, error, number }: Attempt): DescribedHappening {
  const hasArrived = error === null;
  return {
    at,
    title: hasArrived ? 'Webhook delivered' : 'Webhook not delivered',
    detail: hasArrived ? (number > 1 ? `Attempt ${number}` : null) : `Attempt ${number}: ${error}`,
    tone: hasArrived ? 'success' : 'warning',
    to: `/webhooks/events/${event_id}`,
    isOutcome: !hasArrived,
  };
}

/** The titles of outcomes of payments and settlements; anything else is an intermediate step. */
const OUTCOMES: Readonly<Record<string, Pick<DescribedHappening, 'title' | 'tone'>>> = {
  'pay success': { title: 'Payment collected', tone: 'success' },
  'pay failed': { title: 'Payment failed', tone: 'danger' },
  'set success': { title: 'Settlement paid out', tone: 'success' },
  'set failed': { title: 'Settlement failed', tone: 'danger' },
  'sch active': { title: 'Schedule active', tone: 'success' },
  'sch paused': { title: 'Schedule paused', tone: 'info' },
  'sch cancelled': { title: 'Schedule cancelled', tone: 'danger' },
};

const NOUNS: Readonly<Record<string, string>> = {
  pay: 'Payment',
  set: 'Settlement',
  sch: 'Schedule',
  con: 'Consent',
  wal: 'Wallet',
};

function pageOf({ object_id: id, schedule_id: scheduleId }: StateChange): string | null {
  if (is(id, 'pay')) return `/payments/${id}`;
  if (is(id, 'set')) return `/settlements/${id}`;
  if (is(id, 'sch')) return `/schedules/${id}`;
  return scheduleId === null ? null : `/schedules/${scheduleId}`;
}

function describeChange(change: StateChange): DescribedHappening {
  const { at, object_id: id, from, to, reason } = change;
  const prefix = id.slice(0, id.indexOf('_'));
  const told = { at, detail: wordsOf(reason), to: pageOf(change) };
  if (isPostponed(change))
    return { ...told, title: 'Payment will be retried', tone: 'warning', isOutcome: true };
  const outcome = from === to ? undefined : OUTCOMES[`${prefix} ${to}`];
  if (outcome !== undefined) {
    const detail = to === 'success' ? null : told.detail; // the title says it
    return { ...told, ...outcome, detail, isOutcome: true };
  }
  const noun = NOUNS[prefix];
  const title = noun === undefined ? wordsOf(to) : `${noun} ${wordsOf(to)}`;
  return { ...told, title, tone: 'neutral', isOutcome: prefix === 'con' };
}
