import { edges, type StateMachine, statuses } from '../platform/state/state-machine.ts';
import { isBefore } from '../platform/values/instants.ts';

/** The life of a customer's agreement to one schedule's terms, from the link to its end: docs/rules/consents.md. */
export const CONSENT_STATUSES = [
  'pending', // the link waits for the customer
  'authorising', // the customer was sent to the bank
  'authorised', // the customer authorised it at the bank; the wallet is being opened
  'granted', // collections may be made
  'denied',
  'expired',
  'rejected',
  'revoked',
  'replaced', // a later consent of the same schedule was granted
  'dropped', // the merchant changed its mind before the customer decided
] as const;
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];

const OPEN: readonly ConsentStatus[] = ['pending', 'authorising'];

/** The states of a consent; the customer's decision is made once. */
export const CONSENTS: StateMachine<ConsentStatus> = {
  noun: 'consents',
  table: 'consents',
  key: ['merchant_id', 'consent_id'],
  states: statuses(...CONSENT_STATUSES),
  begins: ['pending'],
  edges: [
    ...edges(OPEN, 'authorising', 'the customer went on to the bank'),
    { from: 'pending', to: 'pending', why: 'the merchant or the customer changed the terms' },
    {
      from: 'authorising',
      to: 'pending',
      why: 'whoever came back from the bank had not started it, or the terms were changed',
    },
    { from: 'authorising', to: 'authorised', why: 'the customer agreed at the bank' },
    { from: 'authorised', to: 'granted', why: 'the wallet is open' },
    ...edges(OPEN, 'denied', 'the customer declined'),
    ...edges(OPEN, 'expired', 'the link ran out'),
    ...edges(OPEN, 'rejected', 'the bank refused for good'),
    {
      from: 'authorised',
      to: 'rejected',
      why: 'an operator ended it: its wallet cannot be opened',
    },
    ...edges<ConsentStatus>(
      [...OPEN, 'authorised'],
      'dropped',
      'the merchant cancelled or changed the schedule',
    ),
    {
      from: 'granted',
      to: 'revoked',
      why: 'withdrawn by the customer, the bank or a cancellation',
    },
    { from: 'granted', to: 'replaced', why: 'a new consent took its place' },
  ],
};

/** Whether the customer can still decide. */
export function isOpen(status: ConsentStatus): boolean {
  return OPEN.includes(status);
}

/**
 * Whether a payment may be sent under a consent. A replaced consent stays at the bank while a payment that fell due under it
 * waits, and that payment is still collected on the terms that were agreed.
 */
export function mayCollect(status: ConsentStatus): boolean {
  return status === 'granted' || status === 'replaced';
}

/** Whether a consent ended because its agreed period did, and not because it was withdrawn. */
export function endedAsAgreed(
  parameters: StoredControlParameters | null,
  now: Temporal.Instant,
): boolean {
  if (parameters?.validTo === undefined || parameters.validTo === null) return false;
  return isBefore(Temporal.Instant.from(parameters.validTo), now);
}

/** Why a set-up failed: the codes of `schedule.setup_failed`. */
export type SetupFailure =
  | 'consent_denied'
  | 'consent_expired'
  | 'consent_rejected'
  | 'consent_account_mismatch';

export const SETUP_FAILURES: Readonly<
  Record<SetupFailure, { status: 'denied' | 'expired' | 'rejected'; message: string }>
> = {
  consent_denied: { status: 'denied', message: 'The customer declined.' },
  consent_expired: {
    status: 'expired',
    message: 'The consent link expired before the customer decided.',
  },
  consent_rejected: { status: 'rejected', message: 'The bank refused the consent.' },
  consent_account_mismatch: {
    status: 'rejected',
    message: 'The customer agreed with another account than the one that the schedule names.',
  },
};

/** Why a granted consent ended. */
export type RevocationReason =
  | 'withdrawn_on_portal'
  | 'withdrawn_at_bank'
  | 'expired_at_bank'
  | 'schedule_cancelled';

/** Identifies a consent and its schedule. */
export interface ConsentRef {
  merchantId: string;
  consentId: string;
  scheduleId: string;
  customerId: string;
  termsVersion: number;
}

/** The limits a bank consent is bound to, as stored: instants are ISO text, amounts pence. */
export interface StoredControlParameters {
  validFrom: string;
  validTo: string | null;
  maximumAmountPence: number;
  periodicLimits: { periodType: string; alignment: 'Consent' | 'Calendar'; amountPence: number }[];
}
