import type { TimelineEntry } from './view.ts';

type ObjectKind = TimelineEntry['object'];
type Delivery = NonNullable<TimelineEntry['event']>['delivery'];

const KINDS: Readonly<Record<string, ObjectKind>> = {
  sch: 'schedule',
  con: 'consent',
  pay: 'payment',
  wal: 'wallet',
  set: 'settlement',
};

/** What an id stands for, by its prefix. */
export function objectKind(id: string): ObjectKind {
  return KINDS[id.split('_')[0] ?? ''] ?? 'other';
}

/** What it means that an object came to a state; where from matters is said by `from to`. */
const CHANGES: Readonly<Record<ObjectKind, Readonly<Record<string, string>>>> = {
  schedule: {
    pending_consent: 'The schedule was created and waits for the customer’s consent',
    active: 'The schedule became active',
    'null active': 'The schedule was created under a consent that the customer had given',
    'paused active': 'The schedule was resumed',
    paused: 'The schedule was paused',
    cancelled: 'The schedule was cancelled',
    terms_changed: 'The terms were changed',
  },
  consent: {
    pending: 'The customer was asked for consent',
    authorising: 'The customer went to their bank',
    authorised: 'The customer agreed at their bank',
    granted: 'The consent was granted',
    denied: 'The customer declined',
    expired: 'The consent link ran out',
    rejected: 'The bank refused the consent',
    revoked: 'The consent ended',
    replaced: 'The consent was replaced by a new one',
    dropped: 'The request for consent was withdrawn',
  },
  payment: {
    'null pending': 'A payment fell due',
    pending: 'The payment waits for another try',
    'failed pending': 'The payment is tried again by hand',
    processing: 'The bank was asked for the payment',
    'failed processing': 'The money of an earlier try arrived',
    success: 'The payment was collected',
    failed: 'The payment failed',
  },
  wallet: {
    planned: 'The wallet was planned',
    reserved: 'The wallet was reserved',
    open: 'The wallet was opened',
    closing: 'The wallet is being released',
    closed: 'The wallet was closed',
  },
  settlement: {
    pending: 'The settlement was made up',
    processing: 'The settlement is being paid out',
    success: 'The settlement was paid out',
    failed: 'The settlement failed',
  },
  other: {
    'null open': 'Money arrived that was not expected',
    'open open': 'One person decided on money that was not expected',
    allocated: 'The money has paid for a payment',
    accepted_in_part: 'The money was accepted for a payment, as far as it went',
    returned: 'The money went back to who paid it',
    paid_on: 'The money was paid on by hand',
  },
};

/** What happened, in a sentence without its full stop. */
export function changeTitle(kind: ObjectKind, from: string | null, to: string): string {
  const sentences = CHANGES[kind];
  return sentences[`${from} ${to}`] ?? sentences[to] ?? `Changed to ${to.replaceAll('_', ' ')}`;
}

/** The codes among the stored reasons; what was written for people is kept as it is. */
const REASONS: Readonly<Record<string, string>> = {
  consent_denied: 'the customer declined',
  consent_expired: 'the link ran out before the customer decided',
  consent_rejected: 'the bank refused the consent',
  consent_account_mismatch: 'the customer agreed with another account than the one named',
  schedule_cancelled: 'the schedule was cancelled',
  schedule_changed: 'the schedule was changed or cancelled before the customer decided',
  withdrawn_on_portal: 'the customer withdrew it on the consent page',
  withdrawn_at_bank: 'the customer withdrew it at their bank',
  expired_at_bank: 'its time at the bank is over',
};

/** Why a payment failed. */
const FAILURES: Readonly<Record<string, string>> = {
  insufficient_funds: 'there was not enough money in the account',
  account_closed: 'the account is closed',
  invalid_account: 'the account cannot be paid from',
  blocked: 'the bank blocked the payment',
  bank_limit: 'it was above the bank’s own limit',
  limit_exceeded: 'it was above the limits that the customer agreed to',
  consent_revoked: 'the consent is no longer in force',
  consent_expired: 'the consent’s time at the bank is over',
  reauthentication_required: 'the bank wants the customer to confirm the consent again',
  creditor_account_unavailable: 'the receiving account was not available',
  technical: 'the bank could not carry it out',
  rejected: 'the bank refused it',
  schedule_paused: 'the schedule was paused',
  schedule_cancelled: 'the schedule was cancelled',
};

const A_CODE = /^[a-z]+(_[a-z]+)+$/;

/** Why something changed, for people: a code becomes words. */
export function changeWhy(kind: ObjectKind, reason: string): string {
  const words = (kind === 'payment' ? FAILURES : REASONS)[reason];
  return words ?? (A_CODE.test(reason) ? reason.replaceAll('_', ' ') : reason);
}

const EVENTS: Readonly<Record<string, string>> = {
  'schedule.setup_success': 'Told you that the schedule is set up',
  'schedule.setup_failed': 'Told you that the customer’s consent did not come about',
  'schedule.cancelled': 'Told you that the schedule is cancelled',
  'schedule.paused': 'Told you that the schedule is paused',
  'schedule.resumed': 'Told you that the schedule is resumed',
  'consent.revoked': 'Told you that the consent has ended',
  'collection.returned': 'Told you that the payer’s bank recalled the payment',
  'merchant.settlement_account_changed': 'Told you that settlements go to another account',
  'payment.unexpected_money': 'Told you that money arrived for a payment that was not expected',
  'collection.success': 'Told you that the payment was collected',
  'collection.failed': 'Told you that the payment failed',
  'settlement.success': 'Told you that the settlement was paid out',
  'settlement.failed': 'Told you that the settlement failed',
};

/** What an event told the merchant, in a sentence without its full stop. */
export function eventTitle(kind: string): string {
  return EVENTS[kind] ?? `Told you of ${kind}`;
}

/** The worst that became of an event at any endpoint comes first. */
const WORST_FIRST = ['failed', 'held', 'pending', 'delivered'] as const;

/** One word for an event's deliveries to all living endpoints; `routed`: it was handed to those that want it. */
export function summariseDeliveries(routed: boolean, statuses: readonly string[]): Delivery {
  const worst = WORST_FIRST.find((status) => statuses.includes(status));
  return worst ?? (routed ? 'no_endpoint' : 'pending');
}
