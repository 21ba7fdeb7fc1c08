import type { Brand } from './brands.ts';
import type { Quirk } from './quirks.ts';

export type PaymentStatus = 'RCVD' | 'PDNG' | 'ACSP' | 'ACSC' | 'ACCC' | 'RJCT';

/** An automatic change of a payment's status, `afterMinutes` after the payment was made. */
export interface Step {
  afterMinutes: number;
  status: PaymentStatus;
  /** The step is taken only once Faster Payments has credited the creditor. */
  credits?: true;
  reason?: string;
}

/** How an account behaves when a payment or a consent is requested. */
export interface Behaviour {
  /** Human-readable description. */
  summary: string;
  /** The status in the response to an accepted payment. */
  opening: PaymentStatus;
  steps: readonly Step[];
  /** The account is debited when the payment is accepted. */
  debits: boolean;
  /** The bank itself rejects every consent. */
  refusesConsent?: true;
  /** Every payment, or only the first of each consent, is rejected immediately for this reason. */
  refusal?: { reason: string; only?: 'first_of_consent' };
  /** The connection is dropped: before anything happened, or after the payment was accepted. */
  drops?: 'before' | 'after';
  /** The customer withdraws the consent at the bank once the first payment has been credited. */
  withdrawsAfterFirst?: true;
  /** After the first payment has been credited, the bank wants the customer to authenticate the consent again. */
  asksAgainAfterFirst?: true;
  /** Calls about this account show this quirk at any bank. */
  quirk?: Quirk;
}

const HOUR = 60;
const AT_ONCE: readonly Step[] = [{ afterMinutes: 0, status: 'ACCC', credits: true }];
const ORDINARY = { opening: 'RCVD', steps: AT_ONCE, debits: true } as const;

/** How long calls with the same instruction are dropped, in minutes of sandbox time. */
export const DROPS_FOR_MINUTES = 6 * HOUR;

export const BEHAVIOURS = {
  normal: { ...ORDINARY, summary: 'Pays while there is money' },
  refuses_consent: { ...ORDINARY, summary: 'The bank refuses the consent', refusesConsent: true },
  withdraws_after_first: {
    ...ORDINARY,
    summary: 'Withdraws at the bank after the first payment',
    withdrawsAfterFirst: true,
  },
  asks_again_after_first: {
    ...ORDINARY,
    summary: 'After the first payment the bank asks the customer to confirm again (TKSP, U028)',
    asksAgainAfterFirst: true,
  },
  account_closed: {
    ...ORDINARY,
    summary: 'The account is closed: payments are refused (AC04)',
    refusal: { reason: 'AC04' },
  },
  slow: {
    summary: 'Payments are pending for four hours, then credited',
    opening: 'PDNG',
    debits: true,
    steps: [{ afterMinutes: 4 * HOUR, status: 'ACCC', credits: true }],
  },
  unreachable: {
    ...ORDINARY,
    summary: 'The bank drops the connection and takes no money, for six hours',
    drops: 'before',
  },
  unanswered: {
    ...ORDINARY,
    summary: 'The bank takes the money and drops the connection',
    drops: 'after',
  },
  credited_next_day: {
    summary: 'Debited at once (ACSC), credited a day later',
    opening: 'ACSC',
    debits: true,
    steps: [{ afterMinutes: 24 * HOUR, status: 'ACCC', credits: true }],
  },
  rejected_later: {
    summary: 'Payments are pending, then refused as suspected fraud (FR01) after an hour',
    opening: 'PDNG',
    debits: false,
    steps: [{ afterMinutes: HOUR, status: 'RJCT', reason: 'FR01' }],
  },
  fails_first: {
    ...ORDINARY,
    summary: 'The first payment of a consent fails technically (ED05), later ones work',
    refusal: { reason: 'ED05', only: 'first_of_consent' },
  },
  stops_at_acsc: {
    ...ORDINARY,
    summary: 'Payments end at ACSC: the money arrives, ACCC is never reported',
    quirk: 'stops_at_acsc',
  },
  omits_optional_fields: {
    ...ORDINARY,
    summary: 'Answers about this account leave out every optional field',
    quirk: 'omits_optional_fields',
  },
  bare_errors: {
    ...ORDINARY,
    summary: 'A gateway answers every third call with a bare 400, 403, 404 or 502',
    quirk: 'bare_errors',
  },
  loses_requests: {
    ...ORDINARY,
    summary: 'Every third call is lost before it arrives at the bank',
    quirk: 'loses_requests',
  },
  loses_answers: {
    ...ORDINARY,
    summary: 'Every third call is carried out, and its answer is lost',
    quirk: 'loses_answers',
  },
} as const satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof BEHAVIOURS;

export function isBehaviourName(name: string): name is BehaviourName {
  return Object.hasOwn(BEHAVIOURS, name);
}

const TWO_HOURS: Behaviour = {
  ...BEHAVIOURS.normal,
  opening: 'PDNG',
  steps: [
    { afterMinutes: 30, status: 'ACSP' },
    { afterMinutes: 90, status: 'ACSC' },
    { afterMinutes: 2 * HOUR, status: 'ACCC', credits: true },
  ],
};

/** Returns how an account behaves at a bank: a slow bank slows ordinary payments, but not named failures. */
export function behaviourAt(brand: Brand, name: BehaviourName): Behaviour {
  const behaviour: Behaviour = BEHAVIOURS[name];
  if (brand.pace === 'at_once' || behaviour.steps !== AT_ONCE) return behaviour;
  return { ...behaviour, opening: TWO_HOURS.opening, steps: TWO_HOURS.steps };
}
