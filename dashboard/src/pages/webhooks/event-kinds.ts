import type { EventKind, SubscribedKind } from '@recollect/sdk';

interface Kind {
  kind: SubscribedKind;
  /** When it is sent. */
  sentence: string;
  /** An endpoint without a selection of its own gets it. */
  isDefault: boolean;
}

/** Every kind that an endpoint can subscribe to. */
export const EVENT_KINDS: readonly Kind[] = [
  {
    kind: 'schedule.setup_success',
    sentence: 'The customer gave consent to a new schedule or to changed terms.',
    isDefault: true,
  },
  {
    kind: 'schedule.setup_failed',
    sentence: 'The customer declined, or the bank refused. Includes the reason.',
    isDefault: true,
  },
  { kind: 'collection.success', sentence: 'The money is in your wallet.', isDefault: true },
  {
    kind: 'collection.failed',
    sentence: 'A collection attempt failed. Includes the date of the next attempt, if any.',
    isDefault: true,
  },
  {
    kind: 'collection.skipped',
    sentence: 'Nothing was collected on a due date: you skipped it, or no amount was set for it.',
    isDefault: false,
  },
  {
    kind: 'collection.returned',
    sentence:
      'A collected payment was recalled. You owe the amount; it is deducted from settlements.',
    isDefault: false,
  },
  {
    kind: 'refund.success',
    sentence: 'A refund was paid to the account that had paid.',
    isDefault: false,
  },
  {
    kind: 'refund.failed',
    sentence: 'A refund was not paid, or came back. The money is in your wallet.',
    isDefault: false,
  },
  {
    kind: 'settlement.success',
    sentence: 'A day’s collections were paid into your bank account.',
    isDefault: true,
  },
  {
    kind: 'settlement.failed',
    sentence: 'A pay-out failed. The money is still in your wallet.',
    isDefault: true,
  },
  { kind: 'schedule.cancelled', sentence: 'A schedule was cancelled.', isDefault: false },
  { kind: 'schedule.paused', sentence: 'A schedule was paused.', isDefault: false },
  { kind: 'schedule.resumed', sentence: 'A paused schedule was resumed.', isDefault: false },
  {
    kind: 'consent.revoked',
    sentence: 'A consent ended, because the customer withdrew it or its schedule ended.',
    isDefault: false,
  },
  {
    kind: 'consent.reauthentication_needed',
    sentence:
      'A bank wants a customer to confirm a consent again. Nothing is collected until then.',
    isDefault: false,
  },
  {
    kind: 'merchant.settlement_account_changed',
    sentence: 'Settlements now go to a different account.',
    isDefault: false,
  },
  {
    kind: 'payment.unexpected_money',
    sentence: 'Unexpected money arrived for a payment, or a decision was made about it.',
    isDefault: false,
  },
];

/** The kinds of an endpoint without a selection of its own. */
const DEFAULT_KINDS: SubscribedKind[] = EVENT_KINDS.filter((one) => one.isDefault).map(
  (one) => one.kind,
);

/** Every kind that the event log can be filtered by. */
export const LOGGED_KINDS: EventKind[] = [...EVENT_KINDS.map((one) => one.kind), 'endpoint.test'];

/** The kinds that report that a customer has withdrawn. They are opt-in, so a new endpoint is suggested them. */
export const WITHDRAWAL_KINDS: readonly SubscribedKind[] = [
  'schedule.cancelled',
  'consent.revoked',
];

/** The kinds that are ticked when an endpoint is added. */
export const SUGGESTED_KINDS: SubscribedKind[] = [...DEFAULT_KINDS, ...WITHDRAWAL_KINDS];

/** Returns the words that are kinds; others are dropped. */
export function subscribedKinds(words: readonly string[]): SubscribedKind[] {
  return EVENT_KINDS.map((one) => one.kind).filter((kind) => words.includes(kind));
}

/** Returns the kind that a word in the address names; undefined: none. */
export function loggedKind(word: string | null): EventKind | undefined {
  return LOGGED_KINDS.find((kind) => kind === word);
}
