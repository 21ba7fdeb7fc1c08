import { changeTitle, changeWhy, objectKind } from '../schedules/timeline-words.ts';

/** What people change, by the prefix of its id. */
export const SUBJECTS = {
  schedule: 'sch',
  consent: 'con',
  payment: 'pay',
  refund: 'ref',
  settlement: 'set',
  customer: 'cus',
  endpoint: 'end',
  api_key: 'key',
  prepared_act: 'act',
  member: 'usr',
  invitation: 'inv',
  business: 'mer',
} as const;

/** A kind of object that people change. */
export type Subject = keyof typeof SUBJECTS;

/** The order in which a filter offers them. */
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as Subject[];

const TITLES: Readonly<Partial<Record<Subject, Readonly<Record<string, string>>>>> = {
  api_key: {
    active: 'API key created',
    'active active': 'API key kept for the team',
    expiring: 'API key replaced',
    revoked: 'API key revoked',
    addresses_changed: 'Addresses of the API key changed',
    limits_changed: 'Limits of the API key changed',
  },
  endpoint: {
    enabled: 'Webhook endpoint enabled',
    'null enabled': 'Webhook endpoint added',
    disabled: 'Webhook endpoint disabled',
    deleted: 'Webhook endpoint deleted',
    changed: 'Webhook endpoint edited',
    secret_made: 'New webhook secret made',
    secret_activated: 'New webhook secret activated',
  },
  customer: {
    details_changed: 'Customer edited',
    erased: 'Personal data erased',
    exported: 'Personal data exported',
  },
  invitation: {
    invited: 'Invitation sent',
    withdrawn: 'Invitation withdrawn',
    accepted: 'Invitation accepted',
  },
  member: {
    removed: 'Removed from the team',
    reset: 'Sign-in reset by an operator',
    reset_link_made: 'Link for a new password made',
    sso_linked: 'Linked to the identity provider',
    sso_unlinked: 'Unlinked from the identity provider',
  },
  business: {
    details_changed: 'Business settings changed',
    payee_checked: 'Name on a bank account checked',
    settlement_account_change_requested: 'Settlement account change requested',
    settlement_account_change_taken_back: 'Settlement account change cancelled',
    settlement_account_change_agreed: 'Settlement account change agreed by a second operator',
    settlement_account_changed: 'Settlement account changed',
    scheme_changed: 'Payment scheme details changed',
    access_changed: 'Sign-in rules changed',
    sso_changed: 'Single sign-on changed',
  },
};

/** Returns the kind of object behind an id; null for what only the service changes. */
export function subjectOf(id: string): Subject | null {
  const prefix = id.split('_')[0];
  return SUBJECT_NAMES.find((name) => SUBJECTS[name] === prefix) ?? null;
}

/** Describes a change of anything in a sentence without its full stop. */
export function activityTitle(
  objectId: string,
  from: string | null,
  to: string,
  reason = '',
): string {
  if (from === 'details' && to === 'shown') return 'Personal data shown to an operator';
  const subject = subjectOf(objectId);
  const own = subject === null ? undefined : TITLES[subject];
  if (own === undefined) return changeTitle(objectKind(objectId), from, to, reason);
  const title = own[`${from} ${to}`] ?? own[to];
  if (title !== undefined) return title;
  return subject === 'member' ? roleTitle(from, to) : capitalised(inWords(to));
}

function roleTitle(from: string | null, to: string): string {
  return from === null
    ? `Joined the team as ${inWords(to)}`
    : `Role changed from ${inWords(from)} to ${inWords(to)}`;
}

/** A reason that only names the actor by id. */
const WHO = /^(by|created with|revoked with) \S+$/;

/** Explains a change; empty where its title and its actor say it all. */
export function explainActivity(objectId: string, reason: string): string {
  return WHO.test(reason) ? '' : changeWhy(objectKind(objectId), reason);
}

function inWords(code: string): string {
  return code.replaceAll('_', ' ');
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
