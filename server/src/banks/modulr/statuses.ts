import { isAfter } from '../../platform/values/instants.ts';
import type { BankConsentStatus, PaymentReport } from '../bank.ts';
import { paymentError, paymentReport, REAUTHENTICATION, UNEXPLAINED } from '../status-codes.ts';

/** What Modulr's statuses mean for us: tables and pure functions only. A test compares them with Modulr's document. */

/**
 * The statuses of a payment, as ISO 20022 has them. The two errors of Modulr's own do not say what the bank did, so they end
 * nothing: the payment stays open until the money comes, or a person ends it.
 */
export const PAYMENT_STATUSES = {
  SUBMITTED: 'RCVD',
  RECEIVED: 'RCVD',
  PENDING: 'PDNG',
  ACCEPTEDTECHNICALVALIDATION: 'ACTC',
  ACCEPTEDCUSTOMERPROFILE: 'ACCP',
  ACCEPTEDFUNDSCHECKED: 'ACFC',
  ACCEPTEDWITHCHANGE: 'ACWC',
  ACCEPTEDSETTLEMENTINPROCESS: 'ACSP',
  ACCEPTEDWITHOUTPOSTING: 'ACWP',
  ACCEPTEDSETTLEMENTCOMPLETED: 'ACSC',
  ACCEPTEDSETTLEMENTCOMPLETEDDEBITORACCOUNT: 'ACSC',
  ACCEPTEDCREDITSETTLEMENTCOMPLETED: 'ACCC',
  ACCEPTEDSETTLEMENTCOMPLETEDCREDITORACCOUNT: 'ACCC',
  REJECTED: 'RJCT',
  CANCELLED: 'CANC',
  BLOCKED: 'BLCK',
  ER_GENERAL: 'ER_GENERAL',
  ER_EXTSYS: 'ER_EXTSYS',
} as const;

/** The statuses of a consent; null: Modulr met an error, which says nothing of the consent at the bank. */
export const CONSENT_STATUSES = {
  AWAITING_AUTHORISATION: 'AWAU',
  AUTHORISED: 'AUTH',
  REJECTED: 'RJCT',
  REVOKED: 'CANC',
  ER_GENERAL: null,
  ER_EXTSYS: null,
} as const satisfies Record<string, BankConsentStatus | null>;

/** Returns the report of a payment. A status that the document does not have is open, under its own name. */
export function reportOf(id: string, status: string, reasons: readonly string[]): PaymentReport {
  const known: Readonly<Record<string, string>> = PAYMENT_STATUSES;
  const report = paymentReport(id, known[status] ?? status, [...reasons]);
  // Modulr offers no renewed authentication of a consent, so nobody is asked for it.
  return report.outcome === 'failed' && report.error.code === REAUTHENTICATION[0]
    ? { ...report, error: paymentError(UNEXPLAINED, report.error.bankCode) }
    : report;
}

/** Returns the port's status of a consent; null: this proves nothing. */
export function consentStatusOf(
  status: string,
  validTo: Temporal.Instant | undefined,
  now: Temporal.Instant,
): BankConsentStatus | null {
  const known: Readonly<Record<string, BankConsentStatus | null>> = CONSENT_STATUSES;
  const at = known[status] ?? null;
  const hasEnded = validTo !== undefined && !isAfter(validTo, now);
  return at === 'AUTH' && hasEnded ? 'EXPD' : at;
}
