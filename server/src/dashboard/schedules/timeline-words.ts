import { FAILURE_MESSAGES } from '../../banks/failure-messages.ts';
import { BY_TEXT } from '../../notices/notice.ts';
import { STOPPED } from '../../payments/payment/attempt.ts';
import { COLLECTED_ONCE } from '../../payments/payment/payment.ts';
import type { TimelineEntry } from './view.ts';

type ObjectKind = TimelineEntry['object'];
type Delivery = NonNullable<TimelineEntry['event']>['delivery'];

const KINDS: Readonly<Record<string, ObjectKind>> = {
  sch: 'schedule',
  con: 'consent',
  pay: 'payment',
  wal: 'wallet',
  set: 'settlement',
  ref: 'refund',
  dsp: 'dispute',
  ntc: 'notice',
};

/** Returns the kind of object of an id, by its prefix. */
export function objectKind(id: string): ObjectKind {
  return KINDS[id.split('_')[0] ?? ''] ?? 'other';
}

/** Titles of changes, by the new state, or by `from to` where the old state matters. */
const CHANGES: Readonly<Record<ObjectKind, Readonly<Record<string, string>>>> = {
  schedule: {
    pending_consent: 'The schedule was created and is waiting for the customer’s consent',
    active: 'The schedule became active',
    'null active': 'The schedule was created under an existing consent',
    'paused active': 'The schedule was resumed',
    paused: 'The schedule was paused',
    cancelled: 'The schedule was cancelled',
    terms_changed: 'The terms were changed',
    occurrence_changed: 'A coming collection was changed',
    occurrence_skipped: 'A collection was skipped',
    resume_planned: 'The end of the pause was changed',
    reminded: 'The customer was reminded of the consent link',
    link_copied: 'The link to the customer’s page was copied',
    changed_with_many: 'The schedule was changed together with others',
    not_resumed: 'The schedule could not be resumed and stays paused',
  },
  consent: {
    pending: 'The customer was asked for consent',
    authorising: 'The customer went to their bank',
    authorised: 'The customer approved at their bank',
    granted: 'The consent was granted',
    denied: 'The customer declined',
    expired: 'The consent link expired',
    rejected: 'The bank refused the consent',
    to_confirm: 'The bank asked the customer to confirm the consent again',
    confirmed: 'The customer confirmed the consent again',
    revoked: 'The consent ended',
    replaced: 'The consent was replaced by a new one',
    dropped: 'The request for consent was withdrawn',
  },
  payment: {
    'null pending': 'A payment fell due',
    pending: 'The payment is waiting for a retry',
    'failed pending': 'The payment was retried manually',
    processing: 'The collection began',
    'failed processing': 'The money from an earlier attempt arrived',
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
    pending: 'The settlement was created',
    processing: 'The settlement is being paid out',
    success: 'The settlement was paid out',
    failed: 'The settlement failed',
  },
  refund: {
    'null pending': 'A refund was requested',
    processing: 'The refund is being paid',
    success: 'The refund was paid',
    failed: 'The refund failed',
    'success failed': 'The refund came back',
  },
  dispute: {
    'null open': 'A payment was disputed',
    'refunded open': 'The dispute is open again',
    refunded: 'The dispute was refunded',
    returned: 'The dispute ended: the customer’s bank took the payment back',
    rejected: 'The dispute was rejected',
    withdrawn: 'The dispute was withdrawn',
    exported: 'The case file was taken',
  },
  notice: {
    sent: 'The customer was sent an email',
    failed: 'An email to the customer could not be sent',
    kept: 'An email to the customer was kept: there is no mail server',
    'text sent': 'The customer was sent a text message',
    'text failed': 'A text message to the customer could not be sent',
  },
  other: {
    'null open': 'Unexpected money arrived',
    'open open': 'One person has decided what to do with unexpected money',
    allocated: 'The money was applied to a payment',
    accepted_in_part: 'The money was accepted as part payment',
    returned: 'The money was returned to the payer',
    paid_on: 'The money was paid on manually',
    credited: 'The money was added to your balance',
    change_started: 'A change of many schedules was started',
    change_done: 'A change of many schedules was carried out',
    'null prepared': 'An agent prepared an act',
    'prepared waiting': 'An agent’s act waits for approval',
    'prepared done': 'An agent’s act was carried out',
    'waiting done': 'An agent’s act was approved and carried out',
    'waiting declined': 'An agent’s act was declined',
    'prepared replaced': 'An agent’s act was replaced by another',
    'waiting replaced': 'An agent’s act was replaced by another',
  },
};

