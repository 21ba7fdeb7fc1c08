import type {
  Delivery,
  PaymentStatus,
  RefundStatus,
  ScheduleStatus,
  SettlementStatus,
  WalletStatus,
  WebhookEndpoint,
} from '@recollect/sdk';
import type { NoticeItem } from '../../../server/src/dashboard/notices/view.ts';
import type {
  ScheduleConsent,
  TimelineEntry,
} from '../../../server/src/dashboard/schedules/view.ts';
import { Badge, type Tone } from './badge.tsx';

type Meaning = readonly [tone: Tone, label: string];

type Status =
  | ScheduleStatus
  | ScheduleConsent['history'][number]['status']
  | PaymentStatus
  | RefundStatus
  | SettlementStatus
  | WalletStatus
  | WebhookEndpoint['status']
  | NonNullable<TimelineEntry['event']>['delivery']
  | Delivery['status']
  | 'active_failing'
  | 'started'
  | 'expiring';

/** Every status word of the product: schedules, consents, payments, wallets, settlements, endpoints, deliveries, keys. */
const MEANINGS: Readonly<Record<Status, Meaning>> = {
  pending_consent: ['warning', 'Waiting for consent'],
  active: ['success', 'Active'],
  active_failing: ['danger', 'Active, failing'],
  paused: ['neutral', 'Paused'],
  cancelled: ['neutral', 'Cancelled'],
  authorising: ['info', 'At the bank'],
  authorised: ['info', 'Authorised'],
  granted: ['success', 'Granted'],
  denied: ['danger', 'Declined'],
  expired: ['neutral', 'Expired'],
  rejected: ['danger', 'Refused'],
  revoked: ['neutral', 'Revoked'],
  replaced: ['neutral', 'Replaced'],
  dropped: ['neutral', 'Withdrawn'],
  pending: ['info', 'Pending'],
  started: ['info', 'Started'],
  processing: ['info', 'In progress'],
  success: ['success', 'Succeeded'],
  failed: ['danger', 'Failed'],
  planned: ['neutral', 'Planned'],
  reserved: ['info', 'Opening'],
  open: ['success', 'Open'],
  closing: ['neutral', 'Closing'],
  closed: ['neutral', 'Closed'],
  enabled: ['success', 'Enabled'],
  disabled: ['neutral', 'Disabled'],
  delivered: ['success', 'Delivered'],
  held: ['warning', 'On hold'],
  no_endpoint: ['neutral', 'No endpoint'],
  expiring: ['warning', 'Expiring'],
};

type Subject = 'payment' | 'refund' | 'dispute' | 'settlement' | 'delivery' | 'email';

const EMAILS: Readonly<Record<NoticeItem['status'], Meaning>> = {
  sent: ['success', 'Sent'],
  pending: ['info', 'On its way'],
  failed: ['danger', 'Not sent'],
  kept: ['neutral', 'Kept'],
};

/** Meanings of a word for one kind of object only. */
const OF: Readonly<Record<Subject, Readonly<Record<string, Meaning>>>> = {
  payment: { success: ['success', 'Collected'] },
  refund: { success: ['success', 'Refunded'] },
  dispute: {
    open: ['warning', 'Open'],
    refunded: ['success', 'Refunded'],
    returned: ['success', 'Taken back by the bank'],
    rejected: ['neutral', 'Rejected'],
    withdrawn: ['neutral', 'Withdrawn'],
  },
  settlement: { success: ['success', 'Paid out'] },
  delivery: { failed: ['danger', 'Undelivered'], pending: ['info', 'On its way'] },
  email: EMAILS,
};

/** Returns the label of a status word; an unknown word is shown unchanged. */
export function statusMeaning(status: string, of?: Subject): { tone: Tone; label: string } {
  const special = of === undefined ? undefined : OF[of][status];
  const known: Readonly<Record<string, Meaning>> = MEANINGS;
  const [tone, label] = special ?? known[status] ?? ['neutral', status.replaceAll('_', ' ')];
  return { tone, label };
}

/** The status of an object; `of` selects the words of its kind. */
export function StatusBadge({ status, of }: { status: string; of?: Subject }) {
  const { tone, label } = statusMeaning(status, of);
  return <Badge tone={tone}>{label}</Badge>;
}
