import {
  type AccountDetails,
  AuthorisationDenied,
  type Bank,
  type BankConsent,
  BankRefused,
  type Grant,
} from '../banks/bank.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { merchantOfToken, newLinkToken } from '../platform/link-token.ts';
import type { Platform } from '../platform/platform.ts';
import { hashSecret } from '../platform/vault.ts';
import { planWallet, reserveWallet, type WalletAccount } from '../wallets/service.ts';
import { type ActivationDeps, activate } from './activation.ts';
import {
  assertEdge,
  type ConsentRef,
  isOpen,
  type SetupFailure,
  type StoredControlParameters,
} from './consent.ts';
import { sealGrant } from './grant.ts';
import { takeLimits } from './looks.ts';
import { endingOf, isSameAccount } from './paying-account.ts';
import { insertRevocation } from './revocation-store.ts';
import { change, failConsent, sealContext } from './service.ts';
import {
  type ConsentRow,
  findByState,
  holdWallet,
  keepGrant,
  lockConsent,
  markAuthorised,
  markAuthorising,
  refOf,
} from './store.ts';

/** What the bank is asked to hold for a schedule. */
export interface ConsentPlan {
  controlParameters: StoredControlParameters;
  merchantName: string;
  /** The holder of a new wallet. */
  customerName: string;
  /** The account that pays, where the merchant named the customer by it. */
  payer: AccountDetails | null;
  /** At most 18 characters: what the customer reads on the bank statement. */
  reference: string;
}

