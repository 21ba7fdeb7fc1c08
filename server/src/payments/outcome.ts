import type { Bank, BankRefused, PaymentError } from '../banks/bank.ts';
import { FAILURE_MESSAGES } from '../banks/failure-messages.ts';
import { STOPPED, type StopCode } from './attempt.ts';
import type { AttemptRef, Failure } from './payment.ts';

/** The outcome of an attempt, however we came to know. */
export type Outcome =
  /** The bank says that it has paid: a claim on it, until the money is there. */
  | { kind: 'credited'; bankPaymentId: string; bankStatus: string }
  | { kind: 'pending'; bankPaymentId: string; bankStatus: string }
  | {
      kind: 'unknown';
      /** Until when the bank asked to be left alone; null where it did not. */
      notBefore: Temporal.Instant | null;
      /** When it is looked at again at the latest. */
      notAfter?: Temporal.Instant;
    }
  | {
      /** The order of this call provably never left. */
      kind: 'not_sent';
      call: number;
      notBefore: Temporal.Instant | null;
    }
  | {
      kind: 'failed';
      failure: Failure;
      isFinal: boolean;
      /** The consent may be over: it is looked at. */
      consentGone: boolean;
      bankPaymentId: string | null;
      bankStatus: string | null;
      /**
       * From which call for its attempt, the n-th, this is known: it says nothing once somebody else has taken the attempt
       * up, whose own call may have gone through. Null: the bank's word on the payment as it stands in its books.
       */
      call: number | null;
      /** Why, in the audit trail, where the code does not say it all. */
      reason?: string;
      /** A no ended it, and not the bank. */
      isStopped?: boolean;
    };

/** An attempt, and its outcome. */
export interface AttemptOutcome {
  ref: AttemptRef;
  outcome: Outcome;
}

/** A failed attempt. */
export type Failed = Extract<Outcome, { kind: 'failed' }>;

/** A bank's report on a payment in its books as an outcome. */
export function toOutcome(report: Awaited<ReturnType<Bank['submitPayment']>>): Outcome {
  const { bankPaymentId, bankStatus } = report;
  if (report.outcome !== 'failed') return { kind: report.outcome, bankPaymentId, bankStatus };
  const { code, message, kind } = report.error;
  return {
    kind: 'failed',
    failure: { code, message },
    isFinal: kind === 'final',
    consentGone: asksForConsent(report.error),
    bankPaymentId,
    bankStatus,
    call: null,
  };
}

/** There is not enough money, says the bank when it is asked. */
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

/** An end for good, for a reason of ours. */
export const ended = (code: string, message: string, call: number | null): Failed => ({
  kind: 'failed',
  failure: { code, message },
  isFinal: true,
  consentGone: false,
  bankPaymentId: null,
  bankStatus: null,
  call,
});

/** Ended by a no. */
export const stopped = (code: StopCode, call: number | null): Failed => ({
  ...ended(code, STOPPED[code], call),
  isStopped: true,
});

/** What a bank refused. What it said of the consent is not believed yet: the payment may be tried again until it is. */
export const refused = ({ error }: BankRefused, call: number): Failed => ({
  ...ended(error.code, error.message, call),
  isFinal: error.kind === 'final',
  consentGone: asksForConsent(error),
});

/** Whether an error is a hint that the consent may be over, or suspended: it is looked at. */
function asksForConsent({ kind, code }: PaymentError): boolean {
  return kind === 'consent_gone' || code === 'reauthentication_required';
}

/** Refusals that a bank gives only after it has looked for the idempotency key: no payment stands under it. */
const ABOUT_THE_PAYMENT = new Set([
  'limit_exceeded',
  'bank_limit',
  'insufficient_funds',
  'invalid_account',
  'account_closed',
  'blocked',
  'creditor_account_unavailable',
]);

/** Whether a refusal speaks of the payment itself, and not of the caller. */
export function isAboutThePayment({ error }: BankRefused): boolean {
  return ABOUT_THE_PAYMENT.has(error.code);
}

/** The bank's id of the payment; null where it did not tell one. */
export const bankPaymentOf = ({ outcome }: AttemptOutcome): string | null =>
  'bankPaymentId' in outcome ? outcome.bankPaymentId : null;

/** What the bank called its status; null where it did not tell. */
export const bankStatusOf = ({ outcome }: AttemptOutcome): string | null =>
  'bankStatus' in outcome ? outcome.bankStatus : null;

/** What the bank reported of its payment; null where it did not. */
export function reportOf({ outcome }: AttemptOutcome): BankReport | null {
  if (outcome.kind !== 'pending' && outcome.kind !== 'credited' && outcome.kind !== 'failed')
    return null;
  const { kind, bankPaymentId, bankStatus } = outcome;
  if (bankPaymentId === null || bankStatus === null) return null;
  return { bankPaymentId, bankStatus, outcome: kind };
}

/** What a bank's books say of a payment. */
export interface BankReport {
  bankPaymentId: string;
  bankStatus: string;
  outcome: 'pending' | 'credited' | 'failed';
}
