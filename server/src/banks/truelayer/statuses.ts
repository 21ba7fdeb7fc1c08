import { isAfter } from '../../platform/values/instants.ts';
import type { BankConsentStatus, PaymentReport } from '../bank.ts';
import {
  type Meaning,
  paymentError,
  paymentOutcome,
  TECHNICAL,
  UNEXPLAINED,
} from '../status-codes.ts';

/** What TrueLayer's words mean for us: tables and pure functions only. */

/** The statuses of a mandate. */
export const MANDATE_STATUSES = {
  authorization_required: 'AWAU',
  authorizing: 'AWAU',
  authorized: 'AUTH',
  failed: 'RJCT',
  revoked: 'CANC',
} as const satisfies Record<string, BankConsentStatus>;

/**
 * The statuses of a payment, as ISO 20022 has them. `executed` is the last that TrueLayer knows of money that goes to an account
 * elsewhere: the customer's bank has accepted it, and only the money tells that it has come.
 */
export const PAYMENT_STATUSES = {
  authorization_required: 'RCVD',
  authorizing: 'RCVD',
  authorized: 'ACTC',
  executed: 'ACSC',
  settled: 'ACCC',
  failed: 'RJCT',
  attempt_failed: 'PDNG',
} as const;

/**
 * Why a payment failed, where TrueLayer's word says whose fault it was. Every other reason explains nothing: what
 * `authorization_failed` or `provider_rejected` mean for a payment on a mandate is documented nowhere.
 */
const REASONS: Readonly<Record<string, Meaning>> = {
  provider_error: TECHNICAL,
  internal_server_error: TECHNICAL,
  unknown_error: TECHNICAL,
};

/** Reasons of a failed mandate that leave open who did not want it. */
const ANYBODY = new Set(['authorization_failed', 'canceled']);

/** Returns the port's status of a mandate; null: an unknown one, which proves nothing. */
export function consentStatusOf(
  status: string,
  validTo: Temporal.Instant | undefined,
  now: Temporal.Instant,
): BankConsentStatus | null {
  const known: Readonly<Record<string, BankConsentStatus>> = MANDATE_STATUSES;
  const at = known[status] ?? null;
  if (at === null || at === 'AWAU') return at;
  // At its end a mandate is called revoked in one place and failed in another: either way it is over.
  const hasEnded = validTo !== undefined && !isAfter(validTo, now);
  return hasEnded ? 'EXPD' : at;
}

/** Returns why a mandate is over, in TrueLayer's word; null: it does not say. */
export const reasonOf = (word: string | undefined): string | null =>
  word === undefined || ANYBODY.has(word) ? null : word;

/** Returns the report of a payment. A status that is not known is open, under its own name. */
export function reportOf(id: string, status: string, reason: string | undefined): PaymentReport {
  const known: Readonly<Record<string, string>> = PAYMENT_STATUSES;
  const bankStatus = known[status] ?? status;
  if (status !== 'failed')
    return { bankPaymentId: id, bankStatus, ...paymentOutcome(known[status] ?? 'PDNG', []) };
  const error = paymentError(REASONS[reason ?? ''] ?? UNEXPLAINED, reason ?? status);
  return { bankPaymentId: id, bankStatus, outcome: 'failed', error };
}
