import {
  type AccountDetails,
  AuthorisationDenied,
  type Bank,
  type BankConsent,
  type Grant,
} from '../banks/bank.ts';
import type { Tx } from '../platform/db/db.ts';
import { merchantOfToken } from '../platform/values/link-token.ts';
import { hashSecret } from '../platform/vault/vault.ts';
import { activate } from './activation.ts';
import { type AuthorisationDeps, bankOf, callbackUrl } from './authorisation.ts';
import { applyLimits } from './checks.ts';
import type { SetupFailure } from './consent.ts';
import { sealGrant } from './grant.ts';
import { findGrant, saveGrant } from './grant-store.ts';
import { endingOf, isSameAccount } from './paying-account.ts';
import { failConsent, sealContext } from './service.ts';
import { moveToAuthorised } from './state-store.ts';
import { type ConsentRow, findByState, lockConsent } from './store.ts';

export type Completed =
  | { outcome: 'granted' | 'finishing' | 'denied' | 'rejected' | 'decided'; consent: ConsentRow }
  | { outcome: 'unknown' };

/**
 * Completes the authorisation of a customer who has returned from the bank. The redirect alone proves nothing: the response is
 * verified, the code exchanged, and the consent read back before anything is activated
 * (docs/rules/consents.md#the-journey-to-the-bank). Throws AuthorisationInvalid or BankUnavailable; the same link can then be
 * used again.
 */
export async function completeAuthorisation(
  deps: AuthorisationDeps,
  state: string,
  fragment: string,
): Promise<Completed> {
  const { platform } = deps;
  const merchantId = merchantOfToken(state);
  if (merchantId === null) return { outcome: 'unknown' };
  const consent = await platform.db.read((tx) => findByState(tx, merchantId, hashSecret(state)));
  if (consent === null) return { outcome: 'unknown' };
  if (consent.status !== 'authorising') return { outcome: 'decided', consent };
  const bank = bankOf(deps.banks, consent);
  const kept = await platform.db.read((tx) => findGrant(tx, consent));
  const grant = kept ?? (await exchangeOnce(deps, bank, consent, state, fragment));
  const atBank = await bank.readConsent(consent.bankConsentId ?? '');
  if (grant === null || atBank.status !== 'AUTH')
    return refused(deps, consent, atBank, grant === null);
  const wanted = await platform.db.read((tx) => deps.payerOf(tx, consent));
  if (wanted !== null && atBank.debtor !== null && !isSameAccount(wanted, atBank.debtor))
    return failed(deps, consent, 'consent_account_mismatch');
  const agreed = { payer: atBank.debtor ?? wanted, atBank };
  await platform.db.transaction((tx) => storeAgreed(deps, tx, consent, agreed));
  return (await activate(deps, consent))
    ? { outcome: 'granted', consent }
    : { outcome: 'finishing', consent };
}

/**
 * Exchanges the code and returns the sealed grant. Stores it before any other call: the code works once, and a later failure of
 * the bank can then be retried. Null: the customer declined.
 */
async function exchangeOnce(
  deps: AuthorisationDeps,
  bank: Bank,
  consent: ConsentRow,
  state: string,
  fragment: string,
): Promise<string | null> {
  const grant = await exchange(deps, bank, consent, state, fragment);
  if (grant === null) return null;
  const sealed = sealGrant(deps.platform, consent, grant);
  await deps.platform.db.transaction((tx) => saveGrant(tx, consent, sealed));
  return sealed;
}

/** Exchanges the code for a grant. Null: the customer declined. */
async function exchange(
  deps: AuthorisationDeps,
  bank: Bank,
  consent: ConsentRow,
  state: string,
  fragment: string,
): Promise<Grant | null> {
  const { platform } = deps;
  const context = sealContext(consent.merchantId, consent.consentId, 'nonce');
  try {
    return await bank.completeAuthorisation({
      bankConsentId: consent.bankConsentId ?? '',
      state,
      nonce: platform.vault.open(consent.nonce ?? '', context),
      redirectUri: callbackUrl(platform),
      fragment,
    });
  } catch (error) {
    if (error instanceof AuthorisationDenied) return null;
    throw error;
  }
}

/** Status reasons that mean that the customer declined; any other reason means that the bank did. */
const CUSTOMER_DECLINED = new Set(['U036', 'CUST']);

async function refused(
  deps: AuthorisationDeps,
  consent: ConsentRow,
  atBank: BankConsent,
  denied: boolean,
): Promise<Completed> {
  const byBank =
    atBank.status === 'RJCT' && atBank.reason !== null && !CUSTOMER_DECLINED.has(atBank.reason);
  if (!denied && atBank.status === 'AWAU') return { outcome: 'finishing', consent };
  return failed(deps, consent, byBank || !denied ? 'consent_rejected' : 'consent_denied');
}

/** Fails the set-up; the consent is deleted at the bank. */
async function failed(
  { platform, hooks }: AuthorisationDeps,
  consent: ConsentRow,
  code: SetupFailure,
): Promise<Completed> {
  await platform.db.transaction((tx) =>
    failConsent(hooks, tx, platform.clock.now(), consent, code),
  );
  platform.wake();
  return { outcome: code === 'consent_denied' ? 'denied' : 'rejected', consent };
}

async function storeAgreed(
  deps: AuthorisationDeps,
  tx: Tx,
  seen: ConsentRow,
  { payer, atBank }: { payer: AccountDetails | null; atBank: BankConsent },
): Promise<void> {
  const now = deps.platform.clock.now();
  await deps.hooks.lockSchedule(tx, seen);
  const consent = await lockConsent(tx, seen.merchantId, seen.consentId);
  // Cancelled or started again meanwhile: the bank consent is already queued for deletion.
  if (consent?.status !== 'authorising' || consent.bankConsentId !== seen.bankConsentId) return;
  const context = sealContext(seen.merchantId, seen.consentId, 'paying_account');
  const paying =
    payer === null
      ? null
      : {
          sealed: deps.platform.vault.seal(JSON.stringify(payer), context),
          ending: endingOf(payer),
        };
  await moveToAuthorised(tx, now, consent, paying);
  // The customer may have agreed to limits other than those requested.
  await applyLimits(deps.platform, tx, consent, atBank);
}
