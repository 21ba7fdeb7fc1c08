import type { Bank, BankRefused, PaymentError } from '../banks/bank.ts';
import { STOPPED, type StopCode } from './order-decision.ts';
import type { Outcome } from './payment.ts';

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
    message: "There was not enough money on the customer's account.",
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
