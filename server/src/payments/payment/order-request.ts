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
  const name = instructionId(attempt.payment_id, attempt.attempts);
  return {
    idempotencyKey: name,
    bankConsentId: attempt.bank_consent_id,
    initiation: openInitiation(
      platform,
      attempt.merchant_id,
      attempt.consent_id,
      attempt.initiation,
    ),
    instructionId: name,
    endToEndId: name,
    amountPence: attempt.amount_pence,
    currency: 'GBP',
  };
}
