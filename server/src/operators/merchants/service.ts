import type { HoldKind } from '../../merchants/holds/hold.ts';
import { endHold, type HoldDecision, placeHold } from '../../merchants/holds/hold-service.ts';
import { findHolds } from '../../merchants/holds/hold-store.ts';
import { createKey } from '../../merchants/keys/key-service.ts';
import type { Merchant, NewMerchant } from '../../merchants/merchant.ts';
import { addMerchant, readMerchant } from '../../merchants/service.ts';
import { findLatestCheckOf } from '../../merchants/settlement-account/payee-check-store.ts';
import { findPendingChange } from '../../merchants/settlement-account/settlement-account-store.ts';
import { type CreatedUser, createUser } from '../../merchants/team/users.ts';
import { findFeeTerms } from '../../merchants/terms/fee-store.ts';
import { readScheme } from '../../merchants/terms/scheme-service.ts';
import { resumeOrders } from '../../payments/books/held-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Asked, Platform, Work } from '../../platform/platform.ts';
import { resumeOccurrences } from '../../schedules/books/due-store.ts';
import { resumePayOuts } from '../../settlements/held-store.ts';
import { planMerchantWallet } from '../../wallets/service.ts';
import { viewAdminMerchant } from './view.ts';

/** A merchant with what it starts with. The key's secret is never shown again. */
export interface StartedMerchant {
  merchant: Merchant;
  secret: string;
  /** The link by which the owner sets a password; null: none was named. */
  owner: CreatedUser | null;
}

/**
 * Creates a merchant with its wallet, a first API key, and, if named, a first owner. `reason`: who asked for the key. Throws 400
 * `invalid_request`.
 */
export async function startMerchant(
  work: Work,
  input: NewMerchant,
  {
    owner,
    reason,
    by,
  }: { owner: { email: string; name: string } | null; reason: string; by: string },
): Promise<StartedMerchant> {
  const { platform, tx, now } = work;
  const merchant = await addMerchant(work, input, (_tx, merchantId) =>
    planMerchantWallet(platform, { tx, now, merchantId }),
  );
  const asked = { tx, now, merchantId: merchant.merchantId };
  const { secret } = await createKey(platform, asked, 'first key', reason);
  const user =
    owner === null
      ? null
      : await createUser(platform, { ...asked, actorId: by }, { ...owner, role: 'owner' });
  return { merchant, secret, owner: user };
}

/**
 * Gives or ends a hold of a merchant; what waited for its end is due at once. Returns whether anything changed. Throws 404
 * `not_found`.
 */
export async function setHold(
  platform: Platform,
  asked: Asked,
  kind: HoldKind,
  word: HoldDecision & { isHeld: boolean },
): Promise<boolean> {
  const { tx, now, merchantId } = asked;
  if (word.isHeld) return placeHold(platform, asked, kind, word);
  if (!(await endHold(platform, asked, kind, word))) return false;
  if (kind === 'pay_outs') await resumePayOuts(tx, now, [merchantId]);
  else {
    await resumeOccurrences(tx, now, merchantId);
    await resumeOrders(tx, now, { merchantId });
  }
  return true;
}

/** Returns a merchant as operators see it. Throws 404 `not_found`. */
export async function showMerchant(
  platform: Platform,
  tx: Tx,
  merchantId: string,
): Promise<ReturnType<typeof viewAdminMerchant>> {
  const merchant = await readMerchant(platform, tx, merchantId);
  const [scheme, pending, check, holds, fees] = await Promise.all([
    readScheme(tx, merchantId),
    findPendingChange(tx, platform.vault, merchantId),
    findLatestCheckOf(tx, platform.vault, merchantId, merchant.settlementAccount),
    findHolds(tx, merchantId),
    findFeeTerms(tx, merchantId),
  ]);
  return viewAdminMerchant(merchant, scheme, { pending, check }, holds, fees);
}
