import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { momentIn } from '../platform/time/clock.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { readWallet, recordOpened } from '../wallets/service.ts';
import type { ConsentRef } from './consent.ts';
import { type ConsentHooks, endConsent } from './service.ts';
import { moveToGranted } from './state-store.ts';
import { findConsent, lockCurrentConsents } from './store.ts';

export interface ActivationDeps {
  platform: Platform;
  issuer: Issuer;
  hooks: ConsentHooks;
}

/**
 * Opens the wallet and activates the schedule after the customer has authorised the consent. Returns false if the issuer is
 * unreachable: the stage `consents.activate` retries. Idempotent.
 */
export async function activate(deps: ActivationDeps, ref: ConsentRef): Promise<boolean> {
  const { platform, issuer } = deps;
  const consent = await platform.db.read((tx) => findConsent(tx, ref.merchantId, ref.consentId));
  if (consent?.status !== 'authorised' || consent.walletId === null)
    return consent?.status === 'granted';
  const walletId = consent.walletId;
  try {
    const wallet = await platform.db.read((tx) =>
      readWallet(platform, tx, ref.merchantId, walletId),
    );
    await issuer.openWallet(wallet.issuerWalletId, `open-${walletId}`);
  } catch (error) {
    platform.log.report('consent.wallet_not_opened', { consent_id: ref.consentId, err: error });
    return false;
  }
  await platform.db.transaction((tx) => grantConsent(deps, tx, ref, walletId));
  platform.wake();
  return true;
}

async function grantConsent(
  deps: ActivationDeps,
  tx: Tx,
  ref: ConsentRef,
  walletId: string,
): Promise<void> {
  await deps.hooks.lockSchedule(tx, ref);
  await deps.hooks.leaving(tx, ref);
  const current = await lockCurrentConsents(tx, ref.merchantId, ref.scheduleId);
  const consent = current.find((c) => c.consentId === ref.consentId);
  if (consent?.status !== 'authorised') return;
  const now = await momentIn(deps.platform.clock, tx);
  const earlier = current.find((c) => c.status === 'granted');
  if (earlier !== undefined)
    await endConsent(tx, now, earlier, 'replaced', 'a new consent took its place');
  await recordOpened(tx, ref.merchantId, walletId, now);
  await moveToGranted(tx, now, consent);
  await deps.hooks.granted(tx, now, { ...consent, status: 'granted', grantedAt: now });
}
