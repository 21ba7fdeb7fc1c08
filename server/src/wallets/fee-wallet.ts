import type { Platform } from '../platform/platform.ts';
import { findFeeWallet, putFeeWallet } from './fee-wallet-store.ts';
import type { Issuer } from './issuer.ts';

/** The external reference of the operator's wallet at the issuer, which fees are transferred to. It is no merchant's. */
export const FEE_WALLET = 'operator/fees';

/**
 * Returns the issuer's id of the fee wallet; opens it with the first fee. A database that has lost it finds it at the issuer
 * again. Makes outside calls: never use it within a transaction. Throws IssuerUnavailable, and Error if nobody is set to hold it.
 */
export async function openFeeWallet(platform: Platform, issuer: Issuer): Promise<string> {
  const { db, config } = platform;
  const known = await db.read(findFeeWallet);
  if (known !== null) return known;
  const made = await issuer.findWallet(FEE_WALLET);
  const id = made?.status === 'open' ? made.issuerWalletId : await reserve(issuer, config);
  await issuer.openWallet(id, 'open-fees');
  await db.transaction((tx) => putFeeWallet(tx, id));
  return id;
}

async function reserve(
  issuer: Issuer,
  { mode, feeWalletHolder, brand }: Platform['config'],
): Promise<string> {
  const name = feeWalletHolder ?? (mode === 'sandbox' ? brand.name : null);
  if (name === null) throw new Error('FEE_WALLET_HOLDER must be set where merchants have fees');
  const wallet = await issuer.reserveWallet({
    idempotencyKey: 'fees',
    externalReference: FEE_WALLET,
    holder: { kind: 'business', name },
  });
  return wallet.issuerWalletId;
}
