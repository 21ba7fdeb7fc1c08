import { type Bank, BankRefused, type CreatedConsent } from '../banks/bank.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Work } from '../platform/platform.ts';
import { isAfter } from '../platform/values/instants.ts';
import { newLinkToken } from '../platform/values/link-token.ts';
import { hashSecret } from '../platform/vault/vault.ts';
import type { AccountDetails } from '../wallets/issuer.ts';
import { planWallet, reserveWallet } from '../wallets/service.ts';
import { type AuthorisationDeps, type ConsentPlan, callbackUrl, canMake } from './authorisation.ts';
import { type ConsentRef, isOpen } from './consent.ts';
import { insertRevocation } from './revocation-store.ts';
import { failConsent, sealContext } from './service.ts';
import { type AtBank, moveToAuthorising } from './state-store.ts';
import { lockConsent, setWallet } from './store.ts';

/** The customer's browser, as reported to the bank. */
export interface Visitor {
  ip: string;
  userAgent: string;
}

/**
 * `changed`: the terms differ from those that the customer was shown. `wider`: the bank takes only a longer period for the limit
 * than they were shown. In both cases the customer is not sent to the bank.
 */
export type Begun =
  | { url: string; state: string }
  | { ended: true }
  | { changed: true }
  | { wider: true };

/** The terms that the customer was shown, and the bank whose own limits they saw; null: those that most banks take. */
export type Shown = ConsentRef & { limitsOf: string | null };

/**
 * Starts the authorisation at the bank: reserves the wallet, creates the bank consent, and returns the address to send the
 * browser to. `ref` names what the customer was shown. Throws BankUnavailable or IssuerUnavailable, or BankRefused
 * where the bank has no page for the consent that was made: the same link can then be used again.
 */
export async function beginAuthorisation(
  deps: AuthorisationDeps,
  ref: Shown,
  bank: Bank,
  visitor: Visitor,
): Promise<Begun> {
  const { platform } = deps;
  const prepared = await platform.db.transaction((tx) =>
    prepare(deps, tx, platform.clock.now(), ref, bank),
  );
  if (prepared === null) return { ended: true };
  if (prepared === 'changed') return { changed: true };
  if (prepared === 'wider') return { wider: true };
  const { plan, walletId, termsVersion } = prepared;
  const wallet = await reserveWallet(platform, deps.issuer, ref.merchantId, walletId, {
    kind: 'person',
    name: plan.customerName,
  });
  const state = newLinkToken(platform.ids, ref.merchantId);
  const nonce = platform.ids.random(24).toString('base64url');
  const { customerId } = ref;
  const created = await askBank(bank, plan, wallet.account, { state, visitor, customerId });
  const rejected = created === null || created.status === 'RJCT';
  if (rejected) return rejectConsent(deps, ref);
  const stored = await platform.db.transaction((tx) =>
    storeAtBank(
      { platform, tx, now: platform.clock.now() },
      { ...ref, termsVersion },
      {
        bankId: bank.bankId,
        bankConsentId: created.bankConsentId,
        initiation: platform.vault.seal(
          created.initiation,
          sealContext(ref.merchantId, ref.consentId, 'initiation'),
        ),
        controlParameters: plan.controlParameters,
        stateHash: hashSecret(state),
        nonce: platform.vault.seal(nonce, sealContext(ref.merchantId, ref.consentId, 'nonce')),
      },
    ),
  );
  if (stored !== 'stored') return stored === 'changed' ? { changed: true } : { ended: true };
  const { bankConsentId, redirectUrl } = created;
  const redirectUri = callbackUrl(platform);
  const url =
    redirectUrl ?? (await bank.authorisationUrl({ bankConsentId, state, nonce, redirectUri }));
  return { url, state };
}

async function prepare(
  deps: AuthorisationDeps,
  tx: Tx,
  now: Temporal.Instant,
  ref: Shown,
  { bankId, traits }: Bank,
): Promise<
  { plan: ConsentPlan; walletId: string; termsVersion: number } | 'changed' | 'wider' | null
