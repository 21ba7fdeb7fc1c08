import type { BankConsentStatus, PaymentError } from '../bank.ts';
import { MEANINGS, paymentError, REAUTHENTICATION, strongest, TECHNICAL } from '../status-codes.ts';

/**
 * What a bank's answers, and the error codes of the read/write API v4, mean for us: tables and pure functions only. Statuses and
 * reason codes: `../status-codes.ts`.
 */

/** Codes that mean that the bank does not take our signature. */
export const SIGNATURE_CODES: ReadonlySet<string> = new Set([
  'U015',
  'U016',
  'U017',
  'U018',
  'U019',
]);

/** Codes that mean that our request was wrong: U001-U008, U010 and U020 for the content, the others for the signature. */
const DEFECTS = new Set([
  ...'U001 U002 U003 U004 U005 U006 U007 U008 U010 U020'.split(' '),
  ...SIGNATURE_CODES,
]);

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
export function reportsMissing(answer: {
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
export function needsConsentCheck(httpStatus: number, codes: string[]): boolean {
  const plain = codes.some((code) => ['U028', 'TKSP', 'TKXP'].includes(code));
  return !plain && (httpStatus === 401 || codes.includes('U009') || codes.includes('U011'));
}

/** Converts a consent's status to the port's: one that only lacks the customer's authentication is suspended. */
export function consentStatus(status: BankConsentStatus, reason: string | null): BankConsentStatus {
  const isSuspended = reason !== null && MEANINGS.get(reason) === REAUTHENTICATION;
  return isSuspended ? 'SUSP' : status;
}
