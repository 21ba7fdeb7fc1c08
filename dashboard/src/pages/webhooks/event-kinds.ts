import type { EventKind, SubscribedKind } from '@recollect/sdk';

interface KindWords {
  /** When it is sent. */
  sentence: string;
  /** An endpoint without a selection of its own gets it. */
  isDefault: boolean;
}

const KINDS: Readonly<Record<SubscribedKind, KindWords>> = {
  'schedule.setup_success': {
    sentence: 'The customer gave consent to a new schedule or to changed terms.',
    isDefault: true,
  },
  'schedule.setup_failed': {
    sentence: 'The customer declined, or the bank refused. Includes the reason.',
    isDefault: true,
  },
  'collection.success': { sentence: 'The money is in your wallet.', isDefault: true },
  'collection.failed': {
    sentence: 'A collection attempt failed. Includes the date of the next attempt, if any.',
    isDefault: true,
  },
  'collection.skipped': {
    sentence: 'Nothing was collected on a due date: you skipped it, or no amount was set for it.',
    isDefault: false,
  },
  'collection.returned': {
    sentence:
      'A collected payment was recalled. You owe the amount; it is deducted from settlements.',
    isDefault: false,
  },
  'refund.success': {
    sentence: 'A refund was paid to the account that had paid.',
    isDefault: false,
  },
  'refund.failed': {
    sentence: 'A refund was not paid, or came back. The money is in your wallet.',
    isDefault: false,
  },
  'dispute.opened': {
    sentence: 'A customer, or your team for them, disputes a payment. Includes the deadline.',
    isDefault: false,
  },
  'dispute.closed': {
    sentence: 'A dispute ended: its money went back, or it was rejected or withdrawn.',
    isDefault: false,
  },
  'dispute.reopened': {
    sentence: 'The refund of a dispute failed or came back. The dispute is open again.',
    isDefault: false,
  },
  'settlement.success': {
    sentence: 'A day’s collections were paid into your bank account.',
    isDefault: true,
  },
  'settlement.failed': {
    sentence: 'A pay-out failed. The money is still in your wallet.',
    isDefault: true,
  },
  'schedule.cancelled': { sentence: 'A schedule was cancelled.', isDefault: false },
  'schedule.paused': { sentence: 'A schedule was paused.', isDefault: false },
  'schedule.resumed': { sentence: 'A paused schedule was resumed.', isDefault: false },
  'consent.revoked': {
    sentence: 'A consent ended, because the customer withdrew it or its schedule ended.',
    isDefault: false,
  },
  'consent.reauthentication_needed': {
    sentence:
      'A bank wants a customer to confirm a consent again. Nothing is collected until then.',
    isDefault: false,
  },
  'merchant.settlement_account_changed': {
    sentence: 'Settlements now go to a different account.',
    isDefault: false,
  },
  'payment.unexpected_money': {
    sentence: 'Unexpected money arrived for a payment, or a decision was made about it.',
    isDefault: false,
  },
};

/** Every kind that an endpoint can subscribe to. */
export const SUBSCRIBED_KINDS = Object.keys(KINDS) as SubscribedKind[];

/** The kinds of an endpoint without a selection of its own. */
const DEFAULT_KINDS = SUBSCRIBED_KINDS.filter((kind) => KINDS[kind].isDefault);

/** Every kind that the event log can be filtered by. */
export const LOGGED_KINDS: EventKind[] = [...SUBSCRIBED_KINDS, 'endpoint.test'];

/** The kinds that report that a customer has withdrawn. They are opt-in, so a new endpoint is suggested them. */
export const WITHDRAWAL_KINDS: readonly SubscribedKind[] = [
  'schedule.cancelled',
  'consent.revoked',
];

/** The kinds that are ticked when an endpoint is added. */
export const SUGGESTED_KINDS: SubscribedKind[] = [...DEFAULT_KINDS, ...WITHDRAWAL_KINDS];

/** Returns the kinds to choose from: all that this page knows, and those of the endpoint that it does not, which stay. */
export function kindOptions(
  subscribed: readonly string[],
): { value: string; label: string; description?: string }[] {
  const unknown = subscribed.filter((kind) => !Object.hasOwn(KINDS, kind));
  return [
    ...SUBSCRIBED_KINDS.map((kind) => ({
      value: kind,
      label: kind,
      description: KINDS[kind].sentence,
    })),
    ...unknown.map((kind) => ({ value: kind, label: kind })),
  ];
}

/** Returns the kinds of an endpoint in the order in which they are offered. None is dropped. */
export function subscribedKinds(kinds: readonly string[]): SubscribedKind[] {
  const offered = kindOptions(kinds).map(({ value }) => value);
  return offered.filter((kind) => kinds.includes(kind)) as SubscribedKind[];
}

/** Returns the kind that a word in the address names; undefined: none. */
export function loggedKind(word: string | null): EventKind | undefined {
  return LOGGED_KINDS.find((kind) => kind === word);
}
