import { AuthorisationDenied } from '../banks/bank.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { momentIn } from '../platform/time/clock.ts';
import { merchantOfToken, newLinkToken } from '../platform/values/link-token.ts';
import { hashSecret } from '../platform/vault/vault.ts';
import { type AuthorisationDeps, bankOf, callbackUrl } from './authorisation.ts';
import {
  type ConfirmingRow,
  findConfirming,
  markConfirmed,
  markConfirming,
} from './confirm-store.ts';
import type { ConsentRef } from './consent.ts';
import { sealGrant } from './grant.ts';
import { sealContext, waitingChange } from './service.ts';
import { type ConsentRow, lockConsent } from './store.ts';

/** Whether nothing is sent under a consent until its customer confirms it at the bank. */
export const waitsForCustomer = (consent: Pick<ConsentRow, 'status' | 'suspendedAt'>): boolean =>
  consent.status === 'granted' && consent.suspendedAt !== null;

/**
 * Starts the renewed authentication of a granted consent at its bank: the same consent, on the same terms. Returns the address
 * to send the browser to; null if the consent does not wait for its customer. Throws BankUnavailable or BankRefused: the
 * same page can be used again.
 */
export async function beginConfirmation(
  { platform, banks }: AuthorisationDeps,
  ref: ConsentRef,
): Promise<{ url: string; state: string } | null> {
  const state = newLinkToken(platform.ids, ref.merchantId);
  const nonce = platform.ids.random(24).toString('base64url');
  const sealed = platform.vault.seal(nonce, sealContext(ref.merchantId, ref.consentId, 'nonce'));
  const consent = await platform.db.transaction(async (tx) => {
    const locked = await lockConsent(tx, ref.merchantId, ref.consentId);
    if (locked === null || !waitsForCustomer(locked)) return null;
    await markConfirming(tx, locked, hashSecret(state), sealed);
    return locked;
  });
  if (consent === null) return null;
  const bankConsentId = consent.bankConsentId ?? '';
  const redirectUri = callbackUrl(platform);
  const bank = bankOf(banks, consent);
  return { state, url: await bank.authorisationUrl({ bankConsentId, state, nonce, redirectUri }) };
}

/** `declined`: at the bank; the consent waits as before. `over`: it does not wait any more, or is not granted. */
export type Confirmed =
  | { outcome: 'confirmed' | 'declined' | 'over'; consent: ConsentRow }
  | { outcome: 'unknown' };

/** Returns the consent that a customer went to confirm with this state; null: none. */
export async function findConfirmation(
  { platform }: Pick<AuthorisationDeps, 'platform'>,
  state: string,
): Promise<ConfirmingRow | null> {
  const merchantId = merchantOfToken(state);
  if (merchantId === null) return null;
  return platform.db.read((tx) => findConfirming(tx, merchantId, hashSecret(state)));
}

/**
 * Completes the renewed authentication of a customer who has returned from the bank. The new grant replaces the old one, and
 * what waited is sent. A consent that ended meanwhile stays ended. Throws AuthorisationInvalid or BankUnavailable.
 */
export async function completeConfirmation(
  deps: AuthorisationDeps,
  state: string,
  fragment: string,
): Promise<Confirmed> {
  const { platform, hooks } = deps;
  const consent = await findConfirmation(deps, state);
  if (consent === null) return { outcome: 'unknown' };
  if (!waitsForCustomer(consent) || consent.confirmNonce === null)
    return { outcome: 'over', consent };
  const context = sealContext(consent.merchantId, consent.consentId, 'nonce');
  try {
    const grant = await bankOf(deps.banks, consent).completeAuthorisation({
      bankConsentId: consent.bankConsentId ?? '',
      state,
      nonce: platform.vault.open(consent.confirmNonce, context),
      redirectUri: callbackUrl(platform),
      fragment,
    });
    const sealed = sealGrant(platform, consent, grant);
    const isDone = await platform.db.transaction(async (tx) => {
      await hooks.lockSchedulesUnder(tx, consent);
      const locked = await lockConsent(tx, consent.merchantId, consent.consentId);
      if (locked === null || !waitsForCustomer(locked)) return false;
      const now = await momentIn(platform.clock, tx);
      await markConfirmed(tx, now, locked, sealed);
      await recordChanges(tx, now, [waitingChange(consent, 'confirmed')]);
      await hooks.confirmed(tx, now, consent);
      return true;
    });
    platform.wake();
    return { outcome: isDone ? 'confirmed' : 'over', consent };
  } catch (error) {
    if (error instanceof AuthorisationDenied) return { outcome: 'declined', consent };
    throw error;
  }
}
