import { type Bank, BankRefused, type Grant } from '../banks/bank.ts';
import { mayCollect } from '../consents/consent.ts';
import { openGrant, sealGrant } from '../consents/grant.ts';
import { saveGrant } from '../consents/store.ts';
import type { Platform } from '../platform/platform.ts';
import { consentGone, ended, noFunds, refused } from './answers.ts';
import type { ClaimedAttempt } from './attempt-store.ts';
import type { Outcome } from './payment.ts';
import { STOPPED } from './stopped.ts';

/** An attempt that may go to its bank now, with the right to. */
export interface Ready {
  attempt: ClaimedAttempt;
  bank: Bank;
  grant: Grant;
}

/**
 * Every check that counts before an attempt is sent for the first time, or the mere right to repeat it: an attempt that
 * may go to its bank, or an outcome. Throws where nothing could be learned.
 */
export async function prepare(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
): Promise<Ready | Outcome> {
  const isFresh = attempt.sent_at === null;
  try {
    const grant = await currentGrant(platform, bank, attempt);
    const { bank_consent_id: consent, amount_pence: pence } = attempt;
    if (isFresh && (await bank.confirmFunds(grant, consent, pence)) !== 'available')
      return noFunds(attempt.polls);
    return { attempt, bank, grant };
  } catch (error) {
    if (!isFresh || !(error instanceof BankRefused)) throw error;
    return refused(error, attempt.polls);
  }
}

/** The customer or the merchant said stop before anything was sent, or the money came for an earlier attempt. */
export function stopBeforeSending(attempt: ClaimedAttempt): Outcome | null {
  if (attempt.sent_at !== null) return null;
  const call = attempt.polls;
  if (attempt.paid_before)
    return ended(
      'duplicate',
      'An earlier attempt was paid after all; this one was not made.',
      call,
    );
  if (!mayCollect(attempt.consent_status)) return consentGone(call);
  const { schedule_status: status } = attempt;
  if (status === 'active' || (attempt.manual && status === 'paused')) return null;
  const code = status === 'paused' ? 'schedule_paused' : 'schedule_cancelled';
  return ended(code, STOPPED[code], call);
}

/** The grant, renewed where it is about to end; a renewed one is stored before it is used. */
async function currentGrant(
  platform: Platform,
  bank: Bank,
  attempt: ClaimedAttempt,
): Promise<Grant> {
  const { merchant_id: merchantId, consent_id: consentId } = attempt;
  const grant = openGrant(platform, merchantId, consentId, attempt.bank_grant);
  const fresh = await renew(bank, grant, attempt.polls === 1);
  if (fresh !== grant) {
    const sealed = sealGrant(platform, { merchantId, consentId }, fresh);
    await platform.db.transaction((tx) => saveGrant(tx, merchantId, consentId, sealed));
  }
  return fresh;
}

/**
 * Some banks replace the refresh token, and another process may have used this one a moment ago: a refusal is believed the
 * second time.
 */
async function renew(bank: Bank, grant: Grant, isFirst: boolean): Promise<Grant> {
  try {
    return await bank.refresh(grant);
  } catch (error) {
    if (!isFirst || !(error instanceof BankRefused)) throw error;
    throw new Error('the bank did not renew a token, the stored one is tried once more', {
      cause: error,
    });
  }
}
