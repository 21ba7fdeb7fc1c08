import type { AuthorisationDeps } from './authorisation.ts';
import { insertRevocation } from './revocation-store.ts';
import { moveToDropped } from './state-store.ts';
import { type ConsentRow, lockConsent } from './store.ts';

/**
 * Drops an authorisation that the returning visitor says they did not start: the link stays valid, and the consent is deleted at
 * the bank. Returns false if it was decided, or started again, meanwhile.
 */
export async function dropAuthorisation(
  { platform, hooks }: AuthorisationDeps,
  seen: ConsentRow,
): Promise<boolean> {
  const isDropped = await platform.db.transaction(async (tx) => {
    const now = platform.clock.now();
    await hooks.lockSchedule(tx, seen);
    const consent = await lockConsent(tx, seen.merchantId, seen.consentId);
    if (consent?.status !== 'authorising') return false;
    const { bankId, bankConsentId } = consent;
    if (bankConsentId !== seen.bankConsentId) return false;
    if (bankId !== null && bankConsentId !== null)
      await insertRevocation(tx, seen.merchantId, bankId, bankConsentId, now);
    await moveToDropped(tx, now, consent);
    return true;
  });
  platform.wake();
  return isDropped;
}