export interface AuthorisationDeps extends ActivationDeps {
  banks: ReadonlyMap<string, Bank>;
  /** Null: no occurrence is left that could be consented to. */
  plan(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<ConsentPlan | null>;
  /** The account that a consent's customer pays from; null where they were not named by it. */
  payerOf(
    tx: Tx,
    consent: Pick<ConsentRow, 'merchant_id' | 'customer_id'>,
  ): Promise<AccountDetails | null>;
}

/** The customer's browser, as banks want to know it. */
export interface Visitor {
  ip: string;
  userAgent: string;
}

/** Where the bank sends the customer back to: one address for all merchants. */
const callbackUrl = (platform: Platform): string => `${platform.config.baseUrl}/consent/callback`;

/** `changed`: the terms are not those that the customer was shown; nothing has gone to the bank. */
export type Begun = { url: string; state: string } | { ended: true } | { changed: true };

/**
 * The customer goes on to the bank: reserves the wallet, makes the bank consent, and answers where to send the
 * browser. `ref` names the terms that the customer was shown. Throws BankUnavailable or IssuerUnavailable, after which the
 * same link can be tried again.
 */
export async function beginAuthorisation(
  deps: AuthorisationDeps,
  ref: ConsentRef,
  bank: Bank,
  visitor: Visitor,
): Promise<Begun> {
  const { platform } = deps;
  const prepared = await platform.db.transaction((tx) =>
    prepare(deps, tx, platform.clock.now(), ref),
  );
  if (prepared === null) return { ended: true };
  if (prepared === 'changed') return { changed: true };
  const { plan, walletId, termsVersion } = prepared;
  const wallet = await reserveWallet(platform, deps.issuer, ref.merchantId, walletId, {
    kind: 'person',
    name: plan.customerName,
  });
  const state = newLinkToken(platform.ids, ref.merchantId);
  const nonce = platform.ids.random(24).toString('base64url');
  const created = await askBank(bank, plan, wallet.account, state, visitor);
  const rejected = created === null || created.status === 'RJCT';
  if (rejected) return rejectConsent(deps, ref);
  const stored = await platform.db.transaction((tx) =>
    storeAtBank(
      platform,
      tx,
      platform.clock.now(),
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
  const url = await bank.authorisationUrl({
    bankConsentId: created.bankConsentId,
    state,
    nonce,
    redirectUri: callbackUrl(platform),
  });
  return { url, state };
}

async function prepare(
  deps: AuthorisationDeps,
  tx: Tx,
  now: Temporal.Instant,
  ref: ConsentRef,
): Promise<{ plan: ConsentPlan; walletId: string; termsVersion: number } | 'changed' | null> {
  await deps.hooks.lockSchedule(tx, ref);
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  if (consent === null || !isOpen(consent.status)) return null;
  if (Temporal.Instant.compare(consent.link_expires_at, now) <= 0) return null;
  if (consent.terms_version !== ref.termsVersion) return 'changed';
  const plan = await deps.plan(tx, now, consent);
  if (plan === null) {
    await failConsent(deps.hooks, tx, now, ref, 'consent_expired');
    return null;
  }
  const walletId = await planWallet(deps.platform, tx, ref.merchantId, ref.customerId, now);
  await holdWallet(tx, ref.merchantId, ref.consentId, walletId);
  return { plan, walletId, termsVersion: consent.terms_version };
}

/** Null: the bank will not hold such a consent, for good. */
async function askBank(
  bank: Bank,
  plan: ConsentPlan,
  creditor: WalletAccount,
  state: string,
  visitor: Visitor,
): Promise<(BankConsent & { initiation: string }) | null> {
  const { validFrom, validTo, maximumAmountPence, periodicLimits } = plan.controlParameters;
  try {
    return await bank.createConsent({
      idempotencyKey: hashSecret(state).toString('hex').slice(0, 40),
      creditor,
      ...(plan.payer !== null && { debtor: plan.payer }),
      ultimateCreditorName: plan.merchantName,
      reference: plan.reference,
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
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  ref: ConsentRef,
  atBank: Parameters<typeof markAuthorising>[3],
): Promise<'stored' | 'changed' | 'ended'> {
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  // Decided, or pointed at newer terms, while the bank was asked: it holds what nobody may agree to any more.
  if (consent === null || !isOpen(consent.status) || consent.terms_version !== ref.termsVersion) {
    await insertRevocation(tx, ref.merchantId, atBank.bankId, atBank.bankConsentId, now);
    return consent !== null && isOpen(consent.status) ? 'changed' : 'ended';
  }
  if (consent.bank_id !== null && consent.bank_consent_id !== null)
    await insertRevocation(tx, ref.merchantId, consent.bank_id, consent.bank_consent_id, now);
  assertEdge(consent.status, 'authorising');
  await markAuthorising(tx, ref.merchantId, ref.consentId, atBank);
  await recordChanges(tx, now, [
    change(ref, ref.consentId, consent.status, 'authorising', `sent to ${atBank.bankId}`),
  ]);
  platform.log.info(
    { consent_id: ref.consentId, bank_id: atBank.bankId },
    'customer sent to the bank',
  );
  return 'stored';
}

export type Completed =
  | { outcome: 'granted' | 'finishing' | 'denied' | 'rejected' | 'decided'; consent: ConsentRow }
  | { outcome: 'unknown' };

/**
 * Completes the journey of a customer who is back from the bank. The redirect alone proves nothing: the answer is checked,
 * the code exchanged, and the consent read back before anything is activated (docs/rules/consents.md#the-journey-to-the-bank).
 * Throws AuthorisationInvalid or BankUnavailable; the same link can then be tried again.
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
  const grant = consent.bank_grant ?? (await exchangeOnce(deps, bank, consent, state, fragment));
  const atBank = await bank.readConsent(consent.bank_consent_id ?? '');
  if (grant === null || atBank.status !== 'AUTH')
    return refused(deps, consent, atBank, grant === null);
  const wanted = await platform.db.read((tx) => deps.payerOf(tx, consent));
  if (wanted !== null && atBank.debtor !== null && !isSameAccount(wanted, atBank.debtor))
    return failed(deps, consent, 'consent_account_mismatch');
  const agreed = { grant, payer: atBank.debtor ?? wanted, atBank };
  await platform.db.transaction((tx) => storeGrant(deps, tx, consent, agreed));
  return (await activate(deps, refOf(consent)))
    ? { outcome: 'granted', consent }
    : { outcome: 'finishing', consent };
}

/**
 * The sealed grant, kept before anything else is asked: the code works once, so that a bank which fails after it can be
 * asked again. Null: the customer said no.
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
  const sealed = sealGrant(deps.platform, refOf(consent), grant);
  await deps.platform.db.transaction((tx) => keepGrant(tx, consent, sealed));
  return sealed;
}

function bankOf(banks: ReadonlyMap<string, Bank>, consent: ConsentRow): Bank {
  const bank = banks.get(consent.bank_id ?? '');
  if (bank === undefined) throw new Error(`the bank ${consent.bank_id} is not configured`);
  return bank;
}

/** Null: the customer said no. */
async function exchange(
  deps: AuthorisationDeps,
  bank: Bank,
  consent: ConsentRow,
  state: string,
  fragment: string,
): Promise<Grant | null> {
  const { platform } = deps;
  const context = sealContext(consent.merchant_id, consent.consent_id, 'nonce');
  try {
    return await bank.completeAuthorisation({
      bankConsentId: consent.bank_consent_id ?? '',
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

/** Status reasons that stand for the customer's own no; another reason is the bank's. */
const CUSTOMER_SAID_NO = new Set(['U036', 'CUST']);

async function refused(
  deps: AuthorisationDeps,
  consent: ConsentRow,
  atBank: BankConsent,
  denied: boolean,
): Promise<Completed> {
  const byBank =
    atBank.status === 'RJCT' && atBank.reason !== null && !CUSTOMER_SAID_NO.has(atBank.reason);
  if (!denied && atBank.status === 'AWAU') return { outcome: 'finishing', consent };
  return failed(deps, consent, byBank || !denied ? 'consent_rejected' : 'consent_denied');
}

/** Ends the set-up; what was agreed at the bank is deleted there. */
async function failed(
  { platform, hooks }: AuthorisationDeps,
  consent: ConsentRow,
  code: SetupFailure,
): Promise<Completed> {
  await platform.db.transaction((tx) =>
    failConsent(hooks, tx, platform.clock.now(), refOf(consent), code),
  );
  platform.wake();
  return { outcome: code === 'consent_denied' ? 'denied' : 'rejected', consent };
}

async function storeGrant(
  deps: AuthorisationDeps,
  tx: Tx,
  seen: ConsentRow,
  { grant, payer, atBank }: { grant: string; payer: AccountDetails | null; atBank: BankConsent },
): Promise<void> {
  const ref = refOf(seen);
  const now = deps.platform.clock.now();
  await deps.hooks.lockSchedule(tx, ref);
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  // Cancelled or begun again meanwhile: the bank consent is on its way to deletion.
  if (consent?.status !== 'authorising' || consent.bank_consent_id !== seen.bank_consent_id) return;
  const context = sealContext(ref.merchantId, ref.consentId, 'paying_account');
  const paying =
    payer === null
      ? null
      : {
          sealed: deps.platform.vault.seal(JSON.stringify(payer), context),
          ending: endingOf(payer),
        };
  await markAuthorised(tx, ref.merchantId, ref.consentId, grant, paying, now);
  await recordChanges(tx, now, [
    change(ref, ref.consentId, 'authorising', 'authorised', 'agreed at the bank'),
  ]);
  // The customer may have agreed to other limits than those that were asked for.
  await takeLimits(deps.platform, tx, consent, atBank);
}