> {
  await deps.hooks.lockSchedule(tx, ref);
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  if (consent === null || !isOpen(consent.status)) return null;
  if (!isAfter(consent.linkExpiresAt, now)) return null;
  if (consent.termsVersion !== ref.termsVersion) return 'changed';
  const plan = await deps.plan(tx, now, consent, traits.periods);
  if (plan === null) {
    await failConsent(deps.hooks, tx, now, ref, 'consent_expired');
    return null;
  }
  // Such a bank was not offered; what is known of the customer may have changed since.
  if (!canMake(traits, plan)) return 'changed';
  if (plan.hasWiderPeriod && ref.limitsOf !== bankId) return 'wider';
  const walletId = await planWallet(deps.platform, { ...ref, tx, now }, ref.customerId);
  await setWallet(tx, ref.merchantId, ref.consentId, walletId);
  return { plan, walletId, termsVersion: consent.termsVersion };
}

/** Creates the consent at the bank. Null: the bank refuses it for good. */
async function askBank(
  bank: Bank,
  plan: ConsentPlan,
  creditor: AccountDetails,
  { state, visitor, customerId }: { state: string; visitor: Visitor; customerId: string },
): Promise<CreatedConsent | null> {
  const { validFrom, validTo, maximumAmountPence, periodicLimits } = plan.controlParameters;
  try {
    return await bank.createConsent({
      idempotencyKey: hashSecret(state).toString('hex').slice(0, 40),
      // The wallet is the customer's: whom they pay is the merchant.
      creditor: { ...creditor, name: plan.merchantName },
      ...(plan.payer !== null && { debtor: plan.payer }),
      ultimateCreditorName: plan.merchantName,
      customerReference: customerId,
      reference: plan.reference,
      merchant: plan.merchant,
      // Told to nobody who does not need it.
      ...(bank.traits.needsContact && plan.contact !== null && { contact: plan.contact }),
      controlParameters: {
        validFrom: Temporal.Instant.from(validFrom),
        validTo: validTo === null ? null : Temporal.Instant.from(validTo),
        maximumAmountPence,
        periodicLimits,
      },
      currency: 'GBP',
      customerIp: visitor.ip,
      customerUserAgent: visitor.userAgent,
    });
  } catch (error) {
    if (error instanceof BankRefused) return null;
    throw error;
  }
}

async function rejectConsent(deps: AuthorisationDeps, ref: ConsentRef): Promise<Begun> {
  const { platform, hooks } = deps;
  await platform.db.transaction((tx) =>
    failConsent(hooks, tx, platform.clock.now(), ref, 'consent_rejected'),
  );
  platform.wake();
  return { ended: true };
}

async function storeAtBank(
  work: Work,
  ref: ConsentRef,
  atBank: AtBank,
): Promise<'stored' | 'changed' | 'ended'> {
  const consent = await lockConsent(work.tx, ref.merchantId, ref.consentId);
  // Decided, or pointed at newer terms, during the call: nobody may agree to this bank consent any more, so delete it.
  if (consent === null || !isOpen(consent.status) || consent.termsVersion !== ref.termsVersion) {
    await insertRevocation(work.tx, ref.merchantId, atBank.bankId, atBank.bankConsentId, work.now);
    return consent !== null && isOpen(consent.status) ? 'changed' : 'ended';
  }
  if (consent.bankId !== null && consent.bankConsentId !== null)
    await insertRevocation(
      work.tx,
      ref.merchantId,
      consent.bankId,
      consent.bankConsentId,
      work.now,
    );
  await moveToAuthorising(work.tx, work.now, consent, atBank);
  work.platform.log.info(
    { consent_id: ref.consentId, bank_id: atBank.bankId },
    'customer sent to the bank',
  );
  return 'stored';
}
