import type { Bank, BankRefused, PaymentError } from '../../banks/bank.ts';
import { FAILURE_MESSAGES } from '../../banks/failure-messages.ts';
import {
  type ClaimedAttempt,
  mayBeConfirmed,
  type NextStep,
  STOPPED,
  type StopCode,
} from './attempt.ts';
import type { AttemptRef, Failure } from './payment.ts';

/** The outcome of an attempt, however it was determined. */
export type Outcome =
  /** The bank reports that it has paid: a claim on the bank, until the money has arrived. */
  | { kind: 'credited'; bankPaymentId: string; bankStatus: string }
  | { kind: 'pending'; bankPaymentId: string; bankStatus: string }
  | {
      kind: 'unknown';
      /** The time before which the bank asked not to be called; null: it did not ask. */
      notBefore: Temporal.Instant | null;
      /** The latest time of the next check. */
      notAfter?: Temporal.Instant;
    }
  | {
      /** The order of this call provably never left. */
      kind: 'not_sent';
      call: number;
      notBefore: Temporal.Instant | null;
      /** The bank refused it until the customer confirms the consent. */
      asksForCustomer?: true;
    }
  | {
      kind: 'failed';
      failure: Failure;
      isFinal: boolean;
      /** The consent may be over: check it. */
      consentGone: boolean;
      bankPaymentId: string | null;
      bankStatus: string | null;
      /**
       * The call that this refers to (the n-th for its attempt): it is ignored once another process has claimed the attempt,
       * whose own call may have gone through. Null: the bank's report on the payment in its books.
       */
      call: number | null;
      /** The reason for the audit trail, if the code alone is not enough. */
      reason?: string;
      /** A stop ended it, not the bank. */
      isStopped?: boolean;
      /**
       * Nobody can confirm its consent any more, or the customer pays from another account now, and the order of this call, if
       * there was one, made nothing: the attempt goes on under the consent that its schedule has now, if that has room.
       */
      mayMoveOn?: 'cannot_confirm' | 'another_account';
    };

/** Nothing is known: the attempt is looked at again. */
export const UNKNOWN: Outcome = { kind: 'unknown', notBefore: null };

/** The order of this call is not with the bank: its record is taken back. */
export const notSent = (call: number, notBefore: Temporal.Instant | null) =>
  ({ kind: 'not_sent', call, notBefore }) satisfies Outcome;

/** An attempt and its outcome. */
export interface AttemptOutcome {
  ref: AttemptRef;
  outcome: Outcome;
  /** Until when the attempt was leased to whoever reports it; absent: to nobody. */
  leaseEnds?: Temporal.Instant;
}

/** A failed attempt. */
export type Failed = Extract<Outcome, { kind: 'failed' }>;

/** Converts a bank's report on a payment in its books into an outcome. */
export function toOutcome(report: Awaited<ReturnType<Bank['submitPayment']>>): Outcome {
  const { bankPaymentId, bankStatus } = report;
  if (report.outcome !== 'failed') return { kind: report.outcome, bankPaymentId, bankStatus };
  const { code, message, kind } = report.error;
  return {
    kind: 'failed',
    failure: { code, message },
    isFinal: kind === 'final',
    consentGone: suggestsConsentProblem(report.error),
    bankPaymentId,
    bankStatus,
    call: null,
  };
}

/** A failure because the bank's funds check found too little money. */
export const noFunds = (call: number): Failed => ({
  kind: 'failed',
  failure: {
    code: 'insufficient_funds',
    message: FAILURE_MESSAGES.insufficient_funds,
  },
  isFinal: false,
  consentGone: false,
  bankPaymentId: null,
  bankStatus: null,
  call,
});

/** A final failure for a reason of our own. */
export const ended = (code: string, message: string, call: number | null): Failed => ({
  kind: 'failed',
  failure: { code, message },
  isFinal: true,
  consentGone: false,
  bankPaymentId: null,
  bankStatus: null,
  call,
});

/** A failure caused by a stop. */
export const stopped = (code: StopCode, call: number | null): Failed => ({
  ...ended(code, STOPPED[code], call),
  isStopped: true,
});