/** Describes a change in a sentence without its full stop. */
export function changeTitle(
  kind: ObjectKind,
  from: string | null,
  to: string,
  reason = '',
): string {
  const sentences = CHANGES[kind];
  if (from === null && reason.startsWith(COLLECTED_ONCE))
    return 'A payment besides the schedule was requested';
  if (kind === 'notice' && reason.startsWith(BY_TEXT)) return sentences[`text ${to}`] ?? '';
  return sentences[`${from} ${to}`] ?? sentences[to] ?? `Changed to ${to.replaceAll('_', ' ')}`;
}

/** Words for stored reasons that are codes, or not written for merchants; others are shown as they are. */
const REASONS: Readonly<Record<string, string>> = {
  consent_denied: 'the customer declined',
  consent_expired: 'the link expired before the customer decided',
  consent_rejected: 'the bank refused the consent',
  consent_account_mismatch: 'the customer approved with a different account from the one specified',
  schedule_cancelled: 'the schedule was cancelled',
  schedule_changed: 'the schedule was changed or cancelled before the customer decided',
  withdrawn_on_portal: 'the customer withdrew consent on the consent page',
  withdrawn_at_bank: 'the customer withdrew consent at their bank',
  expired_at_bank: 'the consent expired at the bank',
  "payment in the merchant's wallet": 'the money is in your wallet',
};

const FAILURES: Readonly<Record<string, string>> = { ...FAILURE_MESSAGES, ...STOPPED };

const REASON_CODE = /^[a-z]+(_[a-z]+)+$/;

/** Explains why something changed, for people: a code becomes words. */
export function changeWhy(kind: ObjectKind, reason: string): string {
  if (kind === 'notice' && reason.startsWith(BY_TEXT)) return reason.slice(BY_TEXT.length);
  const words =
    REASONS[`${kind} ${reason}`] ??
    (kind === 'payment' ? inline(FAILURES[reason]) : REASONS[reason]);
  return words ?? (REASON_CODE.test(reason) ? reason.replaceAll('_', ' ') : reason);
}

/** Turns a sentence into part of a line: "The account is closed." becomes "the account is closed". */
function inline(sentence: string | undefined): string | undefined {
  return sentence && `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
}

const EVENTS: Readonly<Record<string, string>> = {
  'schedule.setup_success': 'Webhook: schedule set up',
  'schedule.setup_failed': 'Webhook: schedule set-up failed',
  'schedule.cancelled': 'Webhook: schedule cancelled',
  'schedule.paused': 'Webhook: schedule paused',
  'schedule.resumed': 'Webhook: schedule resumed',
  'consent.revoked': 'Webhook: consent ended',
  'consent.reauthentication_needed': 'Webhook: the customer has to confirm the consent again',
  'collection.returned': 'Webhook: payment recalled by the payer’s bank',
  'merchant.settlement_account_changed': 'Webhook: settlement account changed',
  'payment.unexpected_money': 'Webhook: unexpected money arrived',
  'refund.success': 'Webhook: refund paid',
  'refund.failed': 'Webhook: refund failed',
  'collection.success': 'Webhook: payment collected',
  'collection.failed': 'Webhook: payment failed',
  'settlement.success': 'Webhook: settlement paid out',
  'settlement.failed': 'Webhook: settlement failed',
};

/** Returns the title of an event on the timeline: "Webhook: payment failed". */
export function eventTitle(kind: string): string {
  return EVENTS[kind] ?? `Webhook: ${kind}`;
}

/** The worst delivery status of an event comes first. */
const WORST_FIRST = ['failed', 'held', 'pending', 'delivered'] as const;

/** Summarises an event's deliveries to all existing endpoints in one word. */
export function summariseDeliveries(statuses: readonly string[]): Delivery {
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 'no_endpoint';
}
