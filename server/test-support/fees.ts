import { setFees } from '../src/merchants/terms/fee-service.ts';
import type { FeeTerms } from '../src/merchants/terms/fees.ts';
import { FEE_WALLET } from '../src/wallets/fee-wallet.ts';
import type { WalletWithAccount } from './fake-issuer.ts';
import type { Harness, MerchantSide } from './harness.ts';

/** Sets a merchant's fees from the next day on; returns when they apply. */
export async function feesFromTomorrow(
  h: Harness,
  terms: Partial<FeeTerms>,
  by: MerchantSide = h,
): Promise<Temporal.Instant> {
  const { from } = await h.db.transaction((tx) =>
    setFees(
      h.platform,
      { tx, now: h.clock.at, merchantId: by.merchantId },
      { fixedPence: 0, basisPoints: 0, day: null, ...terms },
      'operator:Robin Fern',
    ),
  );
  return from;
}

/** Returns the fee wallet at the issuer, if it was opened. */
export function feeWalletOf(h: Harness): WalletWithAccount | undefined {
  const all = [...h.issuer.wallets.values()].map(({ wallet }) => wallet);
  return all.find((one) => one.externalReference === FEE_WALLET);
}

/** Returns what is in the fee wallet at the issuer, in pence; null: it was never opened. */
export const feeWalletPence = (h: Harness): number | null => feeWalletOf(h)?.balancePence ?? null;
