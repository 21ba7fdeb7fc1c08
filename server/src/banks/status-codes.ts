import type { BankConsent, PaymentError, PaymentErrorCode, PaymentReport } from './bank.ts';
import { FAILURE_MESSAGES } from './failure-messages.ts';

/**
 * What ISO 20022's statuses, and the reason codes of the UK's schemes, mean for us, whoever passes them on: a table and pure
 * functions only.
 */

/** The ISO 20022 statuses of a payment that the bank has debited: its money will arrive, or be returned. */
export const DEBITED_STATUSES: readonly string[] = ['ACSC', 'ACWP', 'ACCC'];

/** Whether a bank that reports this status has debited the customer. */
export const isDebited = (bankStatus: string): boolean => DEBITED_STATUSES.includes(bankStatus);

export type Meaning = readonly [code: PaymentErrorCode, kind: PaymentError['kind']];

const INSUFFICIENT_FUNDS: Meaning = ['insufficient_funds', 'retryable'];
const ACCOUNT_CLOSED: Meaning = ['account_closed', 'final'];
const INVALID_ACCOUNT: Meaning = ['invalid_account', 'final'];
const BLOCKED: Meaning = ['blocked', 'final'];
/** Daily limits pass; a scheme limit does not. */
const LIMIT_FOR_NOW: Meaning = ['bank_limit', 'retryable'];
const LIMIT_FOR_GOOD: Meaning = ['bank_limit', 'final'];
const LIMIT_EXCEEDED: Meaning = ['limit_exceeded', 'final'];
const CONSENT_REVOKED: Meaning = ['consent_revoked', 'consent_gone'];
const CONSENT_EXPIRED: Meaning = ['consent_expired', 'consent_gone'];
/** The consent is valid; only the customer's authentication is missing. */
export const REAUTHENTICATION: Meaning = ['reauthentication_required', 'retryable'];
const CREDITOR_ACCOUNT: Meaning = ['creditor_account_unavailable', 'final'];
const DUPLICATE: Meaning = ['duplicate', 'final'];
export const TECHNICAL: Meaning = ['technical', 'retryable'];
const REJECTED: Meaning = ['rejected', 'final'];
/** A reason that explains nothing: retried, because `max_retries` bounds it and a lost collection costs more. */
export const UNEXPLAINED: Meaning = ['rejected', 'retryable'];

/** Reason codes of a status (ISO 20022, Faster Payments) and error codes of a response share one namespace. */
export const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...every(['AM04'], INSUFFICIENT_FUNDS),
  ...every(['AC04', 'AC05'], ACCOUNT_CLOSED),
  ...every(['AC01', 'AC02', 'U021', 'U022'], INVALID_ACCOUNT),
  ...every(['AC06', 'AM07', 'FR01'], BLOCKED),
  ...every(['AM14', 'AM21'], LIMIT_FOR_NOW),
  ...every(['AM02', 'AM13', 'AM23'], LIMIT_FOR_GOOD),
  ...every(['U014'], LIMIT_EXCEEDED),
  ...every(['MD01', 'U009', 'U011'], CONSENT_REVOKED),
  ...every(['TKXP'], CONSENT_EXPIRED),
  ...every(['TKSP', 'U028'], REAUTHENTICATION),
  ...every(['AC03', 'AC07', '1100', '1161', '1162', '1163', '1165'], CREDITOR_ACCOUNT),
  ...every(['1166', '1177', '1178', '1180'], CREDITOR_ACCOUNT),
  ...every(['AM05', 'DUPL'], DUPLICATE),
  ...every(['AB01', 'AB02', 'AB03', 'AB04', 'AB05', 'AB06', 'AB07', 'AB08', 'AB09'], TECHNICAL),
  ...every(['AB10', 'AB11', 'ED05', 'ED06', 'FF10', 'MS03', 'TM01', 'U012', '1181'], TECHNICAL),
  // MD07 (the account holder has died) is not the merchant's business: it is reported as a plain rejection.
  ...every(['AG01', 'AG03', 'MD07', 'CUST', 'DS02', 'DS04', 'U033', 'U036', 'U037'], REJECTED),
  ...every(['U041', 'U023', 'U024', 'U025', 'U026', 'U027'], REJECTED),
  ...every(['MS02', 'NARR', 'U042'], UNEXPLAINED),
]);

function every(codes: string[], meaning: Meaning): [string, Meaning][] {
  return codes.map((code) => [code, meaning]);
}

/** Returns why nothing can be collected under a consent; null if it is live (or not yet decided). */
export function consentError(consent: Pick<BankConsent, 'status' | 'reason'>): PaymentError | null {
  const bankCode = consent.reason ?? consent.status;
  switch (consent.status) {
    case 'AUTH':
    case 'AWAU':
      return null;
    case 'EXPD':
      return paymentError(CONSENT_EXPIRED, bankCode);
    case 'SUSP':
      return paymentError(REAUTHENTICATION, bankCode);
    case 'CANC':
    case 'RJCT':
    case 'GONE':
      return paymentError(CONSENT_REVOKED, bankCode);
  }
}

/**
 * Maps a payment's status to its outcome. `ACSC` and `ACWP` are pending: the money has left the customer and may not have
 * arrived (docs/rules/payments.md#success). An unknown status is pending too.
 */
export function paymentOutcome(
  bankStatus: string,
  reasons: string[],
): { outcome: 'pending' | 'credited' } | { outcome: 'failed'; error: PaymentError } {
  switch (bankStatus) {
    case 'ACCC':
      return { outcome: 'credited' };
    case 'BLCK':
      return { outcome: 'failed', error: paymentError(BLOCKED, reasons[0] ?? bankStatus) };
    case 'RJCT':
    case 'CANC':
      return { outcome: 'failed', error: strongest(reasons.length > 0 ? reasons : [bankStatus]) };
    default:
      return { outcome: 'pending' };
  }
}

/** Assembles a report. */
export function paymentReport(
  bankPaymentId: string,
  bankStatus: string,
  reasons: string[],
): PaymentReport {
  return { bankPaymentId, bankStatus, ...paymentOutcome(bankStatus, reasons) };
}

const STRENGTH = { consent_gone: 2, final: 1, retryable: 0 };

/** Returns the decisive one of several codes: a known one before an unknown one, then the most final. */
export function strongest(codes: string[]): PaymentError {
  const known = codes.flatMap((code) => {
    const meaning = MEANINGS.get(code);
    return meaning && meaning !== UNEXPLAINED ? [paymentError(meaning, code)] : [];
  });
  known.sort((a, b) => STRENGTH[b.kind] - STRENGTH[a.kind]);
  return known[0] ?? paymentError(UNEXPLAINED, codes[0] ?? 'NARR');
}

export function paymentError([code, kind]: Meaning, bankCode: string): PaymentError {
  return { code, message: FAILURE_MESSAGES[code], kind, bankCode };
}
