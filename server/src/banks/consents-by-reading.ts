import {
  AuthorisationDenied,
  type BankConsent,
  BankDefect,
  BankRefused,
  BankUnavailable,
  type CreatedConsent,
  type Grant,
  NO_TOKENS,
} from './bank.ts';
import { consentError, paymentError } from './status-codes.ts';

/** The life of a consent behind an aggregator: whatever happened at the bank, a read of the consent tells. */

/** What a call to an aggregator proves: an answer, or a documented refusal after which nothing was done. */
export type Answer<T, R> = { kind: 'ok'; value: T } | { kind: 'refused'; refusal: R };

/** What every payment under a consent repeats. */
export interface Initiation {
  reference: string;
}

/** Reads the consent that a call was about, as `Bank.readConsent` does. */
type Read = () => Promise<BankConsent>;

/** Returns a consent that was made a moment ago. */
export function madeConsent(
  bankConsentId: string,
  initiation: Initiation,
  redirectUrl: string | null,
): CreatedConsent {
  return {
    bankConsentId,
    status: 'AWAU',
    reason: null,
    debtor: null,
    limits: null,
    initiation: JSON.stringify(initiation),
    redirectUrl,
  };
}

/**
 * Reads the consent of a customer who has come back: what their browser brings proves nothing. It may be read as often as needed.
 */
export async function completeAuthorisation(read: Read): Promise<Grant> {
  const { status } = await read();
  if (status === 'RJCT') throw new AuthorisationDenied('the consent was rejected');
  if (status === 'AWAU')
    throw new BankUnavailable('the customer has not decided, or the aggregator does not know yet');
  return NO_TOKENS;
}

/** Throws the refusal of a deletion, unless the consent is over anyway. */
export async function throwUnlessOver(
  refused: BankRefused | BankDefect,
  read: Read,
): Promise<void> {
  const { status } = await read();
  if (status === 'AUTH' || status === 'AWAU') throw refused;
}

/**
 * Explains the refusal of an amount by the consent, because aggregators' codes do not: it is over, or one of its limits is lower.
 * The refusal is proven, whatever becomes of the read: then it stays as it is.
 */
export async function explainedRefusal(
  plain: { refused: BankRefused | BankDefect; code: string },
  amountPence: number,
  read: Read,
): Promise<BankRefused | BankDefect> {
  const consent = await read().catch((error: unknown) => {
    if (error instanceof BankUnavailable || error instanceof BankDefect) return null;
    throw error;
  });
  if (consent === null) return plain.refused;
  const over = consentError(consent);
  if (over !== null) return new BankRefused(over);
  const { maximumAmountPence, periodicLimits = [] } = consent.limits ?? {};
  const limits = [maximumAmountPence ?? Infinity, ...periodicLimits.map((one) => one.amountPence)];
  return amountPence > Math.min(...limits)
    ? new BankRefused(paymentError(['limit_exceeded', 'final'], plain.code))
    : plain.refused;
}

/** Formats a time in whole seconds: banks keep no more, and Modulr's document names no other form. */
export const dateTime = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: 'second' });
