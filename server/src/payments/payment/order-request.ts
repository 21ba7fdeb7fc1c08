import type { Bank } from '../../banks/bank.ts';
import { openInitiation } from '../../consents/grant.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ClaimedAttempt } from './attempt.ts';
import { instructionId } from './payment.ts';

/** Returns the order of an attempt as its bank gets it: each repeat is the same, under the same key. */
export function requestOf(
  platform: Platform,
  attempt: ClaimedAttempt,
): Parameters<Bank['submitPayment']>[1] {
  const name = instructionId(attempt.paymentId, attempt.attempt);
  return {
    idempotencyKey: name,
    bankConsentId: attempt.bankConsentId,
    initiation: openInitiation(platform, attempt.merchantId, attempt.consentId, attempt.initiation),
    instructionId: name,
    endToEndId: name,
    amountPence: attempt.amountPence,
    currency: 'GBP',
  };
}