/** Ends an attempt with nothing at the bank, and says why. */
export function endOf(code: Extract<NextStep, { step: 'end' }>['code'], call: number): Failed {
  if (code !== 'duplicate') return stopped(code, call);
  return ended(code, 'An earlier attempt was paid after all; this one was not made.', call);
}

/**
 * A failure because the bank refused the order. What it said about the consent is not trusted yet: until that is confirmed, the
 * payment may be retried.
 */
export const refused = ({ error }: BankRefused, call: number): Failed => ({
  ...ended(error.code, error.message, call),
  isFinal: error.kind === 'final',
  consentGone: suggestsConsentProblem(error),
});

/** How often a payment that waits for its customer is looked at; the confirmation itself makes it due at once. */
const CUSTOMER_WAIT = Temporal.Duration.from({ hours: 1 });

/** Nothing is sent until the customer has confirmed the consent. */
export const waitForCustomer = (now: Temporal.Instant): Outcome => ({
  kind: 'unknown',
  notBefore: now.add(CUSTOMER_WAIT),
});

/** The bank made nothing, and refuses orders until the customer has confirmed the consent: the same attempt waits. */
const refusedForNow = (call: number, now: Temporal.Instant): Outcome => ({
  ...notSent(call, now.add(CUSTOMER_WAIT)),
  asksForCustomer: true,
});

/** The same, where nobody can confirm the consent any more. */
export const cannotWait = (call: number): Failed => ({
  ...ended('reauthentication_required', FAILURE_MESSAGES.reauthentication_required, call),
  mayMoveOn: 'cannot_confirm',
});

/** The customer pays from another account now: where the attempt can't move there, it fails for the reason of that. */
export const leavesAccount = (call: number): Failed => ({
  ...ended('consent_revoked', STOPPED.consent_revoked, call),
  mayMoveOn: 'another_account',
});

/** What follows when the bank wants the customer to confirm the consent of an unsent attempt. */
export const awaitCustomer = (
  attempt: Pick<ClaimedAttempt, 'polls' | 'consentStatus' | 'validTo'>,
  now: Temporal.Instant,
): Outcome =>
  mayBeConfirmed(attempt, now) ? refusedForNow(attempt.polls, now) : cannotWait(attempt.polls);

/** Whether a refusal only wants the customer's renewed authentication. */
export const asksForCustomer = ({ error }: BankRefused): boolean =>
  error.code === 'reauthentication_required';

/** Whether an error hints that the consent may be over or suspended, so that it must be checked. */
export function suggestsConsentProblem({ kind, code }: PaymentError): boolean {
  return kind === 'consent_gone' || code === 'reauthentication_required';
}

/** Refusals that a bank gives only after checking the idempotency key: the bank has no payment under it. */
const ABOUT_THE_PAYMENT = new Set([
  'limit_exceeded',
  'bank_limit',
  'insufficient_funds',
  'invalid_account',
  'account_closed',
  'blocked',
  'creditor_account_unavailable',
]);

/** Whether a refusal is about the payment itself, not about the caller. */
export function isAboutThePayment({ error }: BankRefused): boolean {
  return ABOUT_THE_PAYMENT.has(error.code);
}

/** Returns the bank's id of the payment; null if it gave none. */
export const bankPaymentOf = ({ outcome }: AttemptOutcome): string | null =>
  'bankPaymentId' in outcome ? outcome.bankPaymentId : null;

/** Returns the bank's status of the payment; null if it gave none. */
export const bankStatusOf = ({ outcome }: AttemptOutcome): string | null =>
  'bankStatus' in outcome ? outcome.bankStatus : null;

/** Returns what the bank reported about its payment; null if it reported nothing. */
export function reportOf({ outcome }: AttemptOutcome): BankReport | null {
  if (outcome.kind !== 'pending' && outcome.kind !== 'credited' && outcome.kind !== 'failed')
    return null;
  const { kind, bankPaymentId, bankStatus } = outcome;
  if (bankPaymentId === null || bankStatus === null) return null;
  return { bankPaymentId, bankStatus, outcome: kind };
}

/** A bank's report on a payment in its books. */
export interface BankReport {
  bankPaymentId: string;
  bankStatus: string;
  outcome: 'pending' | 'credited' | 'failed';
}
