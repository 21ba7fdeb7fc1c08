import type { EventKind, SubscribedKind } from '@recollect/sdk';

interface Kind {
  kind: SubscribedKind;
  /** When it is sent. */
  sentence: string;
  /** An endpoint gets it that asks for nothing in particular. */
  isDefault: boolean;
}

/** Every kind that an endpoint can ask for. */
export const EVENT_KINDS: readonly Kind[] = [
  {
    kind: 'schedule.setup_success',
    sentence: 'The customer agreed: to a new schedule, or to changed terms.',
    isDefault: true,
  },
  {
    kind: 'schedule.setup_failed',
    sentence: 'The customer did not agree, or the bank refused; the reason is in it.',
    isDefault: true,
  },
  { kind: 'collection.success', sentence: 'The money is in your wallet.', isDefault: true },
  {
    kind: 'collection.failed',
    sentence: 'An attempt to collect failed; it says when the next one comes.',
    isDefault: true,
  },
  {
    kind: 'collection.returned',
    sentence: 'Its money was recalled after success. You owe it; it is netted from settlements.',
    isDefault: false,
  },
  {
    kind: 'settlement.success',
    sentence: 'A day’s money is in your bank account.',
    isDefault: true,
  },
  {
    kind: 'settlement.failed',
    sentence: 'It could not be paid out and is in your wallet still.',
    isDefault: true,
  },
  { kind: 'schedule.cancelled', sentence: 'A schedule ended for good.', isDefault: false },
  { kind: 'schedule.paused', sentence: 'A schedule was paused.', isDefault: false },
  { kind: 'schedule.resumed', sentence: 'A paused schedule goes on.', isDefault: false },
  {
    kind: 'consent.revoked',
    sentence: 'A consent ended: withdrawn by the customer, or with its schedule.',
    isDefault: false,
  },
  {
    kind: 'merchant.settlement_account_changed',
    sentence: 'Settlements go to another account from now on.',
    isDefault: false,
  },
  {
    kind: 'payment.unexpected_money',
    sentence: 'Money arrived that a payment does not wait for, or it was decided on.',
    isDefault: false,
  },
];

/** What an endpoint gets that asks for nothing in particular. */
export const DEFAULT_KINDS: SubscribedKind[] = EVENT_KINDS.filter((one) => one.isDefault).map(
  (one) => one.kind,
);

/** Every kind that the event log can be narrowed to. */
export const LOGGED_KINDS: EventKind[] = [...EVENT_KINDS.map((one) => one.kind), 'endpoint.test'];

/** The words among them that are kinds; others are left out. */
export function subscribedKinds(words: readonly string[]): SubscribedKind[] {
  return EVENT_KINDS.map((one) => one.kind).filter((kind) => words.includes(kind));
}

/** The kind that a word of the address names; undefined: none. */
export function loggedKind(word: string | null): EventKind | undefined {
  return LOGGED_KINDS.find((kind) => kind === word);
}
