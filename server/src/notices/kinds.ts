import type { Role } from '../merchants/role.ts';

/** What a kind of notice is, apart from its sentences. */
interface Kind {
  /** As the list in the settings names it. */
  title: string;
  /** When it is sent. */
  about: string;
  /** The members who get it; none: the customer, or the person it names. */
  roles: readonly Role[];
  /** Whether a merchant may turn it off. What protects the account cannot be. */
  isOptional: boolean;
  /** Goes to a customer. */
  isForCustomers: boolean;
  /** Whether it is sent by a merchant who has turned it neither on nor off. */
  isOnAtFirst: boolean;
  /**
   * Goes to whoever was an owner lately and to the merchant's own address too: whoever has taken the team over must not be the
   * only one who hears of it.
   */
  isForFormerOwners: boolean;
}

type Reading = Omit<Kind, 'title' | 'about'>;

const PERSONAL: Reading = {
  roles: [],
  isOptional: false,
  isForCustomers: false,
  isOnAtFirst: true,
  isForFormerOwners: false,
};
const CUSTOMER: Reading = {
  ...PERSONAL,
  isOptional: true,
  isForCustomers: true,
  isOnAtFirst: false,
};
/** What customers need to hold: docs/decisions/0052-what-a-customer-holds.md. */
const PROOF: Reading = { ...CUSTOMER, isOnAtFirst: true };
const OWNERSHIP: Reading = { ...PERSONAL, roles: ['owner'], isForFormerOwners: true };
const team = (...roles: Role[]): Reading => ({ ...PERSONAL, roles, isOptional: true });

/** Every kind of notice: docs/rules/notices.md#kinds. */
export const KINDS = {
  settlement_failed: {
    title: 'A settlement failed',
    about: 'A pay-out to your bank account failed or came back.',
    ...team('owner', 'finance'),
  },
  dispute_opened: {
    title: 'A payment is disputed',
    about:
      'A customer, or your team for them, disputes a payment. It has to be answered by its deadline.',
    ...team('owner', 'finance'),
  },
  endpoint_failing: {
    title: 'A webhook endpoint is failing',
    about: 'Six tries to send an event failed. At most one email a day for each endpoint.',
    ...team('owner', 'developer'),
  },
  api_key_created: {
    title: 'An API key was created',
    about: 'Somebody created an API key, or replaced one.',
    ...team('owner'),
  },
  api_key_revoked: {
    title: 'An API key was revoked',
    about: 'An API key stopped working.',
    ...team('owner'),
  },
  owners_changed: {
    title: 'An owner joined or left',
    about: 'Somebody became an owner, or no longer is one.',
    ...OWNERSHIP,
  },
  sign_in_reset: {
    title: 'Somebody’s sign-in was reset',
    about: 'Two people who run this service reset a member’s password or second factor.',
    ...OWNERSHIP,
  },
  sso_changed: {
    title: 'Single sign-on changed',
    about: 'Your team signs in through another provider, by another rule, or without one.',
    ...OWNERSHIP,
  },
  settlement_account_change_requested: {
    title: 'A change of the settlement account was requested',
    about: 'An owner asked to send your settlements to another account.',
    ...OWNERSHIP,
  },
  settlement_account_change_taken_back: {
    title: 'A change of the settlement account was cancelled',
    about: 'A requested change does not take effect.',
    ...OWNERSHIP,
  },
  settlement_account_changed: {
    title: 'The settlement account changed',
    about: 'Your settlements go to another account from now on.',
    ...OWNERSHIP,
  },
  invitation: {
    title: 'Invitation to the team',
    about: 'Sent to the person you invite.',
    ...PERSONAL,
  },
  new_password: {
    title: 'Forgotten password',
    about: 'Sent to a member who asks for a new password.',
    ...PERSONAL,
  },
  account_reset: {
    title: 'Your sign-in was reset',
    about: 'Sent to a member whom two people who run this service let in again.',
    ...PERSONAL,
  },
  second_factor_removed: {
    title: 'Your second factor was removed',
    about: 'Sent to a member whose second factor two people who run this service removed.',
    ...PERSONAL,
  },
  consent_link: {
    title: 'Consent link',
    about: 'A schedule waits for the customer’s consent.',
    ...CUSTOMER,
  },
  consent_given: {
    title: 'You agreed',
    about:
      'The customer has agreed to the payments, to new terms or to another account, or a schedule starts under a permission that they gave. It is their record of the terms.',
    ...PROOF,
  },
  payments_ended: {
    title: 'It has ended',
    about: 'You, the customer or their bank have ended the payments that they had agreed to.',
    ...PROOF,
  },
  approve_terms: {
    title: 'New terms, or another account, to approve',
    about: 'A change of the terms, or another account, needs the customer’s consent.',
    ...CUSTOMER,
  },
  confirm_again: {
    title: 'A consent to confirm again',
    about:
      'The bank wants the customer to confirm a consent again. Nothing is collected until then.',
    ...CUSTOMER,
  },
  consent_unused: {
    title: 'Unused consent',
    about:
      'The bank ends the consent in a month because nothing is collected under it, unless the customer agrees again.',
    ...CUSTOMER,
  },
  payment_changes: {
    title: 'Upcoming change',
    about: 'The amount changes or a payment is skipped, or the price changes within the consent.',
    ...CUSTOMER,
  },
  payment_coming: {
    title: 'Upcoming payment',
    about: 'A payment is due, unless payments are due more often than weekly.',
    ...CUSTOMER,
  },
  payment_failed: {
    title: 'A payment failed',
    about: 'The first attempt failed, or no further attempt follows.',
    ...CUSTOMER,
  },
  refund_paid: {
    title: 'A refund was paid',
    about: 'Money went back to the account that the customer paid from.',
    ...CUSTOMER,
  },
  dispute_ended: {
    title: 'Your answer to a dispute',
    about:
      'A payment that the customer disputed is given back, or you have answered why it is not.',
    ...PROOF,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type NoticeKind = keyof typeof KINDS;

/** Every kind, in the order of the settings. */
export const NOTICE_KINDS = Object.keys(KINDS) as NoticeKind[];

export const isKind = (word: string): word is NoticeKind => Object.hasOwn(KINDS, word);

/** Returns what a kind is. */
export function kindOf(kind: NoticeKind): Kind {
  return KINDS[kind];
}
