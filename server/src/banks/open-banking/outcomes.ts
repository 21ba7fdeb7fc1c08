import type {
  BankConsent,
  BankConsentStatus,
  PaymentError,
  PaymentErrorCode,
  PaymentReport,
} from '../bank.ts';
import { FAILURE_MESSAGES } from '../failure-messages.ts';

/**
 * What the bank's statuses and codes mean for us: tables and pure functions only (read/write API v4, status codes,
 * reason codes and error codes).
 */

type Meaning = readonly [code: PaymentErrorCode, kind: PaymentError['kind']];

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
const REAUTHENTICATION: Meaning = ['reauthentication_required', 'retryable'];
const CREDITOR_ACCOUNT: Meaning = ['creditor_account_unavailable', 'final'];
const DUPLICATE: Meaning = ['duplicate', 'final'];
const TECHNICAL: Meaning = ['technical', 'retryable'];
const REJECTED: Meaning = ['rejected', 'final'];
/** A reason that explains nothing: retried, because `max_retries` bounds it and a lost collection costs more. */
const UNEXPLAINED: Meaning = ['rejected', 'retryable'];

/** Reason codes of a status (ISO 20022, Faster Payments) and error codes of a response share one namespace. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
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

/** Codes that mean that our request was wrong: U001-U008, U010 for the content, U015-U020 for the signature. */
const DEFECTS = new Set(
  'U001 U002 U003 U004 U005 U006 U007 U008 U010 U015 U016 U017 U018 U019 U020'.split(' '),
);

/**
 * Codes after which the bank's state is unknown. U013 and U029 mean that the instruction or the key was used before: there may be
 * a payment that we do not know of, so a second one must not be started.
 */
const OUTCOME_UNKNOWN = new Set(['U000', 'U013', 'U029']);

const NOT_NOW = new Set([408, 425, 429]);
/** Some banks and versions use these for U029, with or without the code. */
const CONFLICT = new Set([409, 422]);

/** Codes that mean that the bank has no such consent. */
const NOT_THERE = new Set(['U011', 'MD01']);
/** The statuses with which a bank says, in a signed response, that it has no such consent; a gateway uses them unsigned. */
const NOT_THERE_STATUSES = new Set([400, 404]);

function every(codes: string[], meaning: Meaning): [string, Meaning][] {
  return codes.map((code) => [code, meaning]);
}

/**
 * Classifies an unsuccessful response. Only a documented code explains it: a bare HTTP error may come from a gateway that never
 * called the bank, and is `unexplained`.
 */
export function answerClass(
  httpStatus: number,
  codes: string[],
): 'outcome_unknown' | 'defect' | 'refused' | 'unexplained' {
  if (httpStatus >= 500 || NOT_NOW.has(httpStatus)) return 'outcome_unknown';
  if (codes.some((code) => OUTCOME_UNKNOWN.has(code))) return 'outcome_unknown';
  if (codes.some((code) => DEFECTS.has(code))) return 'defect';
  if (codes.some((code) => MEANINGS.has(code))) return 'refused';
  // The standard has no redirects and no other success statuses.
  return httpStatus < 400 || CONFLICT.has(httpStatus) ? 'outcome_unknown' : 'unexplained';
}

/** Explains a refusal by its documented codes. */
export function refusalError(codes: string[]): PaymentError {
  return strongest(codes);
}

/** Returns the error of a call that made nothing and was refused without a documented code: it may succeed another time. */
export function unexplainedError(httpStatus: number): PaymentError {
  return paymentError(TECHNICAL, String(httpStatus));
}

/** Whether the codes, or the status of a signed response, say that the bank has no such consent. */
export function saysNotThere(answer: {
  httpStatus: number;
  codes: string[];
  isSigned: boolean;
}): boolean {
  if (answer.codes.length > 0) return answer.codes.some((code) => NOT_THERE.has(code));
  return answer.isSigned && NOT_THERE_STATUSES.has(answer.httpStatus);
}

/** Returns the error for a token that the bank does not renew: only the customer can authorise another. */
export function tokenEnded(bankCode: string): PaymentError {
  return paymentError(REAUTHENTICATION, bankCode);
}

/**
 * Whether only the consent itself can explain the refusal: it is in an unexpected status (U009), unknown (U011), or the bank did
 * not accept our token and gave no reason (401).
 */
export function mustAskConsent(httpStatus: number, codes: string[]): boolean {
  const plain = codes.some((code) => ['U028', 'TKSP', 'TKXP'].includes(code));
  return !plain && (httpStatus === 401 || codes.includes('U009') || codes.includes('U011'));
}

/** Converts a consent's status to the port's: one that only lacks the customer's authentication is suspended. */
export function consentStatus(status: BankConsentStatus, reason: string | null): BankConsentStatus {
  const isSuspended = reason !== null && MEANINGS.get(reason) === REAUTHENTICATION;
  return isSuspended ? 'SUSP' : status;
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
function strongest(codes: string[]): PaymentError {
  const known = codes.flatMap((code) => {
    const meaning = MEANINGS.get(code);
    return meaning && meaning !== UNEXPLAINED ? [paymentError(meaning, code)] : [];
  });
  known.sort((a, b) => STRENGTH[b.kind] - STRENGTH[a.kind]);
  return known[0] ?? paymentError(UNEXPLAINED, codes[0] ?? 'NARR');
}

function paymentError([code, kind]: Meaning, bankCode: string): PaymentError {
  return { code, message: FAILURE_MESSAGES[code], kind, bankCode };
}
